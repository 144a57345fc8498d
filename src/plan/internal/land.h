#pragma once
#include "model/work_events.h"
#include "plan/internal/draft.h"

namespace clever::plan {

/// What was applied was taken back: the plan is as complete as before, and can be applied again.
void reopen(Draft& draft);

/// The sealed changes are to land; open conflicts constrain that.
void start_apply(Draft& draft, const model::ApplyRequested& request);

}  // namespace clever::plan
