#include "service/commands/commands.h"
#include "service/commands/plan.h"
#include "service/commands/plan_act.h"

namespace clever::service {
namespace {

bool is_being_cancelled(const plan::State& state) {
  return state.state == model::PlanState::kCancelling ||
         state.state == model::PlanState::kCancelled;
}

Report ended(const plan::State& state) {
  Report report;
  report.data.set("plan_id", state.id.to_string())
      .set("phase", to_string(state.phase))
      .set("state", to_string(state.state));
  report.view = {Prose{{{{"cancelled", Tone::kGood},
                         {" plan " + state.id.to_string() + ": everything it ran has stopped"}}}}};
  Document next = Document::list();
  for (const std::string& step : next_steps(state)) {
    report.view.emplace_back(Prose{{{{"next: ", Tone::kDim}, {step, Tone::kStrong}}}});
    next.push(step);
  }
  report.data.set("next_steps", std::move(next));
  return report;
}

base::Result<Report> cancel(const Invocation& invocation, Context& context) {
  CLEVER_ASSIGN(const MeantPlan plan, meant_plan(invocation, context));
  if (plan.state.state == model::PlanState::kCancelled) return ended(plan.state);
  CLEVER_ASSIGN(const auto actor, PlanActor::open(plan, context));
  const auto sent = actor->send("cancel", plan::Cancel{"a person cancelled it"});
  if (!sent.ok()) {
    // Another command may have cancelled it.
    const auto now = plan.database.state(plan.summary.id);
    if (!now.ok() || !is_being_cancelled(*now)) return refusal(sent.error(), plan);
  }
  CLEVER_ASSIGN(const plan::State state, actor->wait());
  if (state.state == model::PlanState::kCancelled) return ended(state);
  return refusal(base::conflict("plan " + state.id.to_string() + " was not cancelled: it is in " +
                                place_of(state)),
                 plan);
}

}  // namespace

Command plan_cancel_command() {
  return {.name = "cancel",
          .summary = "Cancel a plan and its subplans for good",
          .description =
              "Stops everything that runs for the plan, and waits until it has stopped. The plan's "
              "changes are never applied; `agents run --from-plan` starts a new plan with them.",
          .positionals = {plan_positional()},
          .options = {plan_database_option()},
          .examples = {{"agents plan cancel", "The newest plan of this folder"},
                       {"agents plan cancel 01JD", "A given one"}},
          .handler = cancel};
}

Command cancel_command() {
  Command command = plan_cancel_command();
  command.description = "Short for `agents plan cancel`.";
  command.examples = {{"agents cancel", "The newest plan of this folder"}};
  return command;
}

}  // namespace clever::service
