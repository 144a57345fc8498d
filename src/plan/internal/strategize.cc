#include "plan/internal/strategize.h"

#include "model/decision_events.h"
#include "plan/internal/execute.h"
#include "plan/internal/talk.h"
#include "plan/internal/words.h"

namespace clever::plan {
namespace {

using model::Phase;
using model::PlanState;

constexpr double kEnoughConfidence = 0.8;

bool wants_approval(const State& state, const model::Strategy& strategy) {
  if (state.parent || state.settings.direct) return false;
  const std::string& profile = state.settings.profile;
  if (profile == "manual" || profile == "review") return true;
  return profile == "cautious" && strategy.confidence.value_or(1) < kEnoughConfidence;
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

}  // namespace

void think(Draft& draft) {
  if (!draft.state().settings.uses_model) {
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
    draft.move(PlanState::kWaiting,
               "the strategy waits for approval: `agents plan resume " +
                   draft.state().id.to_string() + "` approves it",
               "approval");
    return;
  }
  begin_execute(draft);
}

void revert(Draft& draft, const std::string& why) {
  model::DecisionSuperseded superseded;
  for (const auto& [id, sequence] : draft.state().decisions) {
    if (id != draft.state().root_decision) superseded.ids.push_back(id);
  }
  draft.add(superseded);
  draft.add(model::DecisionRecorded{.id = draft.make_id<model::DecisionId>(),
                                    .parent = draft.state().root_decision,
                                    .kind = model::DecisionKind::kReversion,
                                    .question = why,
                                    .chosen = "back to strategize",
                                    .context = draft.state().context});
  draft.add(model::WorkMoved{.tree = draft.state().base->tree, .why = "revert"});
  draft.forget_conversation();
  draft.move(Phase::kStrategize, PlanState::kProcessing, why);
  think(draft);
}

}  // namespace clever::plan
