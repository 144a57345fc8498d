#include "plan/who_works.h"
#include "service/caller.h"
#include "service/commands/commands.h"
#include "service/commands/plan_background.h"
#include "service/commands/plan_drive_on.h"
#include "service/commands/provider.h"
#include "service/plan/approval_inbox.h"

namespace clever::service {
namespace {

// To resume a plan that asks, or one above it, is to approve what it asks.
base::Result<void> check_right(const MeantPlan& plan, const Context& context) {
  const Caller* caller = context.caller();
  if (caller == nullptr || caller->rights.has(Right::kApprove)) return {};
  CLEVER_ASSIGN(const auto tree, plan.database.tree(plan.summary.id));
  for (const PlanSummary& each : tree) {
    if (each.state != "waiting") continue;
    CLEVER_ASSIGN(const plan::State state, plan.database.state(each.id));
    if (waiting_approval(state, each)) return require(*caller, Right::kApprove);
  }
  return {};
}

base::Result<Report> resume(const Invocation& invocation, Context& context) {
  CLEVER_ASSIGN(MeantPlan plan, meant_plan(invocation, context));
  CLEVER_TRY(check_right(plan, context));
  // A plan that is not at rest only needs a driver.
  std::optional<plan::Command> first;
  // Closes the circuits, so that a driver that waits for the provider calls it at once.
  const std::string& model = plan::terms_now(plan.state).model;
  close_circuits(model.substr(0, model.find('/')), plan.database.engine(), context);
  if (plan.state.is_at_rest()) first = plan::Resume{};
  return drive_on(std::move(plan), first, invocation, context);
}

std::vector<Option> resume_options() {
  std::vector<Option> all{detach_option()};
  for (Option& option : driving_options()) all.push_back(std::move(option));
  return all;
}

}  // namespace

Command plan_resume_command() {
  return {.name = "resume",
          .aliases = {"execute"},
          .summary = "Resume a plan",
          .description =
              "Resumes a plan whose process has ended, approves what a waiting plan asks for, or "
              "lets an errored or constrained plan try again. Shows progress until the plan rests. "
              "If another process drives the plan, resume follows it.",
          .positionals = {plan_positional()},
          .options = resume_options(),
          .examples = {{"agents plan resume", "The newest plan of this folder"},
                       {"agents plan resume 01JD --format json", "A given plan, for a program"}},
          .handler = resume};
}

Command resume_command() {
  Command command = plan_resume_command();
  command.aliases = {};
  command.description = "Short for `agents plan resume`.";
  command.examples = {{"agents resume", "The newest plan of this folder"}};
  return command;
}

}  // namespace clever::service
