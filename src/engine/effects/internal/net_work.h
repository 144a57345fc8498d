#pragma once
#include <vector>

#include "base/result.h"
#include "git/object_store.h"
#include "model/change.h"
#include "plan/state.h"

namespace clever::engine::internal {

/// All that a plan changed, from its base to its tree: what would land. `conflict` if it has no
/// base yet.
[[nodiscard]] base::Result<std::vector<model::NetChange>> net_work(const plan::State& plan,
                                                                   git::ObjectStore& store);

/// What must be recorded after `entries` so that their net is `wanted`; nothing if it is already. A
/// plan's own changeset has entries only if an earlier release recorded them there.
/// A pure function. `corruption` if no entries can do that: a path's first entry says something
/// else about what was there before.
[[nodiscard]] base::Result<std::vector<model::ChangeEntry>> missing_entries(
    const std::vector<model::ChangeEntry>& entries, const std::vector<model::NetChange>& wanted,
    const model::DecisionId& decision);

}  // namespace clever::engine::internal
