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
  /// `invalid_argument` for anything that text() did not make. Treats gaps as `now` from then on.
  [[nodiscard]] static base::Result<EventCursor> parse(std::string_view text, model::Timestamp now);
  [[nodiscard]] std::string text() const;

  /// Events up to this position need not be read again.
  [[nodiscard]] std::int64_t low() const noexcept { return low_; }
  /// The number of events seen beyond it.
  [[nodiscard]] std::size_t beyond() const noexcept { return seen_.size(); }
  /// Notes an event; returns false if it was noted before. Note smaller positions first among
  /// events that are read together.
  bool take(std::int64_t position, model::Timestamp time, model::Timestamp now);

 private:
  void advance(model::Timestamp now);

  std::int64_t low_ = 0;
  // The positions seen beyond, and when those events were written.
  std::map<std::int64_t, model::Timestamp> seen_;
};

}  // namespace clever::server
