#include "storage/plans.h"

#include <algorithm>
#include <functional>
#include <map>

#include "storage/internal/filled_id.h"
#include "storage/internal/plan_row.h"
#include "storage/keys.h"
#include "storage/tombstones.h"

namespace clever::storage {
namespace {

#define CLEVER_PLAN_COLUMNS                                                              \
  "SELECT id, parent, title, action, project, phase, state, decisions, spent, created, " \
  "updated, sequence FROM plan "
#define CLEVER_PLAN_PAGE                                                                           \
  "AND id < $1 AND ($2 = '' OR phase = $2) AND ($3 = '' OR state = $3) "                           \
  "AND ($5 = 0 OR (state NOT IN ('cancelled', 'cancelling', 'errored') AND NOT EXISTS ("           \
  "SELECT 1 FROM event WHERE event.plan = plan.id AND event.kind = 'apply.undone' AND NOT EXISTS " \
  "("                                                                                              \
  "SELECT 1 FROM event AS later WHERE later.plan = event.plan AND later.kind = 'apply.ended' "     \
  "AND later.sequence > event.sequence)))) ORDER BY id DESC LIMIT $4"

constexpr Sql kAllPlans = CLEVER_PLAN_COLUMNS "WHERE 1 = 1 " CLEVER_PLAN_PAGE;
constexpr Sql kPlansOfProject = CLEVER_PLAN_COLUMNS "WHERE project = $6 " CLEVER_PLAN_PAGE;
constexpr Sql kPlansOfParent = CLEVER_PLAN_COLUMNS "WHERE parent = $6 " CLEVER_PLAN_PAGE;
constexpr Sql kPlansOfBoth =
    CLEVER_PLAN_COLUMNS "WHERE project = $6 AND parent = $7 " CLEVER_PLAN_PAGE;
constexpr Sql kFindPlan = CLEVER_PLAN_COLUMNS "WHERE id = $1";
constexpr Sql kPlansBetween =
    CLEVER_PLAN_COLUMNS "WHERE id >= $1 AND id <= $2 ORDER BY id DESC LIMIT 2";

constexpr Sql kCountPlans =
    "SELECT project, COUNT(*) FROM plan WHERE ($1 = '' OR project = $1) "
    "AND ($2 = '' OR state = $2) AND ($3 = 1 OR parent IS NULL) GROUP BY project";
// The same for all states, from one index each.
constexpr Sql kCountAllPlans = "SELECT project, COUNT(*) FROM plan GROUP BY project";
constexpr Sql kCountSubplans =
    "SELECT project || '', COUNT(*) FROM plan WHERE parent >= $1 GROUP BY 1";

#undef CLEVER_PLAN_COLUMNS
#undef CLEVER_PLAN_PAGE

Sql page_of(const PlanFilter& filter) {
  if (filter.project.empty()) return filter.parent ? kPlansOfParent : kAllPlans;
  return filter.parent ? kPlansOfBoth : kPlansOfProject;
}

// Greater than every id.
const Blob& beyond_all() {
  static const Blob kBeyond{std::string(17, '\xff')};
  return kBeyond;
}

Statement page(const PlanFilter& filter, std::size_t limit, const model::PlanId& after) {
  Statement look = statement(page_of(filter), after ? to_blob(after) : beyond_all(), filter.phase,
                             filter.state, limit, std::int64_t{filter.standing});
  if (!filter.project.empty()) look.parameters.emplace_back(filter.project);
  if (filter.parent) look.parameters.emplace_back(to_blob(filter.parent));
  return look;
}

}  // namespace

base::Result<std::vector<PlanSummary>> Plans::list(const PlanFilter& filter, std::size_t limit,
                                                   const model::PlanId& after,
                                                   const base::StopToken& stop,
                                                   base::Deadline deadline) {
  if (!filter.also.empty()) return list_of_all(filter, limit, after, stop, deadline);
  CLEVER_ASSIGN(const Rows rows, engine_.query(page(filter, limit, after), stop, deadline));
  std::vector<PlanSummary> plans;
  plans.reserve(rows.size());
  for (const Row& row : rows) plans.push_back(internal::summary_of(row));
  return plans;
}

base::Result<std::vector<PlanSummary>> Plans::list_of_all(const PlanFilter& filter,
                                                          std::size_t limit,
                                                          const model::PlanId& after,
                                                          const base::StopToken& stop,
                                                          base::Deadline deadline) {
  PlanFilter one = filter;
  one.also.clear();
  CLEVER_ASSIGN(std::vector<PlanSummary> plans, list(one, limit, after, stop, deadline));
  for (const std::string& project : filter.also) {
    one.project = project;
    CLEVER_ASSIGN(const auto more, list(one, limit, after, stop, deadline));
    plans.insert(plans.end(), more.begin(), more.end());
  }
  std::ranges::sort(plans, std::ranges::greater(), &PlanSummary::id);
  if (plans.size() > limit) plans.resize(limit);
  return plans;
}

base::Result<std::vector<ProjectPlans>> Plans::count(const PlanFilter& filter, bool with_subplans,
                                                     const base::StopToken& stop) {
  std::vector<std::string> projects = filter.also;
  projects.push_back(filter.project);
  std::map<std::string, std::int64_t> counts;
  const auto add = [&](const Statement& look, std::int64_t sign) -> base::Result<void> {
    CLEVER_ASSIGN(const Rows rows, engine_.query(look, stop, base::Deadline::never()));
    for (const Row& row : rows) counts[row.text(0)] += sign * row.integer(1);
    return {};
  };
  if (filter.state.empty()) {
    CLEVER_TRY(add(statement(kCountAllPlans), 1));
    if (!with_subplans) CLEVER_TRY(add(statement(kCountSubplans, Blob{}), -1));
  } else {
    for (const std::string& project : projects) {
      CLEVER_TRY(
          add(statement(kCountPlans, project, filter.state, std::int64_t{with_subplans}), 1));
    }
  }
  std::vector<ProjectPlans> all;
  for (const auto& [project, plans] : counts) {
    const bool is_meant = filter.project.empty() || std::ranges::count(projects, project) > 0;
    if (is_meant) all.push_back({project, static_cast<std::size_t>(plans)});
  }
  return all;
}

base::Result<PlanSummary> Plans::find(const model::PlanId& plan, const base::StopToken& stop,
                                      base::Deadline deadline) {
  CLEVER_ASSIGN(const Rows rows,
                engine_.query(statement(kFindPlan, to_blob(plan)), stop, deadline));
  if (rows.empty()) return base::not_found("there is no plan " + plan.to_string());
  return internal::summary_of(rows[0]);
}

base::Result<PlanSummary> Plans::find_by_prefix(const std::string& prefix,
                                                const base::StopToken& stop,
                                                base::Deadline deadline) {
  CLEVER_ASSIGN(Blob first, internal::filled_id<model::PlanId>(prefix, '0'));
  // The first character of an id is 0 to 7, which leaves the rest free.
  CLEVER_ASSIGN(Blob last, internal::filled_id<model::PlanId>(prefix.empty() ? "7" : prefix, 'Z'));
  const Statement look = statement(kPlansBetween, std::move(first), std::move(last));
  CLEVER_ASSIGN(const Rows rows, engine_.query(look, stop, deadline));
  if (rows.empty()) {
    CLEVER_ASSIGN(const auto stone, Tombstones::find_by_prefix(engine_, prefix, stop));
    if (!stone)
      return base::not_found("no plan's id begins with '" + prefix +
                             "'; `agents plan list --all-projects` lists the plans of all folders");
    return base::not_found("the journal of plan " + stone->plan.to_string() +
                           " was deleted; `agents db verify` still checks its costs");
  }
  if (rows.size() > 1) {
    return base::conflict("the ids of several plans begin with '" + prefix + "', " +
                          internal::summary_of(rows[0]).id.to_string() + " and " +
                          internal::summary_of(rows[1]).id.to_string() +
                          " among them; type more characters");
  }
  return internal::summary_of(rows[0]);
}

}  // namespace clever::storage
