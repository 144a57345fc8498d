#include "service/commands/commands.h"
#include "service/commands/plan_act.h"
#include "service/commands/run_plans.h"
#include "service/commands/run_report.h"

namespace clever::service {
namespace {

base::Result<Report> drive(const Invocation& invocation, Context& context) {
  CLEVER_TRY(check_answers(invocation));
  RunPlans::Options options{.workplace = answers_of(invocation, context),
                            .tasks = invocation.words().size()};
  CLEVER_ASSIGN(options.apply, landing_of(invocation));
  CLEVER_ASSIGN(const PlanDatabase database, PlanDatabase::open(invocation, context));
  std::vector<storage::PlanSummary> plans;
  for (const std::string& word : invocation.words()) {
    CLEVER_ASSIGN(storage::PlanSummary plan, database.find(word));
    plans.push_back(std::move(plan));
  }
  options.workplace.project = plans.front().project;
  CLEVER_ASSIGN(const auto run, RunPlans::open(database, std::move(options), context));
  for (const storage::PlanSummary& plan : plans) CLEVER_TRY(run->take_over(plan.id));
  CLEVER_ASSIGN(const RunEnd end, run->run());
  CLEVER_ASSIGN(Report report, run_report(*run, end));
  note_answers(invocation, report);
  return report;
}

std::vector<Option> drive_options() {
  std::vector<Option> all = landing_options();
  for (Option& option : driving_options()) all.push_back(std::move(option));
  return all;
}

}  // namespace

// What `agents run --detach` leaves behind.
Command plan_drive_command() {
  return {.name = "drive",
          .summary = "Drive plans until they are at rest",
          .positionals = {{.name = "PLAN", .summary = "Their ids", .repeated = true}},
          .options = drive_options(),
          .examples = {{"agents plan drive 01JD", "In the foreground"}},
          .handler = drive,
          .hidden = true};
}

}  // namespace clever::service
