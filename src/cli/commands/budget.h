#pragma once
// What the budget commands share. Private to the module.
#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "model/budget_events.h"

namespace clever::cli {

/// "$1.25"; more digits where cents do not show it: "$0.0312".
[[nodiscard]] std::string dollars(model::Microdollars amount);
/// "5", "2.50" or "$2.50". `invalid_argument` says what would be right.
[[nodiscard]] base::Result<model::Microdollars> parse_dollars(std::string_view text);
/// "1,234", or "no cap".
[[nodiscard]] std::string cap_text(std::int64_t cap, bool money);

}  // namespace clever::cli
