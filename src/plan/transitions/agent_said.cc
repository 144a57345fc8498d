#include "plan/internal/draft.h"
#include "plan/internal/refuse.h"
#include "plan/internal/talk.h"
#include "plan/internal/transitions.h"

namespace clever::plan::transitions {

base::Result<Decided> transition(const State& state, const AgentSaid& command,
                                 const Circumstances& circumstances) {
  CLEVER_TRY(
      open_effect(state, command.effect, {EffectKind::kActorWork, EffectKind::kActorStrategize}));
  Draft draft(state, circumstances);
  for (const model::Message& message : command.messages) {
    const bool answers = message.role == model::Role::kAssistant;
    draft.say(message, answers ? model::MessageWhy::kAnswer : model::MessageWhy::kResults);
  }
  compact(draft);
  return draft.finish();
}

}  // namespace clever::plan::transitions
