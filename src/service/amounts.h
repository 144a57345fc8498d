#pragma once
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "model/budget_events.h"

// Amounts and words in little room. Pure functions.
namespace clever::service {

/// The text, or as much of it as fits into so many columns with an ellipsis.
[[nodiscard]] std::string shortened(std::string_view text, std::size_t width, bool unicode);
/// "4s", "1m05s", "2h03m"
[[nodiscard]] std::string elapsed_text(base::Duration elapsed);
/// "0.3 s", "75.0 s"
[[nodiscard]] std::string seconds_text(std::chrono::milliseconds time);
/// "980", "12.3k", "1.2M"
[[nodiscard]] std::string tokens_text(std::int64_t tokens);
/// "$0.05", "$0.0012": rounded up.
[[nodiscard]] std::string cost_text(model::Microdollars cost);

}  // namespace clever::service
