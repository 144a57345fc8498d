#include "plan/decide.h"

#include <type_traits>
#include <variant>

#include "base/check.h"
#include "plan/internal/stop.h"
#include "plan/internal/transitions.h"

namespace clever::plan {
namespace {

base::Result<Decided> decide_one(const State& state, const Command& command,
                                 const Circumstances& circumstances) {
  if (!state.exists() && !std::holds_alternative<Create>(command)) {
    return base::not_found("there is no plan " + state.id.to_string() +
                           "; `agents plan list` lists them");
  }
  if (stopped_by(state, command)) return transitions::stopped(state, command, circumstances);
  return std::visit(
      [&](const auto& one) { return transitions::transition(state, one, circumstances); }, command);
}

// In test builds, checks the plan's invariants after each decision.
void check_decided([[maybe_unused]] const Decided& decided) {
#if CLEVER_TEST_HOOKS
  const std::vector<std::string> broken = check_invariants(decided.state);
  CLEVER_CHECK(broken.empty(), broken.front());
#endif
}

}  // namespace

base::Result<Decided> decide(const State& state, const Command& command,
                             const Circumstances& circumstances) {
  auto decided = decide_one(state, command, circumstances);
  if (decided.ok()) check_decided(*decided);
  return decided;
}

}  // namespace clever::plan
