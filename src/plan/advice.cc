#include "plan/advice.h"

#include <algorithm>

#include "plan/internal/changes.h"
#include "plan/internal/draft.h"
#include "plan/internal/refuse.h"
#include "plan/internal/validate.h"
#include "plan/who_works.h"

namespace clever::plan {
namespace {

using model::Phase;
using model::PlanState;

constexpr std::size_t kMostConflictsNamed = 20;

bool agrees_to_what_would_land(const State& plan) {
  const auto& digest = plan.changeset.digest;
  if (!plan.conflicts.empty() || (digest && is_nothing(*digest))) return false;
  return !digest || !plan.apply || plan.apply->digest == *digest;
}

bool can_resume(const State& plan) {
  return plan.phase != Phase::kApply || agrees_to_what_would_land(plan) || must_be_validated(plan);
}

bool can_apply(const State& plan) {
  const bool in_time = plan.phase == Phase::kApply || plan.state == PlanState::kComplete;
  const auto& digest = plan.changeset.digest;
  return in_time && !plan.parent && plan.conflicts.empty() && digest && !is_nothing(*digest) &&
         !validation_failed(plan);
}

// A person can edit a file with markers.
bool can_resolve(const State& plan) {
  return !plan.parent && plan.changeset.digest &&
         std::ranges::any_of(plan.conflicts, [](const model::OpenConflict& conflict) {
           return !conflict.marked.empty();
         });
}

bool is_possible(const State& plan, Verb verb) {
  using enum Verb;
  switch (verb) {
    case kResume:
      return can_resume(plan);
    case kReject:
      return plan.phase != Phase::kStrategize || uses_model_now(plan);
    case kPrompt:
      return plan.settings.takes_words();
    case kApply:
    case kApplyRemerged:
      return can_apply(plan);
    case kResolve:
      return can_resolve(plan);
    case kDiff:
      return plan.base && plan.base->tree != plan.tree;
    case kSalvage:
      return left_work(plan);
    default:
      return true;
  }
}

std::vector<Verb> while_waiting(const State& plan) {
  using enum Verb;
  if (plan.waiting == Waiting::kBudget) return {kRaiseBudget, kResume, kCancel};
  if (plan.waiting == Waiting::kAnswer) return {kPrompt, kResume, kCancel};
  if (plan.approval) return {kTree, kApprove, kReject, kCancel};
  if (can_resume(plan)) return {kTree, kResume, kCancel};
  return {kDiff, kApply, kPrompt, kCancel};
}

std::vector<Verb> when_errored(const State& plan) {
  using enum Verb;
  if (can_resume(plan)) return {kResume, kErrors, kPrompt};
  return {kErrors, kDiff, kApply, kPrompt, kCancel};
}

std::vector<Verb> when_constrained(const State& plan) {
  using enum Verb;
  if (validation_failed(plan)) return {kPrompt, kResume, kDiff, kCancel};
  if (plan.applied && !plan.applied->moved_on.empty()) {
    return {kDiff, kApplyRemerged, kPrompt, kCancel};
  }
  return {kResolve, kDiff, kApply, kPrompt, kCancel};
}

std::vector<Verb> verbs_for(const State& plan) {
  using enum Verb;
  switch (plan.state) {
    case PlanState::kQueued:
      if (plan.is_at_rest()) return {kResume, kPrompt, kCancel};
      return {kWatch, kCancel};
    case PlanState::kProcessing:
    case PlanState::kCancelling:
      return {kWatch, kCancel};
    case PlanState::kWaiting:
      return while_waiting(plan);
    case PlanState::kErrored:
      return when_errored(plan);
    case PlanState::kConstrained:
      return when_constrained(plan);
    case PlanState::kApplied:
      return plan.undone ? std::vector<Verb>{kApply, kPrompt} : std::vector<Verb>{kUndo};
    case PlanState::kComplete:
      if (plan.has_unfinished_steps()) return {kResolve, kDiff, kApply, kResume, kPrompt};
      return {kResolve, kDiff, kApply, kPrompt};
    case PlanState::kCancelled:
      return {kSalvage};
  }
  return {};
}

}  // namespace

std::vector<Advice> advice(const State& plan) {
  using enum Verb;
  if (has_ended(plan)) return {{kStatus, root_of(plan)}};
  if (const Step* step = waiting_step(plan)) {
    return {{kStatus, step->child}, {kResume, step->child}, {kCancel, plan.id}};
  }
  std::vector<Advice> all;
  for (const Verb verb : verbs_for(plan)) {
    if (!is_possible(plan, verb)) continue;
    all.push_back({verb, verb == kRaiseBudget ? root_of(plan) : plan.id});
  }
  return all;
}

std::string open_conflicts(const State& plan) {
  if (plan.conflicts.empty()) return {};
  std::string text;
  for (std::size_t i = 0; i < plan.conflicts.size() && i < kMostConflictsNamed; ++i) {
    const model::OpenConflict& conflict = plan.conflicts[i];
    text += (i == 0 ? "open conflicts: " : ", ") + conflict.path + " (" + conflict.kind + ")";
  }
  if (plan.conflicts.size() > kMostConflictsNamed) {
    text += " and " + std::to_string(plan.conflicts.size() - kMostConflictsNamed) + " more";
  }
  std::string ways;
  if (can_resolve(plan)) {
    ways = "`agents diff --edit " + plan.id.to_string() + "` resolves them by hand";
  }
  if (plan.settings.takes_words()) {
    ways += (ways.empty() ? "" : ", ") + command_line(plan, "prompt", " TEXT") +
            " asks the plan to resolve them";
  }
  return text + "; " + (ways.empty() ? command_line(plan, "cancel") + " cancels it" : ways);
}

bool left_work(const State& plan) noexcept {
  if (!plan.base) return false;
  return plan.base->tree != plan.tree || std::ranges::any_of(plan.steps, [](const Step& step) {
           return step.state == model::StepState::kDone && !step.merged && step.files > 0;
         });
}

const Step* waiting_step(const State& plan) noexcept {
  if (plan.state != PlanState::kProcessing || !plan.is_at_rest()) return nullptr;
  const auto found =
      std::ranges::find_if(plan.steps, [](const Step& step) { return !step.waits.empty(); });
  return found == plan.steps.end() ? nullptr : &*found;
}

}  // namespace clever::plan
