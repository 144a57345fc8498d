#pragma once
#include "plan/internal/draft.h"

namespace clever::plan {

/// A plan that stood still goes on where it was: what it waited for is there, or it is tried again.
void go_on(Draft& draft);

/// If it is about to be cancelled and nothing of it runs any more, it is cancelled. Whether it is
/// about to be.
bool finish_cancel(Draft& draft);

}  // namespace clever::plan
