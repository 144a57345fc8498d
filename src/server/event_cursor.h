#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "base/result.h"
#include "model/time.h"

namespace clever::server {

/// Where a reader of the events of all plans is. Positions count the events of a database, but one
/// may become visible after a greater one: the cursor knows up to where it has seen all, and which
/// it has seen beyond. A gap that stays for half a minute is none: nothing comes there any more.
///
/// A value; as text "120", or "120~122-125,127".
class EventCursor {
 public:
  EventCursor() = default;
  explicit EventCursor(std::int64_t low) : low_(low) {}
  /// `invalid_argument` for anything that text() did not make. Gaps are `now` from now on.
  [[nodiscard]] static base::Result<EventCursor> parse(std::string_view text, model::Timestamp now);
  [[nodiscard]] std::string text() const;

  /// Events up to here need not be read again.
  [[nodiscard]] std::int64_t low() const noexcept { return low_; }
  /// How many it has seen beyond.
  [[nodiscard]] std::size_t beyond() const noexcept { return seen_.size(); }
  /// Notes an event; false if it was noted before. Of events that are read together the smaller
  /// positions come first.
  bool take(std::int64_t position, model::Timestamp time, model::Timestamp now);

 private:
  void advance(model::Timestamp now);

  std::int64_t low_ = 0;
  // Seen beyond, and when those events were written.
  std::map<std::int64_t, model::Timestamp> seen_;
};

}  // namespace clever::server
