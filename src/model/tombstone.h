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

/// What stays of a plan whose journal was deleted: where its chain of hashes ended, what it cost,
/// who allowed what, and what it committed. Nothing that a model said or a file held. A value.
struct Tombstone {
  /// What the plan spent in a scope.
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
  /// How many events the journal had, and the hash of the last: an export of the plan ends with it.
  std::int64_t events = 0;
  base::Sha256Digest head{};
  /// Of its lease, which nobody takes any more.
  std::int64_t epoch = 0;
  std::vector<Share> shares{};
  std::vector<std::string> commits{};
  std::vector<Audit> audit{};

  /// JSON, without the plan, which stands beside it.
  [[nodiscard]] std::string to_text() const;
  [[nodiscard]] static base::Result<Tombstone> parse(const PlanId& plan, std::string_view text);
  friend bool operator==(const Tombstone&, const Tombstone&) = default;
};

}  // namespace clever::model
