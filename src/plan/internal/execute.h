#pragma once
#include <string>

#include "plan/internal/draft.h"

// Carries out the strategy. Each function leaves the plan with an open effect, or at rest.
namespace clever::plan {

/// From strategize to execute.
void begin_execute(Draft& draft);

/// Starts everything that can start now: children, the next step of the plan's own, a merge, the
/// end. Call it in execute/processing whenever something ended.
void advance(Draft& draft);

/// Continues the present step with a turn, or with the actor's work.
void work_on_step(Draft& draft);
/// Restarts the present step from its beginning.
void restart_step(Draft& draft);
/// Ends the present step, and continues with the next.
void finish_step(Draft& draft, const std::string& summary);

/// A child failed: starts another attempt, or fails the step.
void child_failed(Draft& draft, const Step& step, const std::string& why, bool may_retry);

}  // namespace clever::plan
