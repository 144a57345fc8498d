#include "plan/internal/failure.h"

#include <algorithm>

#include "model/automation.h"
#include "model/decision_events.h"
#include "plan/internal/approval.h"
#include "plan/internal/effect_data.h"
#include "plan/internal/refuse.h"
#include "plan/internal/strategize.h"
#include "plan/internal/talk.h"
#include "plan/internal/words.h"
#include "plan/who_works.h"

namespace clever::plan {
namespace {

using model::Recovery;

// The longest wait that a provider may ask for.
constexpr std::chrono::milliseconds kLongestWait = std::chrono::hours(1);
// The longest excerpt of an error's message in the decision about it.
constexpr std::size_t kLongestQuestion = 300;

// A subplan that gives up has ended: only its parent can still be resumed.
std::string id_for_hint(const State& state, Recovery recovery) {
  const bool ends = state.parent && recovery == Recovery::kGiveUp;
  return (ends ? root_of(state) : state.id).to_string();
}

std::string hint_of(const State& state, const RecoveryPolicy& policy, Recovery recovery) {
  std::string hint(policy.hint);
  if (uses_model_now(state)) hint += policy.guidance;
  const std::string id = id_for_hint(state, recovery);
  constexpr std::string_view kPlace = "{plan}";
  for (std::size_t at = hint.find(kPlace); at != std::string::npos; at = hint.find(kPlace, at)) {
    hint.replace(at, kPlace.size(), id);
  }
  return hint;
}

std::chrono::milliseconds delay_of(const RecoveryPolicy& policy, std::int64_t retry,
                                   const Failure& failure) {
  std::chrono::milliseconds delay = policy.first_delay;
  for (std::int64_t i = 1; i < retry && delay < policy.longest_delay; ++i) delay *= 2;
  delay = std::min(delay, policy.longest_delay);
  if (!failure.retry_after) return delay;
  return std::clamp(*failure.retry_after, delay, std::max(delay, kLongestWait));
}

// Going back needs a strategy that can be replaced, and no running work.
bool can_revert(const State& state) {
  return state.phase == model::Phase::kExecute && state.state == model::PlanState::kProcessing &&
         !state.settings.direct && state.settings.uses_model_for(true) && state.effects.empty() &&
         state.reversions < kMostReversions;
}

RecoveryDecision decide_recovery(const State& state, const Failure& failure) {
  const RecoveryPolicy& policy = recovery_policy(failure.category);
  const std::int64_t used = state.retries.at(static_cast<std::size_t>(failure.category));
  RecoveryDecision decision{.number = state.errors + 1, .recovery = policy.then};
  if (!failure.lasts && used < policy.retries) {
    decision.recovery = Recovery::kRetry;
    decision.retry = used + 1;
    decision.after = delay_of(policy, decision.retry, failure);
  } else if (policy.then == Recovery::kRevert && !failure.then.empty() && !can_revert(state)) {
    decision.recovery = Recovery::kGiveUp;
  }
  decision.hint = hint_of(state, policy, decision.recovery);
  return decision;
}

void complete_exchange(Draft& draft, const Failure& failure) {
  if (failure.then != to_string(EffectKind::kTools)) return;
  draft.say(
      failed_results(read_tools(failure.data), "this call could not be run: " + failure.message),
      model::MessageWhy::kResults);
}

void retry_later(Draft& draft, const Failure& failure, const RecoveryDecision& decision) {
  draft.request(EffectKind::kTimer, timer_data({.due = draft.now() + decision.after,
                                                .then = failure.then,
                                                .data = failure.data}));
}

void stop(Draft& draft, const Failure& failure, const RecoveryDecision& decision) {
  complete_exchange(draft, failure);
  const std::string reason = failure.message + "; " + decision.hint;
  if (decision.recovery == Recovery::kAsk) {
    draft.move(model::PlanState::kWaiting, reason, "person");
  } else {
    draft.move(model::PlanState::kErrored, reason);
  }
}

void go_back(Draft& draft, const Failure& failure) {
  if (!model::asks(model::automation_of(draft.state().settings).reversion)) {
    return revert(draft, failure.message);
  }
  complete_exchange(draft, failure);
  ask_about_reversion(draft, failure.message);
}

// "try again (2 of 6)"
std::string words_of(const RecoveryPolicy& policy, const RecoveryDecision& decision) {
  switch (decision.recovery) {
    case Recovery::kRetry:
      return "try again (" + std::to_string(decision.retry) + " of " +
             std::to_string(policy.retries) + ")";
    case Recovery::kFallback:
      return "use the fallback";
    case Recovery::kAsk:
      return "ask a person";
    case Recovery::kRevert:
      return "go back to the strategy";
    case Recovery::kGiveUp:
      return "give up";
  }
  return {};
}

// The parent of the decision: where the error occurred. The decision to go back to the strategy
// outlives that strategy.
model::DecisionId parent_of(const State& state, Recovery recovery) {
  return recovery == Recovery::kRevert ? state.root_decision : state.decision;
}

// Records the error, and the recovery as a node of the plan's tree.
RecoveryDecision record(Draft& draft, const Failure& failure, const RecoveryDecision& decision) {
  draft.add(model::ErrorRecorded{.number = decision.number,
                                 .category = failure.category,
                                 .message = failure.message,
                                 .effect = failure.effect,
                                 .recovery = decision.recovery,
                                 .after = decision.after,
                                 .retry = decision.retry,
                                 .hint = decision.hint});
  const std::string category(to_string(failure.category));
  draft.add(model::DecisionRecorded{
      .id = draft.make_id<model::DecisionId>(),
      .parent = parent_of(draft.state(), decision.recovery),
      .kind = model::DecisionKind::kErrorRecovery,
      .question = "What follows from error " + std::to_string(decision.number) + ", " + category +
                  ": " + words::beginning(failure.message, kLongestQuestion) + "?",
      .chosen = category + ": " + words_of(recovery_policy(failure.category), decision)});
  return decision;
}

}  // namespace

RecoveryDecision fail(Draft& draft, const Failure& failure) {
  const RecoveryDecision decision = record(draft, failure, decide_recovery(draft.state(), failure));
  if (failure.then.empty()) return decision;
  switch (decision.recovery) {
    case Recovery::kRetry:
      retry_later(draft, failure, decision);
      break;
    case Recovery::kRevert:
      go_back(draft, failure);
      break;
    case Recovery::kAsk:
    case Recovery::kFallback:
    case Recovery::kGiveUp:
      stop(draft, failure, decision);
      break;
  }
  return decision;
}

RecoveryDecision note(Draft& draft, const Failure& failure) {
  return record(draft, failure, {.number = draft.state().errors + 1});
}

RecoveryDecision give_up(Draft& draft, const Failure& failure) {
  RecoveryDecision decision{
      .number = draft.state().errors + 1,
      .hint = hint_of(draft.state(), recovery_policy(failure.category), Recovery::kGiveUp)};
  record(draft, failure, decision);
  stop(draft, failure, decision);
  return decision;
}

}  // namespace clever::plan
