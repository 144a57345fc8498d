#include "crash/engine/journals.h"

#include <gtest/gtest.h>

#include "base/clock.h"
#include "plan/decide.h"
#include "storage/database_source.h"
#include "storage/database_url.h"
#include "storage/journal.h"
#include "storage/plans.h"

namespace clever::engine::crash {
namespace {

constexpr std::string_view kTitle = "Sign page ";
constexpr std::size_t kAll = 1000;

std::size_t page_of(const storage::PlanSummary& plan) {
  if (!plan.parent) return 0;
  return plan.title.starts_with(kTitle)
             ? static_cast<std::size_t>(std::stoul(plan.title.substr(kTitle.size())))
             : kAll;
}

void count(const std::vector<model::StoredEvent>& events, std::size_t page, Journals& journals) {
  for (const model::StoredEvent& event : events) {
    if (event.kind == model::ModelAnswered::kKind) ++journals.answers[page];
    ++journals.kinds[event.kind];
  }
}

}  // namespace

Journals journals_of(const std::filesystem::path& home) {
  base::SystemClock clock;
  storage::DatabaseSource source({}, clock);
  const auto engine =
      source.open(storage::DatabaseUrl::parse("", {.home = home}).value(), {}).value();
  storage::Plans plans(*engine);
  storage::Journal journal(*engine, clock);
  Journals journals;
  for (const storage::PlanSummary& plan : plans.list({}, kAll).value()) {
    const auto loaded = journal.load(plan.id);
    EXPECT_TRUE(loaded.ok()) << loaded.error().sentence();
    if (!loaded.ok() || loaded->events.empty()) continue;
    count(loaded->events, page_of(plan), journals);
    if (plan.parent) continue;
    EXPECT_FALSE(journals.root.has_value()) << "two plans were made of one run";
    journals.root = plan::fold(loaded->events).value();
  }
  if (journals.root) {
    const auto budget = storage::Budgets(*engine).find("plan/" + journals.root->id.to_string());
    EXPECT_TRUE(budget.ok()) << budget.error().sentence();
    if (budget.ok()) journals.budget = *budget;
  }
  return journals;
}

}  // namespace clever::engine::crash
