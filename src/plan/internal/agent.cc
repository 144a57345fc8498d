#include "plan/internal/agent.h"

#include <algorithm>
#include <utility>

#include "model/budget_events.h"
#include "plan/internal/effect_data.h"
#include "plan/internal/money.h"
#include "plan/internal/talk.h"

namespace clever::plan {

namespace {

void start_slice(Draft& draft, EffectKind kind, std::string data) {
  if (!draft.may_spend()) return draft.wait_for_money();
  take_prompts(draft);
  const auto id = draft.make_id<model::EffectId>();
  draft.add(model::BudgetReserved{budget_scopes(draft.state(), draft.now()), kAgentSlice, id});
  draft.request(id, kind, std::move(data));
}

}  // namespace

bool is_by_agent(const State& state, EffectKind kind) {
  return (kind == EffectKind::kActorWork && state.settings.uses_agent) ||
         (kind == EffectKind::kActorStrategize && state.settings.strategy_uses_agent);
}

void start_agent_strategy(Draft& draft) { start_slice(draft, EffectKind::kActorStrategize, "{}"); }

void start_agent(Draft& draft, const std::string& step) {
  start_slice(draft, EffectKind::kActorWork, step_data(step));
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
