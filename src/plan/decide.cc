#include "plan/decide.h"

#include <type_traits>
#include <variant>

#include "plan/internal/stop.h"
#include "plan/internal/transitions.h"

namespace clever::plan {

base::Result<Decided> decide(const State& state, const Command& command,
                             const Circumstances& circumstances) {
  if (!state.exists() && !std::holds_alternative<Create>(command)) {
    return base::not_found("there is no plan " + state.id.to_string() +
                           "; `agents plan list` shows those there are");
  }
  if (stopped_by(state, command)) return transitions::stopped(state, command, circumstances);
  return std::visit(
      [&](const auto& one) { return transitions::transition(state, one, circumstances); }, command);
}

}  // namespace clever::plan
