#pragma once
#include <cstdint>
#include <string_view>

#include "base/result.h"

namespace clever::model {

/// A plan's phase: action → strategize → execute → apply, with ways back to strategize.
enum class Phase : std::uint8_t { kAction, kStrategize, kExecute, kApply };

/// A plan's state within its phase. Only applied and cancelled are final.
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
/// `invalid_argument` lists the valid names.
[[nodiscard]] base::Result<Phase> parse_phase(std::string_view text);
[[nodiscard]] base::Result<PlanState> parse_plan_state(std::string_view text);

}  // namespace clever::model
