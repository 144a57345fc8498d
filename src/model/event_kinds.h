#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/event.h"

namespace clever::model {

/// The kinds of events that this program knows, the newest version of each, and the upcasts of
/// older versions. Ignores unknown kinds.
///
/// A value; safe to read from many threads once built.
class EventKinds {
 public:
  /// A pure function from the data of one version to the data of the next.
  using Upcast = std::function<base::Result<std::string>(std::string_view data)>;

  /// The kinds of this module, all in their first version.
  EventKinds();

  /// Adds a kind: `upcasts[0]` leads from version 1 to 2, and so on.
  EventKinds& add(std::string kind, std::vector<Upcast> upcasts = {});

  [[nodiscard]] bool knows(std::string_view kind) const { return upcasts_.contains(kind); }
  /// 0 for an unknown kind.
  [[nodiscard]] std::int64_t newest(std::string_view kind) const;

  /// Upcasts version and data. `conflict` if the event is newer than this program, `corruption` if
  /// its version never existed.
  base::Result<void> to_newest(StoredEvent& event) const;

 private:
  std::map<std::string, std::vector<Upcast>, std::less<>> upcasts_;
};

}  // namespace clever::model
