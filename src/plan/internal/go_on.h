#pragma once
#include "plan/internal/draft.h"

namespace clever::plan {

/// Resumes a plan that waited: what it waited for arrived, or it tries again.
void go_on(Draft& draft);

/// Completes a pending cancel once no effect is open. Returns true while a cancel is pending.
bool finish_cancel(Draft& draft);

}  // namespace clever::plan
