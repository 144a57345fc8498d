#include "plan/decide.h"
#include "service/commands/commands.h"
#include "service/commands/plan_background.h"
#include "service/commands/plan_drive_on.h"
#include "service/plan/approval_words.h"

namespace clever::service {
namespace {

bool awaits(const plan::State& plan) {
  return plan.state == model::PlanState::kWaiting && plan.waiting == plan::Waiting::kApproval;
}

// Returns the plan itself, or the first of its subplans that waits for an approval.
base::Result<MeantPlan> asking_plan(const Invocation& invocation, Context& context) {
  CLEVER_ASSIGN(MeantPlan plan, meant_plan(invocation, context));
  if (awaits(plan.state)) return plan;
  CLEVER_ASSIGN(const auto tree, plan.database.tree(plan.summary.id));
  for (const storage::PlanSummary& each : tree) {
    if (each.state != "waiting" || each.id == plan.summary.id) continue;
    CLEVER_ASSIGN(plan::State state, plan.database.state(each.id));
    if (!awaits(state)) continue;
    plan.summary = each;
    plan.state = std::move(state);
    return plan;
  }
  return plan;
}

base::Result<std::vector<std::string>> items_of(const Invocation& invocation,
                                                const plan::State& plan) {
  const auto& words = invocation.words();
  if (words.size() < 2 || !plan.approval) return std::vector<std::string>();
  return meant_items(*plan.approval, {words.begin() + 1, words.end()});
}

base::Result<Report> answer(const Invocation& invocation, Context& context, bool approves) {
  CLEVER_ASSIGN(MeantPlan meant, meant_plan(invocation, context));
  CLEVER_ASSIGN(MeantPlan plan, asking_plan(invocation, context));
  CLEVER_ASSIGN(auto items, items_of(invocation, plan.state));
  const std::int64_t number = plan.state.approval ? plan.state.approval->number : 0;
  const std::string reason(invocation.value("reason").value_or(""));
  const plan::Command command = approves
                                    ? plan::Command(plan::Approve{number, std::move(items)})
                                    : plan::Command(plan::Reject{number, std::move(items), reason});
  // A refusal needs no driver.
  if (const auto decided = plan::decide(plan.state, command, {}); !decided.ok()) {
    return refusal(decided.error(), plan);
  }
  const bool is_itself = plan.summary.id == meant.summary.id;
  CLEVER_ASSIGN(Report report, drive_on(std::move(plan), command, invocation, context));
  if (is_itself) return report;
  // The answer went to a subplan, so the named plan above it continues.
  CLEVER_ASSIGN(meant.state, meant.database.state(meant.summary.id));
  if (meant.state.is_at_rest()) return report;
  return drive_on(std::move(meant), std::nullopt, invocation, context);
}

base::Result<Report> approve(const Invocation& invocation, Context& context) {
  return answer(invocation, context, /*approves=*/true);
}

base::Result<Report> reject(const Invocation& invocation, Context& context) {
  return answer(invocation, context, /*approves=*/false);
}

std::vector<Positional> positionals() {
  return {
      plan_positional(),
      {.name = "ITEM",
       .summary =
           "Which of several, by number or id as `agents plan status` shows them; all by default",
       .required = false,
       .repeated = true}};
}

std::vector<Option> approval_options(bool approves) {
  std::vector<Option> all;
  if (!approves) {
    all.push_back({.name = "reason", .value = "TEXT", .summary = "The reason that the model gets"});
  }
  all.push_back(detach_option());
  for (Option& option : driving_options()) all.push_back(std::move(option));
  return all;
}

}  // namespace

Command plan_approve_command() {
  return {.name = "approve",
          .summary = "Approve what a plan asks for",
          .description =
              "A plan that needs an approval (permissions.ask, the profile) waits for your answer "
              "and holds no resources meanwhile. Approved calls run; other open questions stay "
              "open. If a subplan asks, the answer goes to the subplan. `agents plan audit` "
              "records who approved what.",
          .positionals = positionals(),
          .options = approval_options(true),
          .examples = {{"agents plan approve", "Approve everything that the newest plan asks for"},
                       {"agents plan approve 01JD 2", "Approve the second question of that plan"}},
          .handler = approve};
}

Command plan_reject_command() {
  return {.name = "reject",
          .summary = "Reject what a plan asks for; it continues without it",
          .description =
              "The call does not run, and the model gets the reason. A rejected strategy is worked "
              "out again with the reason.",
          .positionals = positionals(),
          .options = approval_options(false),
          .examples = {{"agents plan reject --reason \"not on a Friday\"",
                        "Reject everything that the newest plan asks for"},
                       {"agents plan reject 01JD 1", "Reject only the first of several"}},
          .handler = reject};
}

}  // namespace clever::service
