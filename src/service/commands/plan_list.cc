#include <algorithm>
#include <set>

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
  /// Only those older than this plan; none: all.
  model::PlanId after{};
};

base::Result<Wanted> wanted(const Invocation& invocation, Context& context) {
  Wanted all;
  CLEVER_ASSIGN(const std::int64_t limit, number_option(invocation, "limit", 20, 1, kMostPlanRows));
  all.limit = static_cast<std::size_t>(limit);
  all.subplans = invocation.flag("subplans");
  if (const auto after = invocation.value("after")) {
    auto plan = model::PlanId::parse(*after);
    if (!plan.ok()) return std::move(plan).error().add_context("--after");
    all.after = *plan;
  }
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

struct ListedPlans {
  /// The first plans, up to the limit.
  std::vector<PlanSummary> plans{};
  /// How many there are, of all ages.
  std::size_t total = 0;
  /// There are older ones.
  bool has_more = false;
  /// Completed plans that were applied and taken back.
  std::set<model::PlanId> undone{};
};

// What completed and does not stand was taken back.
base::Result<void> find_undone(storage::Plans& plans, const Wanted& wanted, ListedPlans& all,
                               Context& context) {
  storage::PlanFilter filter = wanted.filter;
  for (const PlanSummary& plan : all.plans) {
    if (plan.state == "complete") all.undone.insert(plan.id);
  }
  filter.standing = true;
  model::PlanId after = wanted.after;
  const std::size_t most = std::min(kPlansPerPage, all.plans.size());
  while (!all.undone.empty()) {
    CLEVER_ASSIGN(const auto page, plans.list(filter, most, after, context.stop()));
    for (const PlanSummary& plan : page) all.undone.erase(plan.id);
    if (page.size() < most || page.back().id < *all.undone.begin()) break;
    after = page.back().id;
  }
  return {};
}

base::Result<std::size_t> count(storage::Plans& plans, const Wanted& wanted, Context& context) {
  CLEVER_ASSIGN(const auto counts, plans.count(wanted.filter, wanted.subplans, context.stop()));
  std::size_t total = 0;
  for (const storage::ProjectPlans& one : counts) {
    if (context.sees_project(one.project)) total += one.plans;
  }
  return total;
}

base::Result<ListedPlans> found(const PlanDatabase& database, const Wanted& wanted,
                                Context& context) {
  storage::Plans plans(database.engine());
  ListedPlans all;
  CLEVER_ASSIGN(all.total, count(plans, wanted, context));
  model::PlanId after = wanted.after;
  // One more than is shown tells whether there are more.
  const std::size_t most = std::min(kPlansPerPage, wanted.limit + 1);
  while (true) {
    CLEVER_ASSIGN(const auto page, plans.list(wanted.filter, most, after, context.stop()));
    for (const PlanSummary& plan : page) {
      after = plan.id;
      if (plan.parent && !wanted.subplans) continue;
      if (!context.sees_project(plan.project)) continue;
      all.has_more = all.plans.size() == wanted.limit;
      if (all.has_more) break;
      all.plans.push_back(plan);
    }
    if (all.has_more || page.size() < most) break;
  }
  CLEVER_TRY(find_undone(plans, wanted, all, context));
  return all;
}

Document listed_plan_document(const PlanSummary& plan, bool undone) {
  Document entry = Document::map()
                       .set("plan_id", plan.id.to_string())
                       .set("phase", plan.phase)
                       .set("state", plan.state)
                       .set("undone", undone)
                       .set("summary", plan.title)
                       .set("created_at", shown_time(plan.created))
                       .set("updated_at", shown_time(plan.updated))
                       .set("action", plan.action)
                       .set("project", plan.project)
                       .set("cost_usd", static_cast<double>(plan.spent) / 1e6);
  if (plan.parent) entry.set("parent", plan.parent.to_string());
  return entry;
}

// "2026-01-31 09:05": precise enough to tell plans apart.
std::string to_the_minute(model::Timestamp time) {
  std::string text = shown_time(time).substr(0, 16);
  std::ranges::replace(text, 'T', ' ');
  return text;
}

std::vector<Span> listed_plan_row(const PlanSummary& plan, bool undone, bool with_project) {
  std::vector<Span> cells{{plan.id.to_string(), Tone::kStrong},
                          {plan.phase + "/" + plan.state + (undone ? " (undone)" : ""),
                           undone ? Tone::kDim : tone_of_state(plan.state)},
                          {to_the_minute(plan.created), Tone::kDim},
                          {dollars(plan.spent)},
                          {(plan.parent ? "↳ " : "") + one_line(plan.title, kListedTitleWidth)}};
  if (with_project) cells.push_back({plan.project, Tone::kDim});
  return cells;
}

base::Result<Report> list_plans(const Invocation& invocation, Context& context) {
  CLEVER_ASSIGN(const Wanted which, wanted(invocation, context));
  CLEVER_ASSIGN(const PlanDatabase database, PlanDatabase::open(invocation, context));
  CLEVER_ASSIGN(const ListedPlans listed, found(database, which, context));
  const bool with_project = invocation.flag("all-projects");
  Report report;
  Document all = Document::list();
  Table table{"", {"plan", "state", "created", "cost", "task"}, {}};
  if (with_project) table.columns.emplace_back("project");
  for (const PlanSummary& plan : listed.plans) {
    const bool undone = listed.undone.contains(plan.id);
    all.push(listed_plan_document(plan, undone));
    table.rows.push_back(listed_plan_row(plan, undone, with_project));
  }
  report.data.set("plans", std::move(all))
      .set("total", listed.total)
      .set("next", listed.has_more ? Document(listed.plans.back().id.to_string()) : Document());
  if (listed.has_more && !which.after) {
    const std::string total = std::to_string(listed.total);
    report.messages.push_back(
        {Message::Level::kNote, "showing the newest " + std::to_string(listed.plans.size()) +
                                    " of " + total + " plans: --limit " + total + " lists all"});
  }
  if (listed.plans.empty()) {
    report.view = {
        Prose{{{{"No plan matches. "}, {"agents run \"TASK\"", Tone::kStrong}, {" makes one."}}}}};
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
                      {.name = "after", .value = "PLAN", .summary = "Only those older than this"},
                      {.name = "limit", .value = "N", .summary = "Show at most N (default: 20)"},
                      plan_database_option()},
          .examples = {{"agents plan list", "The plans of this folder"},
                       {"agents plan list --all-projects --state waiting", "What waits for you"},
                       {"agents plan list --format json", "For a program"}},
          .handler = list_plans};
}

}  // namespace clever::service
