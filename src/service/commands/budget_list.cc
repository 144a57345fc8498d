#include "service/commands/budget.h"
#include "service/commands/commands.h"
#include "service/commands/db.h"
#include "storage/budgets.h"
#include "storage/keys.h"
#include "storage/plans.h"

namespace clever::service {
namespace {

using storage::Budget;

Document cost_document(const model::Cost& cost) {
  return Document::map().set("microdollars", cost.money).set("tokens", cost.tokens);
}

// Null means no cap.
Document cap(std::int64_t cap) { return cap >= model::kLargestAmount ? Document() : Document(cap); }

std::string_view condition(const Budget& budget) {
  if (budget.overruns > 0) return "overrun";
  const bool used_up =
      budget.spent.money >= budget.cap.money || budget.spent.tokens >= budget.cap.tokens;
  if (used_up) return "used up";
  // It is free again once the calls that reserved it have ended.
  if (budget.left().money <= 0 || budget.left().tokens <= 0) return "reserved";
  return budget.nearly_used_up() ? "nearly used up" : "ok";
}

Tone tone(std::string_view condition) {
  if (condition == "ok" || condition == "reserved") return Tone::kGood;
  return condition == "nearly used up" ? Tone::kWarn : Tone::kBad;
}

Document budget_document(const Budget& budget) {
  return Document::map()
      .set("scope", budget.scope)
      .set("cap", Document::map()
                      .set("microdollars", cap(budget.cap.money))
                      .set("tokens", cap(budget.cap.tokens)))
      .set("reserved", cost_document(budget.reserved))
      .set("spent", cost_document(budget.spent))
      .set("overruns", budget.overruns)
      .set("condition", condition(budget));
}

std::vector<Span> budget_row(const Budget& budget) {
  const std::string_view how = condition(budget);
  return {{budget.scope, Tone::kStrong},
          {cap_text(budget.cap.money, true)},
          {dollars(budget.spent.money)},
          {dollars(budget.reserved.money)},
          {cap_text(budget.cap.tokens, false)},
          {grouped(static_cast<std::uint64_t>(budget.spent.tokens))},
          {std::string(how), tone(how)}};
}

// A caller with namespaces sees only what the plans in them cost.
bool sees_plan(storage::Engine& engine, const model::PlanId& plan, Context& context) {
  const auto found = storage::Plans(engine).find(plan, context.stop());
  return found.ok() && context.sees_project(found->project);
}

bool sees_scope(storage::Engine& engine, const std::string& scope, Context& context) {
  const model::PlanId plan = storage::plan_of(scope);
  return plan && sees_plan(engine, plan, context);
}

base::Result<Report> show_budgets(const storage::DatabaseUrl& url, const Invocation&,
                                  Context& context) {
  CLEVER_ASSIGN(const auto engine, open_existing(url, context, Schema::kNewest));
  storage::Budgets budgets(*engine);
  CLEVER_ASSIGN(auto scopes, budgets.list(context.stop()));
  CLEVER_ASSIGN(auto reservations, budgets.reservations(context.stop()));
  if (!context.sees_all()) {
    std::erase_if(
        scopes, [&](const Budget& budget) { return !sees_scope(*engine, budget.scope, context); });
    std::erase_if(reservations, [&](const storage::Reservation& reservation) {
      return !sees_plan(*engine, reservation.plan, context);
    });
  }
  Report report;
  Document scope_list = Document::list();
  Table scope_table{
      "", {"scope", "cap", "spent", "reserved", "token cap", "tokens", "condition"}, {}};
  for (const Budget& budget : scopes) {
    scope_list.push(budget_document(budget));
    scope_table.rows.push_back(budget_row(budget));
  }
  warn_of_orphans(reservations, report);
  report.data.set("scopes", std::move(scope_list))
      .set("reservations", reservations_document(reservations));
  if (scopes.empty()) {
    report.view = {Prose{{{{"Nothing has been spent or capped yet."}}}}};
    return report;
  }
  report.view = {std::move(scope_table)};
  if (!reservations.empty()) report.view.emplace_back(reservations_table(reservations));
  return report;
}

base::Result<Report> list_budgets(const Invocation& invocation, Context& context) {
  return with_database(show_budgets, invocation, context);
}

}  // namespace

Command budget_list_command() {
  return {.name = "list",
          .summary = "List all scopes with caps, spending and reservations",
          .options = {database_option()},
          .examples = {{"agents budget list", "All scopes"},
                       {"agents budget list --format json", "The same for a program"}},
          .handler = list_budgets};
}

}  // namespace clever::service
