#include <algorithm>

#include "cli/commands/db.h"
#include "cli/plan/workplace.h"
#include "git/project.h"
#include "model/event_kinds.h"
#include "plan/decide.h"
#include "storage/journal.h"

namespace clever::cli {
namespace {

constexpr std::size_t kFoundPlansPerPage = 1000;

base::Error no_plan_here(const std::string& project) {
  return base::not_found("there is no plan for " + project +
                         " yet: `agents run \"TASK\"` makes one, and `agents plan list "
                         "--all-projects` shows those of other folders");
}

}  // namespace

Option plan_database_option() { return database_option(); }

Positional plan_positional() {
  return {.name = "PLAN",
          .summary = "Its id, or how that begins; without one, the newest plan of this folder",
          .required = false};
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
  if (!word.empty()) return plans.find_by_prefix(word, context_->stop());
  CLEVER_ASSIGN(const git::Project project, context_->project());
  model::PlanId after;
  while (true) {
    CLEVER_ASSIGN(const auto page, plans.list({.project = project.root.string()},
                                              kFoundPlansPerPage, after, context_->stop()));
    const auto root = std::ranges::find(page, model::PlanId(), &storage::PlanSummary::parent);
    if (root != page.end()) return *root;
    if (page.size() < kFoundPlansPerPage) return no_plan_here(project.root.string());
    after = page.back().id;
  }
}

base::Result<plan::State> PlanDatabase::state(const model::PlanId& plan) const {
  storage::Journal journal(*engine_, context_->clock());
  CLEVER_ASSIGN(const auto loaded, journal.load(plan, plan::kFold, context_->stop()));
  return plan::fold(loaded.events);
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

}  // namespace clever::cli
