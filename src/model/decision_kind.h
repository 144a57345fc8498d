#pragma once
#include <cstdint>
#include <string_view>

#include "base/result.h"

namespace clever::model {

/// What a decision of a plan is about. The root of a plan's tree is its prompt_definition.
enum class DecisionKind : std::uint8_t {
  kPromptDefinition,
  kStrategyChoice,
  kImplementationChoice,
  kSubplanSpawn,
  kSubplanParallelSpawn,
  kInvariantEnforced,
  kResourceSelection,
  kToolInvocation,
  kValidationResponse,
  kErrorRecovery,
  kReversion,
  kUserIntervention,
};

[[nodiscard]] std::string_view to_string(DecisionKind kind);
/// `invalid_argument` lists the valid names.
[[nodiscard]] base::Result<DecisionKind> parse_decision_kind(std::string_view text);

}  // namespace clever::model
