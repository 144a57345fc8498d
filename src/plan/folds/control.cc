#include <algorithm>
#include <iterator>

#include "model/control_events.h"
#include "plan/internal/folds.h"

namespace clever::plan::folds {

namespace {

Step* find_step(State& state, const std::string& id) {
  const auto found =
      std::ranges::find_if(state.steps, [&](const Step& step) { return step.definition.id == id; });
  return found == state.steps.end() ? nullptr : &*found;
}

// Guidance for the whole plan was added to the prompts; removes it there when it is taken back.
void unsay(State& state, const Guidance& words) {
  // Never removes the first prompt: that is the task.
  const auto said = std::find(state.prompts.rbegin(), std::prev(state.prompts.rend()), words.body);
  if (said != std::prev(state.prompts.rend())) state.prompts.erase(std::next(said).base());
  const auto pending = std::ranges::find(state.pending_prompts, words.body, &TranscriptEntry::body);
  if (pending != state.pending_prompts.end()) state.pending_prompts.erase(pending);
}

// A correction of a correction replaces its words.
void take_back(State& state, const model::DecisionId& correction) {
  const auto is_of_it = [&](const Guidance& words) { return words.correction == correction; };
  for (Step& step : state.steps) std::erase_if(step.guidance, is_of_it);
  for (const Guidance& words : state.guidance) {
    if (is_of_it(words)) unsay(state, words);
  }
  std::erase_if(state.guidance, is_of_it);
}

// For an added step the words are its task.
void guide(State& state, const model::PlanCorrected& corrected) {
  if (corrected.mode == model::CorrectionMode::kAppend) return;
  take_back(state, corrected.decision);
  const Guidance words{
      {model::Role::kUser, corrected.guidance, corrected.bytes, model::MessageWhy::kPrompt},
      corrected.id};
  if (!corrected.steps.empty()) {
    find_step(state, corrected.steps.front())->guidance.push_back(words);
    return;
  }
  state.guidance.push_back(words);
  state.prompts.push_back(corrected.guidance);
  state.pending_prompts.push_back(words);
}

}  // namespace

base::Result<void> plan_corrected(State& state, const model::StoredEvent& event) {
  CLEVER_ASSIGN(const model::PlanCorrected corrected, read<model::PlanCorrected>(state, event));
  if (corrected.number != state.corrections + 1) {
    return cannot_follow(state, event, "corrections are counted one by one");
  }
  for (std::size_t i = 0; i < corrected.steps.size(); ++i) {
    Step* step = find_step(state, corrected.steps[i]);
    if (step == nullptr) {
      return cannot_follow(state, event, "there is no step " + corrected.steps[i]);
    }
    step->decision = corrected.decisions[i];
  }
  if (corrected.effect) {
    const auto open = state.effects.find(corrected.effect);
    if (open == state.effects.end()) return cannot_follow(state, event, "the effect is not open");
    open->second.stopping = true;
  }
  guide(state, corrected);
  state.corrections = corrected.number;
  state.fixes = 0;
  return {};
}

base::Result<void> validations_ran(State& state, const model::StoredEvent& event) {
  CLEVER_ASSIGN(state.validation, read<model::ValidationsRan>(state, event));
  return {};
}

base::Result<void> approval_requested(State& state, const model::StoredEvent& event) {
  CLEVER_ASSIGN(model::ApprovalRequested asked, read<model::ApprovalRequested>(state, event));
  if (asked.number != state.approvals + 1) {
    return cannot_follow(state, event, "approvals are counted one by one");
  }
  state.approvals = asked.number;
  state.approval = std::move(asked);
  return {};
}

base::Result<void> approval_given(State& state, const model::StoredEvent& event) {
  CLEVER_ASSIGN(const model::ApprovalGiven given, read<model::ApprovalGiven>(state, event));
  if (!state.approval || state.approval->number != given.number) {
    return cannot_follow(state, event, "the plan does not wait for that approval");
  }
  // A new strategy replaces the rejected one.
  if (state.approval->subject == "strategy" && !given.rejected.empty()) {
    state.steps.clear();
    state.strategy_summary.clear();
    state.active.reset();
  }
  if (state.approval->subject == "agent") {
    for (const model::ApprovalItem& item : state.approval->items) {
      const bool allowed = std::ranges::find(given.rejected, item.id) == given.rejected.end();
      state.agent_answers.push_back({.id = item.id,
                                     .what = item.what,
                                     .allowed = allowed,
                                     .reason = allowed ? std::string() : given.reason});
    }
  }
  state.approval.reset();
  for (const std::string& rule : given.remembered) {
    state.settings.control.permissions.push_back(
        {.verdict = model::Verdict::kAllow, .pattern = rule, .origin = "what you said"});
  }
  return {};
}

}  // namespace clever::plan::folds
