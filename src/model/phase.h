#pragma once
#include <cstdint>
#include <string_view>

#include "base/result.h"

namespace clever::model {

/// Where a plan is: action → strategize → execute → apply, with ways back to strategize.
enum class Phase : std::uint8_t { kAction, kStrategize, kExecute, kApply };

/// How it fares there. Only applied and cancelled are final.
enum class PlanState : std::uint8_t {
  kQueued,
  kProcessing,
  kWaiting,
  kComplete,
  kErrored,
  kCancelling,
  kCancelled,
  kApplied,
  kConstrained,
};

[[nodiscard]] std::string_view to_string(Phase phase);
[[nodiscard]] std::string_view to_string(PlanState state);
/// `invalid_argument` lists what would be right.
[[nodiscard]] base::Result<Phase> parse_phase(std::string_view text);
[[nodiscard]] base::Result<PlanState> parse_plan_state(std::string_view text);

}  // namespace clever::model
