#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/sha256.h"
#include "model/event.h"
#include "model/message.h"

// Who allowed what in a plan, and when. Pure. Private to the module.
namespace clever::service {

/// One line of the trail. A value.
struct AuditEntry {
  model::PlanId plan{};
  std::int64_t sequence = 0;
  model::Timestamp time{};
  /// "asked", "approved", "rejected", "denied", "blocked", "invariant", "said", "corrected",
  /// "apply", "applied", "constrained" or "undone"
  std::string what{};
  std::string subject{};
  std::string detail{};
  /// The person, where the journal names one.
  std::string by{};

  friend bool operator==(const AuditEntry&, const AuditEntry&) = default;
};

/// A message by the hash of its body; none if it was removed meanwhile.
using MessageOf = std::function<std::optional<model::Message>(const base::Sha256Digest& body)>;

/// What the journal of one plan tells, in its order. `invalid_argument` for an event that cannot be
/// read.
[[nodiscard]] base::Result<std::vector<AuditEntry>> audit_trail(
    const std::vector<model::StoredEvent>& events, const MessageOf& message);

}  // namespace clever::service
