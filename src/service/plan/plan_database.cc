#include <algorithm>

#include "base/text.h"
#include "git/project.h"
#include "git/project_group.h"
#include "model/event_kinds.h"
#include "plan/decide.h"
#include "service/commands/db.h"
#include "service/plan/workplace.h"
#include "service/text.h"
#include "storage/journal.h"
#include "storage/keys.h"

namespace clever::service {
namespace {

constexpr std::size_t kFoundPlansPerPage = 1000;
constexpr std::size_t kShortestEnding = 4;

base::Error no_plan_here(const std::string& project) {
  return base::not_found("no plan exists for " + project +
                         " yet: `agents run \"TASK\"` starts one; `agents plan list "
                         "--all-projects` lists the plans of other folders");
}

}  // namespace

storage::PlanFilter plans_of(const std::string& project, const Context& context) {
  storage::PlanFilter filter{.project = project};
  for (const auto& group : git::groups_with(project, context.home())) {
    filter.also.push_back(group.string());
  }
  return filter;
}

Option plan_database_option() { return database_option(); }

Positional plan_positional() {
  return {
      .name = "PLAN",
      .summary = "Its id, or the beginning or end of it (default: the newest plan of this folder)",
      .required = false,
      .completes = Completes::kPlan};
}

base::Result<PlanDatabase> PlanDatabase::open(const Invocation& invocation, Context& context) {
  CLEVER_ASSIGN(const auto url, database_url(invocation, context));
  CLEVER_TRY(require_lasting(url));
  auto engine = context.databases().open(url, engine_options(context), context.stop());
  if (!engine.ok()) return blame_file(engine.error());
  return PlanDatabase(*std::move(engine), context);
}

base::Result<storage::PlanSummary> PlanDatabase::find(const std::string& word) const {
  storage::Plans plans(*engine_);
  if (!word.empty()) {
    auto found = plans.find_by_prefix(word, context_->stop());
    if (!found.ok() && found.error().code() != base::ErrorCode::kConflict) {
      CLEVER_ASSIGN(auto ending, find_by_ending(word));
      if (ending) return *std::move(ending);
    }
    if (!found.ok() && found.error().code() == base::ErrorCode::kInvalidArgument) {
      return base::invalid_argument(
          "no plan matches " + in_quotes(word) +
          ": give the beginning or end of its id, as `agents plan list` shows it");
    }
    if (!found.ok()) return found.error();
    if (context_->sees_project(found->project)) return found;
    return base::not_found("there is no plan " + in_quotes(word) +
                           "; `agents plan list` lists them");
  }
  CLEVER_ASSIGN(const git::Project project, context_->project());
  model::PlanId after;
  while (true) {
    CLEVER_ASSIGN(const auto page, plans.list(plans_of(project.root.string(), *context_),
                                              kFoundPlansPerPage, after, context_->stop()));
    const auto root = std::ranges::find(page, model::PlanId(), &storage::PlanSummary::parent);
    if (root != page.end()) return *root;
    if (page.size() < kFoundPlansPerPage) return no_plan_here(project.root.string());
    after = page.back().id;
  }
}

base::Result<void> PlanDatabase::each_plan(
    const storage::PlanFilter& filter,
    const std::function<void(const storage::PlanSummary&)>& take) const {
  storage::Plans plans(*engine_);
  model::PlanId after;
  while (true) {
    CLEVER_ASSIGN(const auto page, plans.list(filter, kFoundPlansPerPage, after, context_->stop()));
    std::ranges::for_each(page, take);
    if (page.size() < kFoundPlansPerPage) return {};
    after = page.back().id;
  }
}

// Ids of the same minute begin alike; their ends are random.
base::Result<std::optional<storage::PlanSummary>> PlanDatabase::find_by_ending(
    const std::string& word) const {
  if (word.size() < kShortestEnding) return std::optional<storage::PlanSummary>();
  const std::string ending = base::upper_case(word);
  std::vector<storage::PlanSummary> found;
  CLEVER_TRY(each_plan({}, [&](const storage::PlanSummary& plan) {
    if (!plan.id.to_string().ends_with(ending) || !context_->sees_project(plan.project)) return;
    found.push_back(plan);
  }));
  if (found.empty()) return std::optional<storage::PlanSummary>();
  if (found.size() == 1) return std::optional(std::move(found.front()));
  return base::conflict("the ids of " + std::to_string(found.size()) + " plans end with " +
                        in_quotes(word) + ", " + found[0].id.to_string() + " and " +
                        found[1].id.to_string() + " among them: type more characters");
}

base::Result<std::vector<storage::PlanSummary>> PlanDatabase::in_states(
    const std::vector<std::string_view>& states) const {
  CLEVER_ASSIGN(const git::Project project, context_->project());
  std::vector<storage::PlanSummary> found;
  CLEVER_TRY(
      each_plan(plans_of(project.root.string(), *context_), [&](const storage::PlanSummary& plan) {
        if (!plan.parent && std::ranges::find(states, plan.state) != states.end()) {
          found.push_back(plan);
        }
      }));
  return found;
}

base::Result<plan::State> PlanDatabase::state(const model::PlanId& plan) const {
  storage::Journal journal(*engine_, context_->clock());
  CLEVER_ASSIGN(const auto loaded, journal.load(plan, context_->stop()));
  return plan::fold(loaded.events);
}

base::Result<std::vector<PlanSummary>> PlanDatabase::list(const std::string& project,
                                                          std::size_t most,
                                                          const base::StopToken& stop) const {
  return storage::Plans(*engine_).list(plans_of(project, *context_), most, {}, stop);
}

base::Result<std::vector<DecisionNode>> PlanDatabase::decisions(const model::PlanId& plan,
                                                                const base::StopToken& stop) const {
  return storage::Decisions(*engine_).tree(plan, stop);
}

std::unique_ptr<Subscription> PlanDatabase::on_new_plan(std::function<void()> note) const {
  return engine_->subscribe(std::string(storage::kPlansTopic), std::move(note));
}

std::unique_ptr<Subscription> PlanDatabase::on_change(const model::PlanId& plan,
                                                      std::function<void()> note) const {
  return engine_->subscribe(storage::plan_name(plan), std::move(note));
}

base::Result<std::vector<storage::PlanSummary>> PlanDatabase::tree(
    const model::PlanId& plan) const {
  storage::Plans plans(*engine_);
  CLEVER_ASSIGN(storage::PlanSummary top, plans.find(plan, context_->stop()));
  std::vector<storage::PlanSummary> all{std::move(top)};
  for (std::size_t next = 0; next < all.size(); ++next) {
    model::PlanId after;
    const std::size_t first = all.size();
    while (true) {
      CLEVER_ASSIGN(const auto page, plans.list({.parent = all[next].id}, kFoundPlansPerPage, after,
                                                context_->stop()));
      all.insert(all.end(), page.begin(), page.end());
      if (page.size() < kFoundPlansPerPage) break;
      after = page.back().id;
    }
    std::ranges::reverse(all.begin() + static_cast<std::ptrdiff_t>(first), all.end());
  }
  return all;
}

}  // namespace clever::service
