#include "plan/who_works.h"
#include "service/commands/commands.h"
#include "service/commands/plan_background.h"
#include "service/commands/plan_drive_on.h"
#include "service/commands/provider.h"

namespace clever::service {
namespace {

base::Result<Report> resume(const Invocation& invocation, Context& context) {
  CLEVER_ASSIGN(MeantPlan plan, meant_plan(invocation, context));
  // A plan that is not at rest only needs a driver.
  std::optional<plan::Command> first;
  // A process that drives it and waits for the provider calls it at once.
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
