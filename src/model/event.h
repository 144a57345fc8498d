#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "base/sha256.h"
#include "model/id.h"
#include "model/time.h"

namespace clever::model {

/// A plan's event before it has its place in the journal. A value.
struct Event {
  std::string kind;
  /// The version of the data. Readers get older versions upcast to the newest (EventKinds).
  std::int64_t version = 1;
  /// JSON text.
  std::string data{};
  /// The large payloads that the data names by content hash: stored once, kept as long as the
  /// event.
  std::vector<base::Sha256Digest> bodies{};

  friend bool operator==(const Event&, const Event&) = default;
};

/// An event with its place in the journal of its plan. A value.
struct StoredEvent {
  PlanId plan;
  /// 1, 2, 3, … within the plan, without a gap.
  std::int64_t sequence = 0;
  /// The epoch of the lease under which it was appended.
  std::int64_t epoch = 0;
  Timestamp time{};
  std::string kind{};
  std::int64_t version = 1;
  std::string data{};
  /// event_hash() of all the above, of the previous event and of the bodies.
  base::Sha256Digest hash{};
  /// The order of arrival over all plans, for display only: a smaller one may become visible later.
  std::int64_t position = 0;

  friend bool operator==(const StoredEvent&, const StoredEvent&) = default;
};

}  // namespace clever::model
