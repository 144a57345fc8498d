#include <utility>
#include <vector>

#include "service/commands/commands.h"
#include "service/commands/plan.h"
#include "service/commands/plan_act.h"
#include "service/commands/run_plans.h"
#include "service/commands/run_report.h"

namespace clever::service {
namespace {

/// Drives the plans of one command line until they are at rest.
class Drive {
 public:
  Drive(const Invocation& invocation, Context& context, PlanDatabase database)
      : invocation_(invocation), context_(context), database_(std::move(database)) {}

  base::Result<Report> run() {
    for (const std::string& word : invocation_.words()) {
      CLEVER_ASSIGN(storage::PlanSummary plan, database_.find(word));
      plans_.push_back(std::move(plan));
    }
    CLEVER_ASSIGN(Report report, once());
    // This process may have read a late command and released the plan, which no other process would
    // then drive.
    while (end_ == RunEnd::kAtRest && !context_.stop().stop_requested()) {
      CLEVER_ASSIGN(const bool goes_on, has_work());
      if (!goes_on) break;
      auto again = once();
      const bool is_taken = !again.ok() && again.error().code() == base::ErrorCode::kConflict;
      if (is_taken) break;
      CLEVER_ASSIGN(report, std::move(again));
    }
    return report;
  }

 private:
  base::Result<Report> once() {
    RunPlans::Options options{.workplace = answers_of(invocation_, context_),
                              .tasks = plans_.size()};
    CLEVER_ASSIGN(options.apply, landing_of(invocation_));
    options.workplace.project = plans_.front().project;
    CLEVER_ASSIGN(const auto run, RunPlans::open(database_, std::move(options), context_));
    for (const storage::PlanSummary& plan : plans_) CLEVER_TRY(run->take_over(plan.id));
    CLEVER_ASSIGN(end_, run->run());
    return run_report(*run, end_);
  }

  base::Result<bool> has_work() {
    CLEVER_ASSIGN(const PlanDriving driving, PlanDriving::open(database_, context_));
    for (const storage::PlanSummary& plan : plans_) {
      CLEVER_ASSIGN(const plan::State state, database_.state(plan.id));
      if (state.is_at_rest()) continue;
      CLEVER_ASSIGN(const bool driven, driving.is_driven(state, context_.stop()));
      if (!driven) return true;
    }
    return false;
  }

  const Invocation& invocation_;
  Context& context_;
  const PlanDatabase database_;
  std::vector<storage::PlanSummary> plans_;
  RunEnd end_ = RunEnd::kLeft;
};

base::Result<Report> drive(const Invocation& invocation, Context& context) {
  CLEVER_TRY(check_answers(invocation));
  CLEVER_ASSIGN(PlanDatabase database, PlanDatabase::open(invocation, context));
  CLEVER_ASSIGN(Report report, Drive(invocation, context, std::move(database)).run());
  note_answers(invocation, report);
  return report;
}

std::vector<Option> drive_options() {
  std::vector<Option> all = landing_options();
  for (Option& option : driving_options()) all.push_back(std::move(option));
  return all;
}

}  // namespace

// The process that `agents run --detach` leaves behind.
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
