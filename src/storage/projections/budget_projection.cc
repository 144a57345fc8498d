#include "model/budget_events.h"
#include "storage/budgets.h"
#include "storage/internal/budget_text.h"
#include "storage/keys.h"
#include "storage/projections/projections.h"

namespace clever::storage::projections {
namespace {

constexpr Refusal kUsedUp{base::ErrorCode::kResourceExhausted,
                          "the budget has not that much left, or its scope has no cap"};
constexpr Refusal kNotReserved{base::ErrorCode::kConflict,
                               "the plan has no such reservation: it was settled before, or never "
                               "made"};

void reserve_in_entry(const model::StoredEvent& event, const std::string& scope,
                      const model::Cost& cost, UnitOfWork& unit) {
  unit.run(
      "INSERT INTO budget_entry (scope, plan, reserved, spent, tokens_reserved, tokens_spent) "
      "VALUES ($1, $2, $3, 0, $4, 0) ON CONFLICT (scope, plan) DO UPDATE SET "
      "reserved = budget_entry.reserved + excluded.reserved, "
      "tokens_reserved = budget_entry.tokens_reserved + excluded.tokens_reserved",
      scope, to_blob(event.plan), cost.money, cost.tokens);
}

// Whoever changes a scope changes its row in `budget` first: plans take turns on that row.
void reserve_in_budget(const std::string& scope, const model::Cost& cost, UnitOfWork& unit) {
  unit.require(1, kUsedUp,
               "UPDATE budget SET reserved = reserved + $2, "
               "tokens_reserved = tokens_reserved + $3 "
               "WHERE scope = $1 AND reserved + spent + $2 <= cap "
               "AND tokens_reserved + tokens_spent + $3 <= token_cap AND overrun = 0",
               scope, cost.money, cost.tokens);
}

// A scope whose cap was lost admits nothing new until it is set again.
void ensure_scope(const std::string& scope, UnitOfWork& unit) {
  unit.run(
      "INSERT INTO budget (scope, cap, reserved, spent) VALUES ($1, 0, 0, 0) "
      "ON CONFLICT (scope) DO NOTHING",
      scope);
}

// A reservation's end, as an event tells it.
struct End {
  std::int64_t reservation;
  const std::vector<std::string>& scopes;
  const model::Cost& reserved;
  model::Cost spent{};

  // More than the worst case: the plan and those above it stop until a person has looked.
  [[nodiscard]] bool overruns(const std::string& scope) const {
    return scope.starts_with("plan/") &&
           (spent.money > reserved.money || spent.tokens > reserved.tokens);
  }
};

void end_in_budget(const std::string& scope, const End& end, UnitOfWork& unit) {
  unit.run(
      "UPDATE budget SET reserved = reserved - $2, spent = spent + $3, "
      "tokens_reserved = tokens_reserved - $4, tokens_spent = tokens_spent + $5, "
      "overrun = overrun + $6 WHERE scope = $1",
      scope, end.reserved.money, end.spent.money, end.reserved.tokens, end.spent.tokens,
      end.overruns(scope));
}

void end_reservation(const model::StoredEvent& event, const End& end, Projecting why,
                     UnitOfWork& unit) {
  for (const std::string& scope : end.scopes) {
    if (why == Projecting::kAppend) {
      end_in_budget(scope, end, unit);
      unit.notify(budget_topic(scope));
    }
    unit.require(1, kNotReserved,
                 "UPDATE budget_entry SET reserved = reserved - $3, spent = spent + $4, "
                 "tokens_reserved = tokens_reserved - $5, tokens_spent = tokens_spent + $6 "
                 "WHERE scope = $1 AND plan = $2",
                 scope, to_blob(event.plan), end.reserved.money, end.spent.money,
                 end.reserved.tokens, end.spent.tokens);
  }
  unit.require(1, kNotReserved,
               "DELETE FROM budget_reservation WHERE plan = $1 AND sequence = $2 AND money = $3 "
               "AND tokens = $4 AND scopes = $5",
               to_blob(event.plan), end.reservation, end.reserved.money, end.reserved.tokens,
               scopes_text(end.scopes));
}

}  // namespace

base::Result<void> budget_reserved(const model::StoredEvent& event, Projecting why,
                                   UnitOfWork& unit) {
  CLEVER_ASSIGN(const auto reserved, model::BudgetReserved::parse(event.data));
  for (const std::string& scope : reserved.scopes) {
    if (why == Projecting::kAppend) {
      reserve_in_budget(scope, reserved.cost, unit);
    } else {
      ensure_scope(scope, unit);
    }
    reserve_in_entry(event, scope, reserved.cost, unit);
  }
  unit.run(
      "INSERT INTO budget_reservation (plan, sequence, effect, scopes, money, tokens, time) "
      "VALUES ($1, $2, $3, $4, $5, $6, $7)",
      to_blob(event.plan), event.sequence, to_blob_or_null(reserved.effect),
      scopes_text(reserved.scopes), reserved.cost.money, reserved.cost.tokens,
      model::to_microseconds(event.time));
  return {};
}

base::Result<void> budget_settled(const model::StoredEvent& event, Projecting why,
                                  UnitOfWork& unit) {
  CLEVER_ASSIGN(const auto settled, model::BudgetSettled::parse(event.data));
  end_reservation(event, {settled.reservation, settled.scopes, settled.reserved, settled.spent},
                  why, unit);
  unit.require(1, kNotCreated,
               "UPDATE plan SET spent = spent + $2, updated = $3, sequence = $4 WHERE id = $1",
               to_blob(event.plan), settled.spent.money, model::to_microseconds(event.time),
               event.sequence);
  return {};
}

base::Result<void> budget_released(const model::StoredEvent& event, Projecting why,
                                   UnitOfWork& unit) {
  CLEVER_ASSIGN(const auto released, model::BudgetReleased::parse(event.data));
  end_reservation(event, {released.reservation, released.scopes, released.reserved}, why, unit);
  return {};
}

}  // namespace clever::storage::projections
