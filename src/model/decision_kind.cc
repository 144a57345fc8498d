#include "model/decision_kind.h"

#include <array>

#include "model/internal/names.h"

namespace clever::model {
namespace {

constexpr std::array<std::string_view, 12> kKinds{"prompt_definition",
                                                  "strategy_choice",
                                                  "implementation_choice",
                                                  "subplan_spawn",
                                                  "subplan_parallel_spawn",
                                                  "invariant_enforced",
                                                  "resource_selection",
                                                  "tool_invocation",
                                                  "validation_response",
                                                  "error_recovery",
                                                  "reversion",
                                                  "user_intervention"};

}  // namespace

std::string_view to_string(DecisionKind kind) { return kKinds.at(static_cast<std::size_t>(kind)); }

base::Result<DecisionKind> parse_decision_kind(std::string_view text) {
  return internal::parse_name<DecisionKind>(kKinds, text, "kind of decision");
}

}  // namespace clever::model
