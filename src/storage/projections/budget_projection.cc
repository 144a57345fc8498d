#include "model/budget_events.h"
#include "storage/keys.h"
#include "storage/projections/projections.h"

namespace clever::storage::projections {
namespace {

constexpr Refusal kUsedUp{base::ErrorCode::kResourceExhausted,
                          "the budget has not that much left, or its scope has no cap"};
constexpr Refusal kNotReserved{base::ErrorCode::kConflict,
                               "the plan has not reserved as much as it wants to settle"};

void reserve_in_entry(const model::StoredEvent& event, const std::string& scope,
                      model::Microdollars amount, UnitOfWork& unit) {
  unit.run(
      "INSERT INTO budget_entry (scope, plan, reserved, spent) VALUES ($1, $2, $3, 0) "
      "ON CONFLICT (scope, plan) DO UPDATE SET reserved = budget_entry.reserved + "
      "excluded.reserved",
      scope, to_blob(event.plan), amount);
}

// Whoever changes a scope changes its row in `budget` first: plans take turns on that row.
void reserve_in_budget(const std::string& scope, model::Microdollars amount, UnitOfWork& unit) {
  unit.require(1, kUsedUp,
               "UPDATE budget SET reserved = reserved + $2 "
               "WHERE scope = $1 AND reserved + spent + $2 <= cap",
               scope, amount);
}

// A scope whose cap was lost admits nothing new until it is set again.
void ensure_scope(const std::string& scope, UnitOfWork& unit) {
  unit.run(
      "INSERT INTO budget (scope, cap, reserved, spent) VALUES ($1, 0, 0, 0) "
      "ON CONFLICT (scope) DO NOTHING",
      scope);
}

}  // namespace

base::Result<void> budget_reserved(const model::StoredEvent& event, Projecting why,
                                   UnitOfWork& unit) {
  CLEVER_ASSIGN(const auto reserved, model::BudgetReserved::parse(event.data));
  for (const std::string& scope : reserved.scopes) {
    if (why == Projecting::kAppend) {
      reserve_in_budget(scope, reserved.amount, unit);
    } else {
      ensure_scope(scope, unit);
    }
    reserve_in_entry(event, scope, reserved.amount, unit);
  }
  return {};
}

base::Result<void> budget_settled(const model::StoredEvent& event, Projecting why,
                                  UnitOfWork& unit) {
  CLEVER_ASSIGN(const auto settled, model::BudgetSettled::parse(event.data));
  for (const std::string& scope : settled.scopes) {
    if (why == Projecting::kAppend) {
      unit.run("UPDATE budget SET reserved = reserved - $2, spent = spent + $3 WHERE scope = $1",
               scope, settled.reserved, settled.spent);
    }
    unit.require(1, kNotReserved,
                 "UPDATE budget_entry SET reserved = reserved - $3, spent = spent + $4 "
                 "WHERE scope = $1 AND plan = $2 AND reserved >= $3",
                 scope, to_blob(event.plan), settled.reserved, settled.spent);
  }
  unit.require(1, kNotCreated,
               "UPDATE plan SET spent = spent + $2, updated = $3, sequence = $4 WHERE id = $1",
               to_blob(event.plan), settled.spent, model::to_microseconds(event.time),
               event.sequence);
  return {};
}

}  // namespace clever::storage::projections
