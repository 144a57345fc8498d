#include "service/commands/plan_drive_on.h"

#include "plan/decide.h"
#include "service/commands/plan_background.h"
#include "service/commands/run_plans.h"
#include "service/commands/run_report.h"
#include "service/commands/run_request.h"

namespace clever::service {
namespace {

base::Result<std::unique_ptr<RunPlans>> open(const MeantPlan& plan, const Invocation& invocation,
                                             Context& context) {
  CLEVER_TRY(check_answers(invocation));
  RunPlans::Options options{.workplace = answers_of(invocation, context)};
  options.workplace.project = plan.summary.project;
  return RunPlans::open(plan.database, std::move(options), context);
}

base::Result<void> tell(const model::PlanId& plan, const std::optional<plan::Command>& first,
                        RunPlans& run, Context& context) {
  if (!first) return {};
  const auto sent = send_command(run.runtime().plans(), plan, new_key(context),
                                 signed_by_person(*first, context), context.stop());
  if (sent.ok()) return {};
  // A plan that waited for money and finds room continues as soon as a process drives it, as the
  // caller wants.
  const auto now = run.runtime().plans().state(plan);
  const bool goes_on =
      std::holds_alternative<plan::Resume>(*first) && now.ok() && !(*now)->is_at_rest();
  return goes_on ? base::Result<void>() : sent.error();
}

}  // namespace

base::Result<Report> drive_on(MeantPlan plan, const std::optional<plan::Command>& first,
                              const Invocation& invocation, Context& context,
                              const model::PlanId& target) {
  // A plan that has ended needs no driver.
  if (first && plan.state.is_final() && !plan.state.undone) {
    if (const auto decided = plan::decide(plan.state, *first, {}); !decided.ok()) {
      return refusal(decided.error(), plan);
    }
  }
  CLEVER_TRY(check_files_are_here(plan, context));
  if (invocation.flag("detach")) {
    return drive_in_background(std::move(plan), first, invocation, context, target);
  }
  CLEVER_ASSIGN(auto run, open(plan, invocation, context));
  const model::PlanId& to = target ? target : plan.summary.id;
  if (const auto sent = tell(to, first, *run, context); !sent.ok()) {
    run.reset();
    return refusal(sent.error(), plan);
  }
  if (const auto taken = run->take_over(plan.summary.id); !taken.ok()) {
    run.reset();
    if (taken.error().code() != base::ErrorCode::kConflict) return taken.error();
    return watch_plan(
        std::move(plan),
        {.answers = answers_of(invocation, context), .driver = taken.error().sentence()}, context);
  }
  CLEVER_ASSIGN(const RunEnd end, run->run());
  CLEVER_ASSIGN(Report report, run_report(*run, end));
  note_answers(invocation, report);
  return report;
}

}  // namespace clever::service
