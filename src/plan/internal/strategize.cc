#include "plan/internal/strategize.h"

#include <algorithm>

#include "model/automation.h"
#include "model/decision_events.h"
#include "plan/internal/agent.h"
#include "plan/internal/approval.h"
#include "plan/internal/enforce.h"
#include "plan/internal/execute.h"
#include "plan/internal/talk.h"
#include "plan/internal/words.h"
#include "plan/who_works.h"

namespace clever::plan {
namespace {

using model::Phase;
using model::PlanState;

bool wants_approval(const State& state, const model::Strategy& strategy) {
  if (state.settings.direct) return false;
  const model::Automation automation = model::automation_of(state.settings);
  if (!state.parent) return model::asks(automation.strategy, strategy.confidence);
  // A subplan's strategy is one decision of the whole. Earlier releases never asked for approval.
  const bool is_said = state.settings.control != model::Control();
  return is_said && model::asks(automation.decision, strategy.confidence);
}

// The decision to go back after an error stays for the life of the plan.
bool outlives_strategy(const State& state, const HeldDecision& decision) {
  return decision.id == state.root_decision ||
         (decision.kind == model::DecisionKind::kErrorRecovery &&
          decision.parent == state.root_decision);
}

model::DecisionId record_choice(Draft& draft, const model::Strategy& strategy) {
  const auto id = draft.make_id<model::DecisionId>();
  draft.add(model::DecisionRecorded{.id = id,
                                    .parent = draft.state().root_decision,
                                    .kind = model::DecisionKind::kStrategyChoice,
                                    .question = "How is the task to be carried out?",
                                    .chosen = strategy.summary,
                                    .alternatives = strategy.alternatives,
                                    .confidence = strategy.confidence,
                                    .rationale = strategy.rationale,
                                    .context = draft.state().context});
  return id;
}

// The base, or the work of another plan that this one started with. Work in conflict is not begun
// with again: which of its conflicts were open is forgotten.
const std::string& start_tree(const State& state) {
  const auto taken = std::ranges::find(state.checkpoints, kTakenOver, &State::Checkpoint::why);
  return taken == state.checkpoints.end() ? state.base->tree : taken->tree;
}

}  // namespace

model::DecisionId record_step(Draft& draft, const model::StrategyStep& step,
                              const model::DecisionId& parent) {
  const bool is_subplan = step.mode == model::StepMode::kSubplan;
  const auto id = draft.make_id<model::DecisionId>();
  draft.add(model::DecisionRecorded{
      .id = id,
      .parent = parent,
      .kind = is_subplan ? model::DecisionKind::kSubplanSpawn
                         : model::DecisionKind::kImplementationChoice,
      .question = "Who does step " + step.id + "?",
      .chosen = (is_subplan ? "a subplan: " : "the plan itself: ") + step.title,
      .context = draft.state().context});
  return id;
}

void begin_strategy(Draft& draft) {
  if (draft.state().settings.direct) return accept(draft, whole_task(draft.state()));
  think(draft);
}

void think(Draft& draft) {
  if (!uses_model_now(draft.state())) {
    if (is_by_agent(draft.state(), EffectKind::kActorStrategize))
      return start_agent_strategy(draft);
    draft.request(EffectKind::kActorStrategize);
    return;
  }
  if (draft.state().transcript.empty()) {
    draft.say(words::strategize(draft.state()), model::MessageWhy::kStep);
  }
  ask(draft);
}

model::Strategy whole_task(const State& state, std::string detail) {
  return {.summary = state.title,
          .steps = {{.id = "task",
                     .title = state.title,
                     .detail = std::move(detail),
                     .depends_on = std::vector<std::string>()}}};
}

void accept(Draft& draft, const model::Strategy& strategy) {
  model::StrategyAccepted accepted{.strategy = strategy.normalised()};
  accepted.decision = record_choice(draft, strategy);
  for (const model::StrategyStep& step : accepted.strategy.steps) {
    accepted.step_decisions.push_back(record_step(draft, step, accepted.decision));
  }
  draft.add(accepted);
  draft.move(Phase::kStrategize, PlanState::kComplete);
  if (wants_approval(draft.state(), strategy)) {
    return ask_about_strategy(draft);
  }
  begin_execute(draft);
}

void revert(Draft& draft, const std::string& why) {
  model::DecisionSuperseded superseded;
  for (const HeldDecision& one : draft.state().decisions) {
    if (!outlives_strategy(draft.state(), one)) superseded.ids.push_back(one.id);
  }
  draft.add(superseded);
  draft.add(model::DecisionRecorded{.id = draft.make_id<model::DecisionId>(),
                                    .parent = draft.state().root_decision,
                                    .kind = model::DecisionKind::kReversion,
                                    .question = why,
                                    .chosen = "back to strategize",
                                    .context = draft.state().context});
  draft.add(model::WorkMoved{.tree = start_tree(draft.state()), .why = "revert"});
  draft.forget_conversation();
  draft.move(Phase::kStrategize, PlanState::kProcessing, why);
  enforce_invariants(draft);
  think(draft);
}

}  // namespace clever::plan
