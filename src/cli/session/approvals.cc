// How a conversation asks for approvals, and remembers the answers.
#include <algorithm>
#include <utility>

#include "base/text.h"
#include "cli/render.h"
#include "cli/session/conversation.h"
#include "cli/words.h"
#include "service/caller_rights.h"
#include "service/commands/plan_act.h"
#include "service/plan/approval_details.h"
#include "service/plan/remembered_rules.h"
#include "service/text.h"

namespace clever::cli {

base::Result<std::optional<bool>> Conversation::confirm(const std::string& question,
                                                        const std::function<std::string()>& details,
                                                        const std::function<void()>& remember) {
  const std::string asked = painted(printable(question), Tone::kStrong, screen_.output_look) +
                            (remember ? " [y/n/a/d] " : " [y/n/d] ");
  CLEVER_TRY(terminal_.write(asked));
  // What was typed before the question is no answer to it.
  keys_.clear();
  while (!ended_) {
    while (!keys_.empty()) {
      const Key key = std::move(keys_.front());
      keys_.pop_front();
      const bool remembers = remember && (key.is('a') || key.is('A'));
      if (remembers) remember();
      const bool yes = key.is('y') || key.is('Y') || remembers;
      const bool no = key.is('n') || key.is('N');
      const bool leaves = key.is_ctrl('c') || key.is_ctrl('d') || key.kind == Key::Kind::kEscape;
      if (key.is('d') || key.is('D')) {
        CLEVER_TRY(terminal_.write("details\n" + details() + asked));
      }
      if (!yes && !no && !leaves) continue;
      CLEVER_TRY(terminal_.write(yes ? "yes\n" : no ? "no\n" : "\n"));
      return leaves ? std::nullopt : std::optional(yes);
    }
    CLEVER_TRY(wait_for_keys());
  }
  // A person who left answered neither.
  return std::optional<bool>();
}

base::Result<void> Conversation::show_asked(const plan::State& asking) {
  if (!asking.approval) return say(asking.reason, Tone::kWarn);
  if (asking.id != present_)
    CLEVER_TRY(say(service::one_line(asking.title, 70) + " asks", Tone::kDim));
  for (const model::ApprovalItem& item : asking.approval->items) {
    CLEVER_TRY(say("  " + item.what, Tone::kStrong));
    if (!item.why.empty()) CLEVER_TRY(say("    " + item.why, Tone::kDim));
  }
  return {};
}

std::string Conversation::details_of(const plan::State& asking) const {
  std::string text;
  if (asking.approval) {
    for (const model::ApprovalItem& item : asking.approval->items) {
      const std::string more =
          service::approval_details(database_.engine(), asking, item, context_.stop());
      if (!more.empty()) text += "  " + printable(item.what) + "\n" + more;
    }
  }
  return text.empty() ? "  no further details\n" : text;
}

base::Result<void> Conversation::remember_rules(const std::vector<std::string>& rules) {
  std::optional<std::size_t> chosen;
  // What lasts counts for others too.
  if (service::may(context_, service::Right::kAdmin)) {
    CLEVER_TRY(say("for how long?", Tone::kStrong));
    CLEVER_ASSIGN(chosen, pick({"this conversation", "this project", "always"}));
  }
  const auto scope =
      chosen ? static_cast<service::RememberFor>(*chosen) : service::RememberFor::kSession;
  for (const std::string& rule : rules) {
    remembered_.push_back(rule);
    CLEVER_TRY(service::remember_rule(context_, options_.project.root, rule, scope));
  }
  return {};
}

base::Result<Conversation::Answer> Conversation::answer_approval(service::RunPlans& plans,
                                                                 const plan::State& state) {
  CLEVER_ASSIGN(auto found, plans.asking(state));
  if (!found && state.waiting != plan::Waiting::kApproval) return Answer::kNotAsked;
  const plan::State& asking = found ? *found : state;
  CLEVER_TRY(show_asked(asking));
  std::vector<std::string> rules;
  bool remember = false;
  if (found && asking.approval && asking.approval->subject == "tools") {
    for (const model::ApprovalItem& item : asking.approval->items) {
      if (const auto rule = service::rule_like(item)) rules.push_back(*rule);
    }
    // All of what is asked, or a yes would remember less than it says.
    if (rules.size() != asking.approval->items.size()) rules.clear();
  }
  const std::string question =
      rules.empty() ? "Approve?"
                    : "Approve? (a: and do not ask again for " + base::joined(rules) + ")";
  CLEVER_ASSIGN(const auto yes,
                confirm(
                    question, [&] { return details_of(asking); },
                    rules.empty() ? std::function<void()>() : [&] { remember = true; }));
  // An earlier release asked without a number, and took only a yes.
  if (!yes || (!*yes && !found)) return Answer::kLeftOpen;
  const std::int64_t number = found ? asking.approval->number : 0;
  if (!remember) rules.clear();
  if (remember) CLEVER_TRY(remember_rules(rules));
  plan::Command command = plan::Approve{.number = number, .remember = rules};
  if (!*yes) command = plan::Reject{.number = number, .reason = "a person said no"};
  CLEVER_TRY(service::send_command(plans.runtime().plans(), asking.id, service::new_key(context_),
                                   service::signed_by_person(std::move(command), context_),
                                   context_.stop()));
  if (asking.id != state.id) CLEVER_TRY(plans.hear_of_answer(state, context_.stop()));
  return Answer::kGiven;
}

}  // namespace clever::cli
