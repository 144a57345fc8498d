#include "model/budget_events.h"
#include "plan/internal/agent.h"
#include "plan/internal/draft.h"
#include "plan/internal/money.h"
#include "plan/internal/refuse.h"
#include "plan/internal/transitions.h"

namespace clever::plan::transitions {

base::Result<Decided> transition(const State& state, const AgentCharged& command,
                                 const Circumstances& circumstances) {
  CLEVER_ASSIGN(
      const OpenEffect effect,
      open_effect(state, command.effect, {EffectKind::kActorWork, EffectKind::kActorStrategize}));
  Draft draft(state, circumstances);
  if (!draft.may_spend() || effect.reservation == 0) return draft.finish();
  draft.add(model::BudgetSettled{effect.reservation, effect.scopes, effect.reserved, command.spent,
                                 true});
  record_agent_usage(draft, command);
  draft.add(model::BudgetReserved{budget_scopes(state, draft.now()), kAgentSlice, command.effect});
  return draft.finish();
}

}  // namespace clever::plan::transitions
