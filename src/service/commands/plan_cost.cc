#include <algorithm>
#include <map>

#include "model/work_events.h"
#include "service/commands/budget.h"
#include "service/commands/commands.h"
#include "service/commands/db.h"
#include "service/commands/plan.h"
#include "storage/budgets.h"

namespace clever::service {
namespace {

using plan::Usage;

struct PlanCost {
  storage::PlanSummary plan;
  Usage usage{};
};

struct Costs {
  std::vector<PlanCost> plans{};
  std::map<std::string, Usage> models{};
  Usage sum{};
  std::vector<storage::Budget> budgets{};
  std::vector<storage::Reservation> put_aside{};
};

void add_answer(Usage& sum, const model::ModelAnswered& answer) {
  ++sum.calls;
  sum.input_tokens += answer.input_tokens;
  sum.output_tokens += answer.output_tokens;
  sum.cost += answer.cost;
}

base::Result<void> collect_costs(const PlanDatabase& database, const storage::PlanSummary& plan,
                                 Context& context, Costs& costs) {
  CLEVER_ASSIGN(const auto events, all_events(database, plan.id, context));
  PlanCost cost{plan};
  for (const model::StoredEvent& event : events) {
    if (event.kind != model::ModelAnswered::kKind) continue;
    CLEVER_ASSIGN(const auto answer, model::ModelAnswered::parse(event.data));
    add_answer(cost.usage, answer);
    add_answer(costs.models[answer.model], answer);
    add_answer(costs.sum, answer);
  }
  costs.plans.push_back(std::move(cost));
  return {};
}

// Finds the budgets that a call of this plan draws from.
base::Result<void> find_budgets(const MeantPlan& plan, Context& context, Costs& costs) {
  std::vector<std::string> scopes;
  if (!plan.state.settings.session.empty()) {
    scopes.push_back("session/" + plan.state.settings.session);
  }
  for (const model::PlanId& above : plan.state.settings.ancestors) {
    scopes.push_back("plan/" + above.to_string());
  }
  scopes.push_back("plan/" + plan.summary.id.to_string());
  storage::Budgets budgets(plan.database.engine());
  for (const std::string& scope : scopes) {
    auto budget = budgets.find(scope, context.stop());
    if (budget.ok()) {
      costs.budgets.push_back(*std::move(budget));
    } else if (budget.error().code() != base::ErrorCode::kNotFound) {
      return std::move(budget).error();
    }
  }
  return {};
}

// Finds the reservations of these plans' calls.
base::Result<void> find_put_aside(const MeantPlan& plan,
                                  const std::vector<storage::PlanSummary>& tree, Context& context,
                                  Costs& costs) {
  CLEVER_ASSIGN(const auto all,
                storage::Budgets(plan.database.engine()).reservations(context.stop()));
  for (const storage::Reservation& reservation : all) {
    const bool here =
        std::ranges::find(tree, reservation.plan, &storage::PlanSummary::id) != tree.end();
    if (here) costs.put_aside.push_back(reservation);
  }
  return {};
}

Document capped(std::int64_t amount, std::int64_t cap) {
  return cap >= model::kLargestAmount ? Document() : Document(static_cast<double>(amount) / 1e6);
}

Document plan_budget_document(const storage::Budget& budget) {
  return Document::map()
      .set("scope", budget.scope)
      .set("cap_usd", capped(budget.cap.money, budget.cap.money))
      .set("spent_usd", static_cast<double>(budget.spent.money) / 1e6)
      .set("reserved_usd", static_cast<double>(budget.reserved.money) / 1e6)
      .set("left_usd", capped(budget.left().money, budget.cap.money));
}

Document costs_document(const Costs& costs) {
  Document plans = Document::list();
  for (const PlanCost& cost : costs.plans) {
    plans.push(Document::map()
                   .set("plan_id", cost.plan.id.to_string())
                   .set("summary", cost.plan.title)
                   .set("usage", usage_document(cost.usage))
                   .set("settled_usd", static_cast<double>(cost.plan.spent) / 1e6));
  }
  Document models = Document::list();
  for (const auto& [name, usage] : costs.models) {
    models.push(Document::map().set("model", name).set("usage", usage_document(usage)));
  }
  Document budgets = Document::list();
  for (const storage::Budget& budget : costs.budgets) budgets.push(plan_budget_document(budget));
  return Document::map()
      .set("usage", usage_document(costs.sum))
      .set("plans", std::move(plans))
      .set("models", std::move(models))
      .set("budgets", std::move(budgets))
      .set("reservations", reservations_document(costs.put_aside));
}

std::string grouped_number(std::int64_t value) {
  return grouped(static_cast<std::uint64_t>(value));
}

std::vector<Span> usage_row(Span name, const Usage& usage, std::string last) {
  return {std::move(name),
          {grouped_number(usage.calls)},
          {grouped_number(usage.input_tokens)},
          {grouped_number(usage.output_tokens)},
          {dollars(usage.cost)},
          {std::move(last)}};
}

View costs_view(const Costs& costs) {
  Table plans{"plans", {"plan", "calls", "tokens in", "out", "cost", "task"}, {}};
  for (const PlanCost& cost : costs.plans) {
    plans.rows.push_back(usage_row({cost.plan.id.to_string(), Tone::kStrong}, cost.usage,
                                   one_line(cost.plan.title, 60)));
  }
  if (costs.plans.size() > 1) plans.rows.push_back(usage_row({"all"}, costs.sum, ""));
  View view{std::move(plans)};
  if (!costs.models.empty()) {
    Table models{"models", {"model", "calls", "tokens in", "out", "cost", ""}, {}};
    for (const auto& [name, usage] : costs.models)
      models.rows.push_back(usage_row({name}, usage, ""));
    view.emplace_back(std::move(models));
  }
  if (!costs.budgets.empty()) {
    Table budgets{"budgets", {"scope", "cap", "spent", "reserved", "left"}, {}};
    for (const storage::Budget& budget : costs.budgets) {
      const bool has_cap = budget.cap.money < model::kLargestAmount;
      budgets.rows.push_back({{budget.scope},
                              {cap_text(budget.cap.money, true)},
                              {dollars(budget.spent.money)},
                              {dollars(budget.reserved.money)},
                              has_cap
                                  ? Span{dollars(std::max<std::int64_t>(budget.left().money, 0)),
                                         budget.nearly_used_up() ? Tone::kWarn : Tone::kGood}
                                  : Span{"no cap"}});
    }
    view.emplace_back(std::move(budgets));
  }
  if (!costs.put_aside.empty()) view.emplace_back(reservations_table(costs.put_aside));
  return view;
}

base::Result<Report> show_costs(const Invocation& invocation, Context& context) {
  CLEVER_ASSIGN(const MeantPlan plan, meant_plan(invocation, context));
  CLEVER_ASSIGN(const auto tree, plan.database.tree(plan.summary.id));
  Costs costs;
  for (const storage::PlanSummary& each : tree) {
    CLEVER_TRY(collect_costs(plan.database, each, context, costs));
  }
  CLEVER_TRY(find_budgets(plan, context, costs));
  CLEVER_TRY(find_put_aside(plan, tree, context, costs));
  Report report;
  warn_of_orphans(costs.put_aside, report);
  report.data = costs_document(costs);
  report.data.set("plan_id", plan.summary.id.to_string());
  report.view = costs_view(costs);
  return report;
}

}  // namespace

Command plan_cost_command() {
  return {.name = "cost",
          .summary = "Show what a plan spent, by subplan and by model, and what is left",
          .positionals = {plan_positional()},
          .options = {plan_database_option()},
          .examples = {{"agents plan cost", "The newest plan of this folder"},
                       {"agents plan cost 01JD --format json", "A given plan, for a program"}},
          .handler = show_costs};
}

}  // namespace clever::service
