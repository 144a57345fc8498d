#pragma once
// Private to the module.
#include <string>

#include "base/stop_token.h"
#include "model/control_events.h"
#include "plan/state.h"
#include "storage/engine.h"

namespace clever::service {

/// What there is to know about something that a plan asks for, beyond its line: the arguments of a
/// call, the steps of a strategy. Lines that can be shown at a terminal, at most some hundred;
/// empty if there is nothing more.
[[nodiscard]] std::string approval_details(storage::Engine& engine, const plan::State& plan,
                                           const model::ApprovalItem& item,
                                           const base::StopToken& stop);

}  // namespace clever::service
