#include <algorithm>

#include "model/work_events.h"
#include "service/commands/commands.h"
#include "service/commands/plan.h"
#include "service/commands/plan_act.h"
#include "service/retention.h"

namespace clever::service {
namespace {

// Returns the last undo of the plan, if there is one.
base::Result<model::ApplyUndone> last_undone(const MeantPlan& plan, Context& context) {
  CLEVER_ASSIGN(const auto events,
                all_events(plan.database, plan.summary.id, context, plan.state.sequence + 1));
  model::ApplyUndone last;
  for (const model::StoredEvent& event : events) {
    if (event.kind != model::ApplyUndone::kKind) continue;
    CLEVER_ASSIGN(last, model::ApplyUndone::parse(event.data));
  }
  return last;
}

Report undone_report(const plan::State& state, const model::ApplyUndone& undone) {
  const std::string& commit = undone.commit;
  Report report;
  report.data.set("plan_id", state.id.to_string())
      .set("phase", to_string(state.phase))
      .set("state", to_string(state.state))
      .set("undone", state.undone)
      .set("commit", commit.empty() ? Document() : Document(commit));
  Line line{{"undone", Tone::kGood}, {" plan " + state.id.to_string()}};
  if (!commit.empty()) line.push_back({" by commit " + commit.substr(0, 12)});
  if (!undone.projects.empty()) {
    line.push_back({" by commits " + commits_text(undone.projects)});
    Document projects = Document::list();
    for (const model::ProjectHead& one : undone.projects) {
      projects.push(Document::map()
                        .set("project", one.project)
                        .set("commit", one.commit.empty() ? Document() : Document(one.commit)));
    }
    report.data.set("projects", std::move(projects));
  }
  report.view = {Prose{{std::move(line)}}};
  return report;
}

// Without PLAN: the plan of the folder that was applied last.
base::Result<MeantPlan> plan_to_undo(const Invocation& invocation, Context& context) {
  if (!invocation.words().empty()) return meant_plan(invocation, context);
  CLEVER_ASSIGN(const PlanDatabase database, PlanDatabase::open(invocation, context));
  CLEVER_ASSIGN(const auto applied, database.in_states({"applied"}));
  const auto last = std::ranges::max_element(applied, {}, &PlanSummary::updated);
  if (last == applied.end()) return meant_plan(invocation, context);
  return meant_plan(database, *last);
}

base::Result<Report> undo(const Invocation& invocation, Context& context) {
  CLEVER_ASSIGN(const MeantPlan plan, plan_to_undo(invocation, context));
  const auto kept = check_files_kept(plan.database.engine(), plan.state, context);
  if (!kept.ok()) {
    Report report = refusal(kept.error(), plan);
    report.exit_code = ExitCode::kNeedsPerson;
    return report;
  }
  CLEVER_ASSIGN(const auto actor, PlanActor::open(plan, context));
  const auto sent = actor->send(new_key(context), plan::Undo{});
  if (!sent.ok()) return refusal(sent.error(), plan);
  CLEVER_ASSIGN(const plan::State state, actor->wait());
  if (state.undone) {
    CLEVER_ASSIGN(const model::ApplyUndone undone, last_undone(plan, context));
    return undone_report(state, undone);
  }
  Report report = refusal(
      base::conflict("plan " + state.id.to_string() + " was not undone: " + state.reason), plan);
  report.exit_code = ExitCode::kNeedsPerson;
  return report;
}

}  // namespace

Command plan_undo_command() {
  return {.name = "undo",
          .summary = "Undo a plan's apply",
          .description =
              "Restores exactly what apply changed, as a new commit if apply made one. Refuses if "
              "any of those files has changed since. Without PLAN, it undoes the plan of this "
              "folder that was applied last.",
          .positionals = {plan_positional()},
          .options = {plan_database_option()},
          .examples = {{"agents plan undo", "The plan that was applied last"},
                       {"agents plan undo 01JD", "A given one"}},
          .handler = undo};
}

Command undo_command() {
  Command command = plan_undo_command();
  command.description = "Short for `agents plan undo`.";
  command.examples = {{"agents undo", "The plan that was applied last"}};
  return command;
}

}  // namespace clever::service
