#include <algorithm>

#include "model/work_events.h"
#include "plan/internal/folds.h"

namespace clever::plan::folds {
namespace {

Step fresh(model::StrategyStep definition, const model::DecisionId& decision) {
  Step step;
  step.definition = std::move(definition);
  step.decision = decision;
  return step;
}

void follow_active(State& state, std::size_t index, const Step& step) {
  if (step.definition.mode == model::StepMode::kSubplan) return;
  if (step.state == model::StepState::kRunning) {
    state.active = index;
    state.calls_in_step = 0;
    if (step.decision) state.decision = step.decision;
  } else if (state.active == index) {
    state.active.reset();
  }
}

}  // namespace

base::Result<void> strategy_accepted(State& state, const model::StoredEvent& event) {
  CLEVER_ASSIGN(model::StrategyAccepted accepted, read<model::StrategyAccepted>(state, event));
  state.strategy_summary = std::move(accepted.strategy.summary);
  state.strategy_decision = accepted.decision;
  if (accepted.decision) state.decision = accepted.decision;
  state.steps.clear();
  state.active.reset();
  state.reminders = 0;
  state.calls_in_step = 0;
  for (std::size_t i = 0; i < accepted.strategy.steps.size(); ++i) {
    const bool known = i < accepted.step_decisions.size();
    state.steps.push_back(fresh(std::move(accepted.strategy.steps[i]),
                                known ? accepted.step_decisions[i] : model::DecisionId()));
  }
  return {};
}

base::Result<void> step_added(State& state, const model::StoredEvent& event) {
  CLEVER_ASSIGN(model::StepAdded added, read<model::StepAdded>(state, event));
  if (std::ranges::any_of(state.steps,
                          [&](const Step& step) { return step.definition.id == added.step.id; })) {
    return cannot_follow(state, event, "a step with that id exists");
  }
  // Failed validations are handed back as a step.
  if (added.step.id.starts_with("fix-")) ++state.fixes;
  if (!added.step.depends_on) added.step.depends_on.emplace();
  state.steps.push_back(fresh(std::move(added.step), added.decision));
  return {};
}

base::Result<void> step_moved(State& state, const model::StoredEvent& event) {
  CLEVER_ASSIGN(model::StepMoved moved, read<model::StepMoved>(state, event));
  const auto found = std::ranges::find_if(
      state.steps, [&](const Step& step) { return step.definition.id == moved.step; });
  if (found == state.steps.end()) {
    return cannot_follow(state, event, "there is no step " + moved.step);
  }
  found->state = moved.state;
  found->child = moved.child;
  found->attempt = moved.attempt;
  found->base = std::move(moved.base);
  found->tree = std::move(moved.tree);
  found->reads = std::move(moved.reads);
  found->summary = std::move(moved.summary);
  found->waits = std::move(moved.waits);
  found->files = moved.files;
  found->moved_at = event.sequence;
  // The plan's tree has the work of its own steps already.
  found->merged =
      moved.state == model::StepState::kDone && found->definition.mode == model::StepMode::kInline;
  found->merged_at = found->merged ? event.sequence : 0;
  follow_active(state, static_cast<std::size_t>(found - state.steps.begin()), *found);
  return {};
}

}  // namespace clever::plan::folds
