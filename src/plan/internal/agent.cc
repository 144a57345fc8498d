#include "plan/internal/agent.h"

#include <algorithm>

#include "model/budget_events.h"
#include "plan/internal/effect_data.h"
#include "plan/internal/money.h"
#include "plan/internal/talk.h"

namespace clever::plan {

void start_agent(Draft& draft, const std::string& step) {
  if (!draft.may_spend()) return draft.wait_for_money();
  take_prompts(draft);
  const auto id = draft.make_id<model::EffectId>();
  draft.add(model::BudgetReserved{budget_scopes(draft.state(), draft.now()), kAgentSlice, id});
  draft.request(id, EffectKind::kActorWork, step_data(step));
}

void record_agent_usage(Draft& draft, const AgentCharged& used) {
  if (used.input_tokens <= 0 && used.output_tokens <= 0 && used.spent == model::Cost()) return;
  draft.add(model::ModelAnswered{.effect = used.effect,
                                 .model = used.model,
                                 .input_tokens = std::max<std::int64_t>(used.input_tokens, 0),
                                 .output_tokens = std::max<std::int64_t>(used.output_tokens, 0),
                                 .cost = std::max<std::int64_t>(used.spent.money, 0)});
}

}  // namespace clever::plan
