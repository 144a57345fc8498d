#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/sha256.h"
#include "model/id.h"
#include "model/time.h"

namespace clever::model {

/// What remains of a plan whose journal was deleted: the end of its hash chain, its costs,
/// approvals, and commits. No text of a model or file. A value.
struct Tombstone {
  /// The plan's cost in a scope.
  struct Share {
    std::string scope{};
    std::int64_t money = 0;
    std::int64_t tokens = 0;
    friend bool operator==(const Share&, const Share&) = default;
  };
  /// A line of its audit.
  struct Audit {
    std::int64_t sequence = 0;
    Timestamp time{};
    std::string what{};
    std::string subject{};
    friend bool operator==(const Audit&, const Audit&) = default;
  };

  PlanId plan{};
  /// None for a root.
  PlanId parent{};
  std::string project{};
  /// "applied", "cancelled"; of a subplan "complete" too.
  std::string state{};
  Timestamp created{};
  Timestamp deleted{};
  /// The number of events in the journal, and the hash of the last: an export of the plan ends with
  /// it.
  std::int64_t events = 0;
  base::Sha256Digest head{};
  /// The epoch of its lease, which is never taken again.
  std::int64_t epoch = 0;
  std::vector<Share> shares{};
  std::vector<std::string> commits{};
  std::vector<Audit> audit{};

  /// JSON, without the plan, which has its own column.
  [[nodiscard]] std::string to_text() const;
  [[nodiscard]] static base::Result<Tombstone> parse(const PlanId& plan, std::string_view text);
  friend bool operator==(const Tombstone&, const Tombstone&) = default;
};

}  // namespace clever::model
