#include "plan/internal/agent.h"
#include "plan/internal/draft.h"
#include "plan/internal/effect_data.h"
#include "plan/internal/execute.h"
#include "plan/internal/failure.h"
#include "plan/internal/go_on.h"
#include "plan/internal/refuse.h"
#include "plan/internal/strategize.h"
#include "plan/internal/talk.h"
#include "plan/internal/transitions.h"

namespace clever::plan::transitions {
namespace {

void begin_anew(Draft& draft) {
  if (draft.state().phase == model::Phase::kExecute) return restart_step(draft);
  draft.forget_conversation();
  think(draft);
}

void then(Draft& draft, const TimerData& timer) {
  if (timer.then == kWholeStep) return begin_anew(draft);
  const auto kind = effect_kind_from_string(timer.then);
  if (kind == EffectKind::kModel) return ask(draft);
  if (kind && is_by_agent(draft.state(), *kind)) {
    return *kind == EffectKind::kActorWork ? start_agent(draft, step_of(timer.data))
                                           : start_agent_strategy(draft);
  }
  if (kind) draft.request(*kind, timer.data);
}

}  // namespace

base::Result<Decided> transition(const State& state, const TimerFired& command,
                                 const Circumstances& circumstances) {
  CLEVER_ASSIGN(const OpenEffect effect, open_effect(state, command.effect, {EffectKind::kTimer}));
  Draft draft(state, circumstances);
  draft.settle(command.effect, "done");
  if (finish_cancel(draft)) return draft.finish();
  then(draft, read_timer(effect.data));
  return draft.finish();
}

}  // namespace clever::plan::transitions
