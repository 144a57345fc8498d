#include <algorithm>

#include "model/permission_pattern.h"
#include "plan/internal/approval.h"
#include "plan/internal/draft.h"
#include "plan/internal/go_on.h"
#include "plan/internal/refuse.h"
#include "plan/internal/transitions.h"
#include "plan/who_works.h"

namespace clever::plan::transitions {
namespace {

using Names = std::vector<std::string>;

bool awaits(const State& state) {
  return state.state == model::PlanState::kWaiting && state.waiting == Waiting::kApproval;
}

base::Result<void> check_approval(const State& state, std::int64_t number, model::Timestamp now) {
  if (!awaits(state)) return refuse(state, "it waits for no approval", what_works(state));
  if (!state.approval) return {};
  if (number == 0 || number == state.approval->number) {
    if (!state.approval->is_expired(now)) return {};
    return refuse(state,
                  "request " + std::to_string(state.approval->number) +
                      " has expired: an answer counts for nothing now",
                  command_line(state, "resume") + " asks again");
  }
  return refuse(
      state,
      "request " + std::to_string(number) + " is answered; the plan asks about another one now",
      "look with " + command_line(state, "status"));
}

Names all_of(const model::ApprovalRequested& asked) {
  Names names;
  for (const model::ApprovalItem& item : asked.items) names.push_back(item.id);
  return names;
}

// Returns the named items, or all if none is named.
base::Result<Names> meant(const State& state, const Names& wanted) {
  const Names all = all_of(*state.approval);
  if (wanted.empty()) return all;
  for (const std::string& name : wanted) {
    if (std::ranges::find(all, name) != all.end()) continue;
    std::string known;
    for (const std::string& one : all) known += (known.empty() ? "" : ", ") + one;
    return base::not_found("the plan does not ask about '" + name + "'; there are " + known);
  }
  return wanted;
}

bool are_all(const State& state, const Names& names) {
  return std::ranges::all_of(all_of(*state.approval), [&](const std::string& one) {
    return std::ranges::find(names, one) != names.end();
  });
}

}  // namespace

base::Result<Decided> transition(const State& state, const Approve& command,
                                 const Circumstances& circumstances) {
  CLEVER_TRY(check_approval(state, command.number, circumstances.now));
  for (const std::string& rule : command.remember) CLEVER_TRY(model::parse_permission(rule));
  Draft draft(state, circumstances);
  if (!state.approval) {
    go_on(draft);
    return draft.finish();
  }
  CLEVER_ASSIGN(const Names approved, meant(state, command.items));
  if (are_all(state, approved)) {
    answer_approval(draft, {}, "", command.by, command.remember);
  } else {
    answer_in_part(draft, {}, approved, "", command.by);
  }
  return draft.finish();
}

base::Result<Decided> transition(const State& state, const Reject& command,
                                 const Circumstances& circumstances) {
  CLEVER_TRY(check_approval(state, command.number, circumstances.now));
  const bool of_strategy = !state.approval || state.approval->subject == kStrategySubject;
  if (of_strategy && !uses_model_now(state)) {
    return refuse(state, "its actor " + state.settings.actor + " makes no other strategy",
                  command_line(state, "cancel") + " cancels it");
  }
  if (!state.approval) {
    return refuse(state, "an earlier release asked, which took only a yes", what_works(state));
  }
  CLEVER_ASSIGN(const Names rejected, meant(state, command.items));
  Draft draft(state, circumstances);
  if (are_all(state, rejected)) {
    answer_approval(draft, rejected, command.reason, command.by);
  } else {
    answer_in_part(draft, rejected, {}, command.reason, command.by);
  }
  return draft.finish();
}

}  // namespace clever::plan::transitions
