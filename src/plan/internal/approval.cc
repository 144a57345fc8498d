#include "plan/internal/approval.h"

#include <algorithm>
#include <map>

#include "model/automation.h"
#include "model/decision_events.h"
#include "plan/internal/changes.h"
#include "plan/internal/execute.h"
#include "plan/internal/refuse.h"
#include "plan/internal/strategize.h"
#include "plan/internal/talk.h"
#include "plan/internal/words.h"
#include "plan/who_works.h"

namespace clever::plan {
namespace {

using model::ApprovalItem;
using model::PlanState;
using model::Verdict;

constexpr std::size_t kLongestReason = 1'000;

bool contains(const std::vector<std::string>& texts, const std::string& text) {
  return std::ranges::find(texts, text) != texts.end();
}

// Calls without a verdict need approval, unless no call has one.
CallVerdict verdict_at(const Answered& answer, std::size_t index) {
  if (answer.verdicts.empty()) return {};
  if (index < answer.verdicts.size()) return answer.verdicts[index];
  return {.verdict = Verdict::kAsk, .why = "nothing is known about this call"};
}

// The id of each call; duplicates get a number.
std::vector<std::string> call_names(const ToolsData& tools) {
  std::vector<std::string> names;
  std::map<std::string, int> seen;
  for (const ToolsData::Call& call : tools.calls) {
    const int number = ++seen[call.id];
    names.push_back(number == 1 && !call.id.empty() ? call.id
                                                    : call.id + "#" + std::to_string(number));
  }
  return names;
}

std::string because(const std::string& reason) {
  return "not run: a person rejected it" +
         (reason.empty() ? std::string() : ": " + words::beginning(reason, kLongestReason));
}

void reject_calls(ToolsData& tools, const std::vector<std::string>& rejected,
                  const std::string& reason) {
  const std::vector<std::string> names = call_names(tools);
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (contains(rejected, names[i])) tools.calls[i].refused = because(reason);
  }
}

// Requests the effect and sets it aside in one transaction, so that no process starts it and the
// journal records the held calls.
void put_aside(Draft& draft, const ToolsData& tools) {
  const model::EffectId id = draft.request(EffectKind::kTools, tools_data(tools));
  draft.settle(id, "held");
}

void ask(Draft& draft, std::string_view subject, std::vector<ApprovalItem> items) {
  model::ApprovalRequested request{.number = draft.state().approvals + 1,
                                   .subject = std::string(subject),
                                   .items = std::move(items)};
  const auto within = draft.state().settings.control.answer_within;
  if (within.count() > 0) request.expires = draft.now() + within;
  draft.add(request);
}

std::string how_to_answer(const State& state) {
  const bool can_be_other = state.phase != model::Phase::kStrategize || uses_model_now(state);
  return command_line(state, "approve") + " allows it, " +
         (can_be_other ? command_line(state, "reject") + " does not"
                       : command_line(state, "cancel") + " cancels it");
}

void wait_for_calls(Draft& draft) {
  const auto& items = draft.state().approval->items;
  std::string text = items.front().what + " waits for approval";
  if (items.size() > 1) {
    text =
        std::to_string(items.size()) + " calls wait for approval, the first: " + items.front().what;
  }
  if (!items.front().why.empty()) text += " (" + items.front().why + ")";
  draft.move(PlanState::kWaiting, text + "; " + how_to_answer(draft.state()), "approval");
}

void run_held(Draft& draft, const ToolsData& tools) {
  draft.move(PlanState::kProcessing);
  if (draft.state().phase != model::Phase::kExecute) {
    draft.request(EffectKind::kTools, tools_data(tools));
    return;
  }
  open_changeset(draft);
  draft.request(EffectKind::kTools, tools_data(tools));
  advance(draft);
}

void supersede_strategy(Draft& draft) {
  model::DecisionSuperseded superseded;
  const State& state = draft.state();
  for (const HeldDecision& one : state.decisions) {
    const bool of_strategy = one.id == state.strategy_decision ||
                             (one.parent == state.strategy_decision && state.strategy_decision);
    if (of_strategy) superseded.ids.push_back(one.id);
  }
  if (!superseded.ids.empty()) draft.add(superseded);
}

// Asks for another strategy in the same conversation.
void think_again(Draft& draft, const std::string& reason) {
  const std::string said = words::beginning(reason, kLongestReason);
  draft.add(model::DecisionRecorded{.id = draft.make_id<model::DecisionId>(),
                                    .parent = draft.state().root_decision,
                                    .kind = model::DecisionKind::kUserIntervention,
                                    .question = "Is the strategy to be carried out?",
                                    .chosen = said.empty() ? "no" : "no: " + said});
  draft.move(PlanState::kProcessing);
  if (!draft.state().transcript.empty()) {
    draft.say("A person rejected this strategy" + (said.empty() ? "." : ": " + said) +
                  "\n\nWork out another one, and call submit_strategy again.",
              model::MessageWhy::kStep);
  }
  think(draft);
}

}  // namespace

void refuse_calls(const State& state, const Answered& answer, ToolsData& tools) {
  const std::int64_t most = state.settings.control.guards.calls_per_step;
  std::int64_t allowed = most - state.calls_in_step;
  for (std::size_t i = 0; i < tools.calls.size(); ++i) {
    const CallVerdict verdict = verdict_at(answer, i);
    if (verdict.verdict == Verdict::kDeny) {
      tools.calls[i].refused = "not run: " + (verdict.why.empty() ? "it is denied" : verdict.why);
    } else if (most > 0 && allowed-- <= 0) {
      tools.calls[i].refused = "not run: a step may make " + std::to_string(most) +
                               " tool calls, and this one has; end it in words";
    }
  }
}

