#pragma once
// What plans may cost, as the settings have it. Private to the module.
#include <string>

#include "config/settings.h"
#include "storage/budgets.h"

namespace clever::service {

/// budget.plan, budget.session, budget.day and their _tokens: `scope` is "plan", "session" or
/// "day". What is not set is no cap.
[[nodiscard]] storage::Caps caps_of(const config::Settings& settings, const std::string& scope);

/// plan.concurrency.
[[nodiscard]] std::size_t most_plans(const config::Settings& settings);

}  // namespace clever::service
