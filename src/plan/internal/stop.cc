#include "plan/internal/stop.h"

#include <algorithm>

#include "plan/decide.h"
#include "plan/internal/effect_data.h"
#include "plan/internal/execute.h"
#include "plan/internal/strategize.h"

namespace clever::plan {
namespace {

model::EffectId effect_of(const Command& command) {
  return std::visit(
      [](const auto& one) {
        if constexpr (requires { one.effect; }) return one.effect;
        return model::EffectId();
      },
      command);
}

}  // namespace

model::EffectId stopped_by(const State& state, const Command& command) {
  // Neither ends the effect.
  const bool goes_on =
      std::holds_alternative<AgentCharged>(command) || std::holds_alternative<AgentSaid>(command);
  if (goes_on) return {};
  const model::EffectId id = effect_of(command);
  const auto open = state.effects.find(id);
  return open != state.effects.end() && open->second.stopping ? id : model::EffectId();
}

void go_on_corrected(Draft& draft) {
  const State& state = draft.state();
  if (state.state != model::PlanState::kProcessing) return;
  if (state.phase == model::Phase::kExecute) return advance(draft);
  const bool thinks = state.phase == model::Phase::kStrategize && !own_work_is_open(state);
  if (thinks) begin_strategy(draft);
}

bool gives_way_to_words(const OpenEffect& effect) {
  if (effect.stopping) return false;
  if (effect.kind == EffectKind::kModel) return true;
  return effect.kind == EffectKind::kTools &&
         resume_rule(effect.kind, effect.data) != ResumeRule::kAsk;
}

bool takes_words_first(const State& state) {
  return !state.cancel_requested && std::ranges::any_of(state.effects, [](const auto& one) {
    return gives_way_to_words(one.second);
  });
}

}  // namespace clever::plan
