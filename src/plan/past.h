#pragma once
#include <cstdint>
#include <span>

#include "base/result.h"
#include "model/event.h"
#include "plan/state.h"

namespace clever::plan {

/// The plan as it was at a checkpoint, from its journal: what a rollback restores. A checkpoint at
/// the beginning of a strategy (the base, a reversion) stands for the moment just before its
/// execution. `not_found` if the journal has no such event, or nothing was executed after it.
[[nodiscard]] base::Result<State> state_at(std::span<const model::StoredEvent> journal,
                                           std::int64_t checkpoint);

}  // namespace clever::plan
