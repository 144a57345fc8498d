#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "base/deadline.h"
#include "base/result.h"
#include "base/sha256.h"
#include "base/stop_token.h"
#include "model/change.h"
#include "model/id.h"
#include "storage/engine.h"

namespace clever::storage {

/// A changeset without its entries. A value.
struct ChangesetFacts {
  model::ChangesetId id{};
  model::PlanId plan{};
  model::DecisionId decision{};
  std::int64_t entries = 0;
  /// The digest of the net changes, once it is sealed.
  std::optional<base::Sha256Digest> digest{};

  friend bool operator==(const ChangesetFacts&, const ChangesetFacts&) = default;
};

/// The changes of plans: a projection of model::ChangesetStarted, ChangesRecorded and
/// ChangesetSealed.
///
/// Thread-safe. The engine must outlive it.
class Changesets {
 public:
  explicit Changesets(Engine& engine) : engine_(engine) {}

  /// In the order in which they were started.
  [[nodiscard]] base::Result<std::vector<ChangesetFacts>> of_plan(
      const model::PlanId& plan, const base::StopToken& stop = {},
      base::Deadline deadline = base::Deadline::never());
  /// The paths of all its changes, sorted, at most `limit`.
  [[nodiscard]] base::Result<std::vector<std::string>> paths(
      const model::PlanId& plan, std::int64_t most, const base::StopToken& stop = {},
      base::Deadline deadline = base::Deadline::never());
  /// Sorted by number (1, 2, 3, …); empty without such a changeset.
  [[nodiscard]] base::Result<std::vector<model::ChangeEntry>> entries(
      const model::ChangesetId& id, const base::StopToken& stop = {},
      base::Deadline deadline = base::Deadline::never());

 private:
  Engine& engine_;
};

}  // namespace clever::storage
