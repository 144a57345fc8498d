#include "plan/internal/refuse.h"

#include <algorithm>

#include "plan/internal/draft.h"
#include "plan/internal/moves.h"

namespace clever::plan {

base::Error refuse(const State& state, const std::string& why, const std::string& right) {
  return base::conflict("the plan is in " + to_string(Place{state.phase, state.state}) + ": " +
                        why + "; " + right);
}

base::Result<OpenEffect> open_effect(const State& state, const model::EffectId& id,
                                     std::initializer_list<EffectKind> kinds) {
  const auto open = state.effects.find(id);
  if (open == state.effects.end()) {
    return refuse(state, "effect " + id.to_string() + " is not open: it was settled before",
                  "its outcome counts once");
  }
  if (std::ranges::find(kinds, open->second.kind) == kinds.end()) {
    return base::invalid_argument("effect " + id.to_string() + " is a " +
                                  std::string(to_string(open->second.kind)) +
                                  ", which does not end like this");
  }
  return open->second;
}

std::string command_line(const State& state, const std::string& verb, const std::string& rest) {
  return "`agents plan " + verb + " " + state.id.to_string() + rest + "`";
}

base::Result<void> check_not_ended(const State& state) {
  if (!has_ended(state)) return {};
  const auto& above = state.settings.ancestors;
  const model::PlanId root = above.empty() ? state.parent : above.front();
  return refuse(state, "it is a subplan that has ended",
                "go on with the plan it belongs to: `agents plan resume " + root.to_string() +
                    "` or `agents plan prompt " + root.to_string() + " TEXT`");
}

}  // namespace clever::plan
