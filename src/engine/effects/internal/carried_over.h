#pragma once
#include <string_view>
#include <vector>

#include "base/result.h"
#include "git/object_store.h"
#include "model/change.h"
#include "plan/state.h"

namespace clever::engine::internal {

/// The tool of entries that say what an earlier changeset of the plan had done.
inline constexpr std::string_view kCarriedOver = "carried over";

/// What is to be recorded for `changes`. The first entries of a changeset that goes on with the
/// work of an earlier one begin with that work: so its net is what lies between base and tree.
[[nodiscard]] base::Result<std::vector<model::ChangeEntry>> with_carried_over(
    const plan::State& plan, git::ObjectStore& store, std::vector<model::ChangeEntry> changes);

}  // namespace clever::engine::internal
