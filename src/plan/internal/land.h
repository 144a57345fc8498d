#pragma once
#include "model/work_events.h"
#include "plan/internal/draft.h"

namespace clever::plan {

/// After an undo: the plan is complete again, and can be applied again.
void reopen(Draft& draft);

/// Starts to land the sealed changes; open conflicts constrain the plan.
void start_apply(Draft& draft, const model::ApplyRequested& request);

}  // namespace clever::plan
