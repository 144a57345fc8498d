#pragma once
#include <cstdint>
#include <span>

#include "base/result.h"
#include "model/event.h"
#include "plan/state.h"

namespace clever::plan {

/// The plan as it was at a checkpoint, from its journal: what a rollback restores. A checkpoint
/// that a strategy begins with (the base, a reversion) stands for the moment at which that strategy
/// was about to be carried out. `not_found`: the journal has no such event, or nothing was carried
/// out after it.
[[nodiscard]] base::Result<State> state_at(std::span<const model::StoredEvent> journal,
                                           std::int64_t checkpoint);

}  // namespace clever::plan
