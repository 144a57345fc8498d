#include <algorithm>

#include "git/project.h"
#include "model/phase.h"
#include "service/commands/budget.h"
#include "service/commands/commands.h"
#include "service/commands/plan.h"

namespace clever::service {
namespace {

using storage::PlanSummary;

constexpr std::int64_t kMostPlanRows = 100'000;
constexpr std::size_t kPlansPerPage = 1000;
constexpr std::size_t kListedTitleWidth = 60;

struct Wanted {
  storage::PlanFilter filter{};
  std::size_t limit = 0;
  bool subplans = false;
};

base::Result<Wanted> wanted(const Invocation& invocation, Context& context) {
  Wanted all;
  CLEVER_ASSIGN(const std::int64_t limit, number_option(invocation, "limit", 20, 1, kMostPlanRows));
  all.limit = static_cast<std::size_t>(limit);
  all.subplans = invocation.flag("subplans");
  if (const auto state = invocation.value("state")) {
    CLEVER_TRY(model::parse_plan_state(*state).context("--state"));
    all.filter.state = *state;
  }
  if (invocation.flag("all-projects")) return all;
  CLEVER_ASSIGN(const git::Project project, context.project());
  const storage::PlanFilter here = plans_of(project.root.string(), context);
  all.filter.project = here.project;
  all.filter.also = here.also;
  return all;
}

base::Result<std::vector<PlanSummary>> found(const PlanDatabase& database, const Wanted& wanted,
                                             Context& context) {
  storage::Plans plans(database.engine());
  std::vector<PlanSummary> all;
  model::PlanId after;
  while (true) {
    CLEVER_ASSIGN(const auto page, plans.list(wanted.filter, kPlansPerPage, after, context.stop()));
    for (const PlanSummary& plan : page) {
      if (plan.parent && !wanted.subplans) continue;
      if (!context.sees_project(plan.project)) continue;
      all.push_back(plan);
      if (all.size() == wanted.limit) return all;
    }
    if (page.size() < kPlansPerPage) return all;
    after = page.back().id;
  }
}

Document listed_plan_document(const PlanSummary& plan) {
  Document entry = Document::map()
                       .set("plan_id", plan.id.to_string())
                       .set("phase", plan.phase)
                       .set("state", plan.state)
                       .set("summary", plan.title)
                       .set("created_at", shown_time(plan.created))
                       .set("updated_at", shown_time(plan.updated))
                       .set("action", plan.action)
                       .set("project", plan.project)
                       .set("cost_usd", static_cast<double>(plan.spent) / 1e6);
  if (plan.parent) entry.set("parent", plan.parent.to_string());
  return entry;
}

// "2026-01-31 09:05", as much as tells plans apart.
std::string to_the_minute(model::Timestamp time) {
  std::string text = shown_time(time).substr(0, 16);
  std::ranges::replace(text, 'T', ' ');
  return text;
}

std::vector<Span> listed_plan_row(const PlanSummary& plan, bool with_project) {
  std::vector<Span> cells{{plan.id.to_string(), Tone::kStrong},
                          {plan.phase + "/" + plan.state, tone_of_state(plan.state)},
                          {to_the_minute(plan.created), Tone::kDim},
                          {dollars(plan.spent)},
                          {(plan.parent ? "↳ " : "") + one_line(plan.title, kListedTitleWidth)}};
  if (with_project) cells.push_back({plan.project, Tone::kDim});
  return cells;
}

base::Result<Report> list_plans(const Invocation& invocation, Context& context) {
  CLEVER_ASSIGN(const Wanted which, wanted(invocation, context));
  CLEVER_ASSIGN(const PlanDatabase database, PlanDatabase::open(invocation, context));
  CLEVER_ASSIGN(const auto plans, found(database, which, context));
  const bool with_project = invocation.flag("all-projects");
  Report report;
  Document all = Document::list();
  Table table{"", {"plan", "state", "created", "cost", "task"}, {}};
  if (with_project) table.columns.emplace_back("project");
  for (const PlanSummary& plan : plans) {
    all.push(listed_plan_document(plan));
    table.rows.push_back(listed_plan_row(plan, with_project));
  }
  report.data.set("plans", std::move(all));
  if (plans.empty()) {
    report.view = {Prose{
        {{{"There is no such plan. "}, {"agents run \"TASK\"", Tone::kStrong}, {" makes one."}}}}};
  } else {
    report.view = {std::move(table)};
  }
  return report;
}

}  // namespace

Command plan_list_command() {
  return {.name = "list",
          .aliases = {"ls"},
          .summary = "List plans, the newest first",
          .options = {{.name = "all-projects", .summary = "Include plans of other folders"},
                      {.name = "state",
                       .value = "STATE",
                       .summary = "Only those in this state",
                       .choices = {"queued", "processing", "waiting", "complete", "errored",
                                   "cancelling", "cancelled", "applied", "constrained"}},
                      {.name = "subplans", .summary = "Include subplans"},
                      {.name = "limit", .value = "N", .summary = "Show at most N (default: 20)"},
                      plan_database_option()},
          .examples = {{"agents plan list", "The plans of this folder"},
                       {"agents plan list --all-projects --state waiting", "What waits for you"},
                       {"agents plan list --format json", "For a program"}},
          .handler = list_plans};
}

}  // namespace clever::service
