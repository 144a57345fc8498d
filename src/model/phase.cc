#include "model/phase.h"

#include <array>

#include "model/internal/names.h"

namespace clever::model {
namespace {

constexpr std::array<std::string_view, 4> kPhases{"action", "strategize", "execute", "apply"};
constexpr std::array<std::string_view, 9> kPlanStates{"queued",    "processing", "waiting",
                                                      "complete",  "errored",    "cancelling",
                                                      "cancelled", "applied",    "constrained"};

}  // namespace

std::string_view to_string(Phase phase) { return kPhases.at(static_cast<std::size_t>(phase)); }

std::string_view to_string(PlanState state) {
  return kPlanStates.at(static_cast<std::size_t>(state));
}

base::Result<Phase> parse_phase(std::string_view text) {
  return internal::parse_name<Phase>(kPhases, text, "phase");
}

base::Result<PlanState> parse_plan_state(std::string_view text) {
  return internal::parse_name<PlanState>(kPlanStates, text, "state of a plan");
}

}  // namespace clever::model
