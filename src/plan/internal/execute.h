#pragma once
#include <string>

#include "plan/internal/draft.h"

// Carrying out the strategy. All leave the plan with an open effect, or at rest.
namespace clever::plan {

/// From strategize to execute.
void begin_execute(Draft& draft);

/// Whatever can be done next: children are started, the next step of the plan's own, a merge, the
/// end. Call it in execute/processing whenever something ended.
void advance(Draft& draft);

/// The present step goes on with a turn, or with the actor's work.
void work_on_step(Draft& draft);
/// The present step from its beginning, once more.
void restart_step(Draft& draft);
/// The present step is done; what is next.
void finish_step(Draft& draft, const std::string& summary);

/// A child did not come to a good end: another attempt, or the step has failed.
void child_failed(Draft& draft, const Step& step, const std::string& why, bool may_retry);

}  // namespace clever::plan
