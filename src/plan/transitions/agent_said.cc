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
  for (const AgentTurn& turn : command.turns) {
    draft.say(turn.answer, model::MessageWhy::kAnswer);
    if (turn.calls.empty()) continue;
    draft.add(model::ToolsRecorded{.effect = command.effect, .calls = turn.calls});
    draft.say(turn.results, model::MessageWhy::kResults);
  }
  compact(draft);
  return draft.finish();
}

}  // namespace clever::plan::transitions
