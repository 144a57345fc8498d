#pragma once
#include "base/result.h"
#include "service/context.h"

namespace clever::service {

/// Ends what a killed apply or undo left in the project in which the command works, and says what
/// it did; empty if there was nothing. Before every command, whatever it is for: until then the
/// user's own git may be refused. Looks at one folder of the home if nothing was interrupted.
[[nodiscard]] base::Result<std::string> end_interrupted_apply(Context& context);

}  // namespace clever::service
