#pragma once
// Private to the module.
#include <optional>

#include "base/result.h"
#include "service/commands/plan_act.h"

namespace clever::service {

/// Has a plan go on in this process with live progress until it is at rest, as `run` does; if
/// another process drives it, that one is followed. Then what it came to. With --detach a process
/// in the background does so (plan_background.h). `first` goes to the plan beforehand; if the plan
/// refuses it, the refusal is the answer. `target`: the subplan that gets it; none: the plan
/// itself.
[[nodiscard]] base::Result<Report> drive_on(MeantPlan plan,
                                            const std::optional<plan::Command>& first,
                                            const Invocation& invocation, Context& context,
                                            const model::PlanId& target = {});

}  // namespace clever::service