std::vector<ApprovalItem> asked_about(const Answered& answer, const ToolsData& tools) {
  std::vector<ApprovalItem> items;
  const std::vector<std::string> names = call_names(tools);
  for (std::size_t i = 0; i < tools.calls.size(); ++i) {
    CallVerdict verdict = verdict_at(answer, i);
    if (verdict.verdict != Verdict::kAsk || !tools.calls[i].refused.empty()) continue;
    if (verdict.shown.empty()) verdict.shown = tools.calls[i].name;
    items.push_back({.id = names[i],
                     .what = words::beginning(verdict.shown, kLongestReason),
                     .why = words::beginning(verdict.why, kLongestReason)});
  }
  return items;
}

void hold_tools(Draft& draft, const ToolsData& tools, std::vector<ApprovalItem> items) {
  put_aside(draft, tools);
  ask(draft, kToolsSubject, std::move(items));
  wait_for_calls(draft);
}

void ask_about_agent(Draft& draft, std::vector<ApprovalItem> items) {
  for (ApprovalItem& item : items) {
    item.what = words::beginning(item.what, kLongestReason);
    item.why = words::beginning(item.why, kLongestReason);
  }
  ask(draft, kAgentSubject, std::move(items));
  wait_for_calls(draft);
}

void ask_about_strategy(Draft& draft) {
  ask(draft, kStrategySubject,
      {{.id = "strategy",
        .what = "carry out the strategy: " +
                words::beginning(draft.state().strategy_summary, kLongestReason),
        .why = "the profile " + draft.state().settings.profile + " asks"}});
  draft.move(PlanState::kWaiting,
             "the strategy waits for approval: " + how_to_answer(draft.state()), "approval");
}

void ask_about_reversion(Draft& draft, const std::string& why) {
  ask(draft, kReversionSubject,
      {{.id = "reversion",
        .what = "give up what was done, and work out another strategy",
        .why = words::beginning(why, kLongestReason)}});
  draft.move(PlanState::kWaiting,
             "going back to another strategy waits for approval (" +
                 words::beginning(why, kLongestReason) + "); " + how_to_answer(draft.state()),
             "approval");
}

void answer_approval(Draft& draft, const std::vector<std::string>& rejected,
                     const std::string& reason, const std::string& by,
                     const std::vector<std::string>& remember) {
  const model::ApprovalRequested asked = *draft.state().approval;
  const std::optional<OpenEffect> held = draft.state().held;
  if (asked.subject == kStrategySubject && !rejected.empty()) supersede_strategy(draft);
  draft.add(model::ApprovalGiven{asked.number, rejected, reason, by, remember});
  if (held) {
    ToolsData tools = read_tools(held->data);
    reject_calls(tools, rejected, reason);
    return run_held(draft, tools);
  }
  if (asked.subject == kStrategySubject) {
    return rejected.empty() ? begin_execute(draft) : think_again(draft, reason);
  }
  if (asked.subject == kAgentSubject) {
    draft.move(PlanState::kProcessing);
    open_changeset(draft);
    return advance(draft);
  }
  const std::string why = asked.items.empty() ? std::string() : asked.items.front().why;
  if (!rejected.empty()) {
    draft.move(PlanState::kErrored, why + "; a person would not have it go back: " +
                                        command_line(draft.state(), "resume") + " tries again");
    return;
  }
  draft.move(PlanState::kProcessing);
  revert(draft, why);
}

void answer_in_part(Draft& draft, const std::vector<std::string>& rejected,
                    const std::vector<std::string>& approved, const std::string& reason,
                    const std::string& by) {
  const model::ApprovalRequested asked = *draft.state().approval;
  const bool by_agent = asked.subject == kAgentSubject;
  std::vector<ApprovalItem> left = asked.items;
  std::erase_if(left, [&](const ApprovalItem& item) {
    return contains(rejected, item.id) || contains(approved, item.id);
  });
  if (!by_agent) {
    ToolsData tools = read_tools(draft.state().held->data);
    reject_calls(tools, rejected, reason);
    put_aside(draft, tools);
  }
  draft.add(model::ApprovalGiven{asked.number, rejected, reason, by});
  ask(draft, by_agent ? kAgentSubject : kToolsSubject, std::move(left));
  wait_for_calls(draft);
}

void ask_again(Draft& draft) {
  const model::ApprovalRequested asked = *draft.state().approval;
  ask(draft, asked.subject, asked.items);
}

void withdraw_approval(Draft& draft, const std::string& why) {
  if (!draft.state().approval) return;
  const model::ApprovalRequested asked = *draft.state().approval;
  const std::optional<OpenEffect> held = draft.state().held;
  model::ApprovalGiven given{.number = asked.number, .reason = why};
  if (asked.subject != kStrategySubject) {
    for (const ApprovalItem& item : asked.items) given.rejected.push_back(item.id);
  }
  draft.add(given);
  if (held) {
    draft.say(failed_results(read_tools(held->data), "not run: " + why),
              model::MessageWhy::kResults);
  }
}

}  // namespace clever::plan
