#include "model/plan_events.h"
#include "plan/internal/folds.h"
#include "plan/internal/moves.h"

namespace clever::plan::folds {
namespace {

base::Result<Waiting> waiting_of(const State& state, const model::StoredEvent& event,
                                 const model::PlanMoved& moved) {
  if (moved.state != model::PlanState::kWaiting) return Waiting::kNothing;
  if (moved.waits_for == "approval") return Waiting::kApproval;
  if (moved.waits_for == "budget" || moved.waits_for == "room") return Waiting::kBudget;
  if (moved.waits_for == "answer") return Waiting::kAnswer;
  if (moved.waits_for == "person" || moved.waits_for.empty()) return Waiting::kPerson;
  return cannot_follow(state, event, "'" + moved.waits_for + "' is not a reason to wait");
}

// A reversion continues at once. A person's correction begins with strategize/queued, and does not
// count as a reversion.
void begin_anew(State& state, const model::PlanMoved& moved) {
  const bool corrected = moved.state == model::PlanState::kQueued;
  if (!corrected && state.phase != model::Phase::kExecute) return;
  if (!corrected) ++state.reversions;
  state.fixes = 0;
  state.steps.clear();
  state.strategy_summary.clear();
  state.active.reset();
}

}  // namespace

base::Result<void> plan_created(State& state, const model::StoredEvent& event) {
  if (state.exists()) return cannot_follow(state, event, "a plan is created once");
  CLEVER_ASSIGN(model::PlanCreated created, read<model::PlanCreated>(state, event));
  state.id = event.plan;
  state.parent = created.parent;
  state.title = std::move(created.title);
  state.action = std::move(created.action);
  state.project = std::move(created.project);
  state.phase = created.phase;
  state.state = created.state;
  state.created = event.time;
  return {};
}

base::Result<void> plan_configured(State& state, const model::StoredEvent& event) {
  CLEVER_ASSIGN(model::PlanConfigured configured, read<model::PlanConfigured>(state, event));
  state.settings = std::move(configured.settings);
  return {};
}

// The task is not part of the conversation: every turn takes it from the list of prompts.
base::Result<void> plan_prompted(State& state, const model::StoredEvent& event) {
  CLEVER_ASSIGN(model::PlanPrompted prompted, read<model::PlanPrompted>(state, event));
  if (!state.prompts.empty()) {
    state.pending_prompts.push_back(
        {model::Role::kUser, prompted.body, prompted.bytes, model::MessageWhy::kPrompt});
  }
  state.prompts.push_back(prompted.body);
  state.fixes = 0;
  if (prompted.terms) {
    if (!state.settings.strategy_terms.model.empty()) {
      state.settings.strategy_terms = *prompted.terms;
    }
    state.settings.terms = std::move(*prompted.terms);
  }
  return {};
}

base::Result<void> plan_moved(State& state, const model::StoredEvent& event) {
  CLEVER_ASSIGN(model::PlanMoved moved, read<model::PlanMoved>(state, event));
  const Place from{state.phase, state.state};
  const Place to{moved.phase, moved.state};
  if (!may_move(from, to)) {
    return cannot_follow(state, event, to_string(from) + " does not lead to " + to_string(to));
  }
  CLEVER_ASSIGN(state.waiting, waiting_of(state, event, moved));
  state.room_may_come = moved.waits_for == "room";
  // The question is answered, or no longer matters.
  if (state.waiting != Waiting::kApproval) {
    state.approval.reset();
    state.held.reset();
  }
  if (moved.phase == model::Phase::kStrategize) begin_anew(state, moved);
  if (moved.state == model::PlanState::kCancelling) state.cancel_requested = true;
  state.phase = moved.phase;
  state.state = moved.state;
  state.reason = std::move(moved.reason);
  return {};
}

}  // namespace clever::plan::folds
