#include <algorithm>
#include <cstddef>

#include "model/budget_events.h"
#include "storage/budgets.h"
#include "storage/internal/budget_text.h"
#include "storage/keys.h"
#include "storage/projections/projections.h"
#include "storage/row_digest.h"

namespace clever::storage::projections {
namespace {

constexpr Refusal kUsedUp{base::ErrorCode::kResourceExhausted,
                          "the budget does not have that much left, or its scope has no cap"};
constexpr Refusal kNotReserved{base::ErrorCode::kConflict,
                               "the plan has no such reservation: it was settled before, or never "
                               "made"};

// A capped scope is counted in its row of `budget`, which the plans that share it update in turn:
// only this keeps the sum below the cap. An uncapped scope is not counted; a query sums its shares
// (budget_sum), so that plans that share only such scopes never wait for each other.
// Budgets::set_cap runs alone, so that an append never sees a cap come or go.
void count_reserved(const std::string& scope, const model::Cost& cost, UnitOfWork& unit) {
  unit.add_late(statement(
      "UPDATE budget SET reserved = reserved + $2, tokens_reserved = tokens_reserved + $3 "
      "WHERE scope = $1 AND (cap < $4 OR token_cap < $4)",
      scope, cost.money, cost.tokens, model::kLargestAmount));
}

// One statement changes a plan's shares in this many scopes, because a statement costs more than a
// row. (A plan's shares are its own: no other plan waits for them.)
constexpr std::size_t kScopesAtOnce = 4;

template <class Change>
void for_scopes(const std::vector<std::string>& scopes, Change change) {
  for (std::size_t first = 0; first < scopes.size(); first += kScopesAtOnce) {
    const std::size_t count = std::min(kScopesAtOnce, scopes.size() - first);
    // Naming a scope twice changes nothing.
    const auto scope = [&](std::size_t i) { return scopes[first + std::min(i, count - 1)]; };
    change(count, scope(0), scope(1), scope(2), scope(3));
  }
}

// Runs after the count, and refuses what exceeds a cap. A plan's share stays below the largest
// amount even without a cap, so that shares can be summed.
void share_reserved(const model::StoredEvent& event, const std::vector<std::string>& scopes,
                    const model::Cost& cost, UnitOfWork& unit) {
  for_scopes(scopes, [&](std::size_t count, auto... names) {
    unit.add_late(required(
        count, kUsedUp,
        "INSERT INTO budget_entry (scope, plan, reserved, spent, tokens_reserved, tokens_spent) "
        "SELECT scope, $1, $2, 0, $3, 0 FROM budget WHERE scope IN ($5, $6, $7, $8) "
        "AND overrun = 0 AND reserved + spent <= cap AND tokens_reserved + tokens_spent <= "
        "token_cap "
        "ON CONFLICT (scope, plan) DO UPDATE SET "
        "reserved = budget_entry.reserved + excluded.reserved, "
        "tokens_reserved = budget_entry.tokens_reserved + excluded.tokens_reserved "
        "WHERE budget_entry.reserved + budget_entry.spent + excluded.reserved <= $4 "
        "AND budget_entry.tokens_reserved + budget_entry.tokens_spent + excluded.tokens_reserved "
        "<= $4",
        to_blob(event.plan), cost.money, cost.tokens, model::kLargestAmount, names...));
  });
}

// Grants without a check: the append was granted when it was made.
void restore_share(const model::StoredEvent& event, const std::string& scope,
                   const model::Cost& cost, UnitOfWork& unit) {
  unit.add_late(statement(
      "INSERT INTO budget_entry (scope, plan, reserved, spent, tokens_reserved, tokens_spent) "
      "VALUES ($1, $2, $3, 0, $4, 0) ON CONFLICT (scope, plan) DO UPDATE SET "
      "reserved = budget_entry.reserved + excluded.reserved, "
      "tokens_reserved = budget_entry.tokens_reserved + excluded.tokens_reserved",
      scope, to_blob(event.plan), cost.money, cost.tokens));
}

// A scope that lost its cap admits nothing until a person sets a new one.
void ensure_scope(const std::string& scope, UnitOfWork& unit) {
  const Blob digest = caps_digest(scope, 0, model::kLargestAmount);
  unit.add_late(
      statement("INSERT INTO budget (scope, cap, token_cap, reserved, spent, digest) "
                "VALUES ($1, 0, $2, 0, 0, $3) ON CONFLICT (scope) DO NOTHING",
                scope, model::kLargestAmount, digest));
  unit.add_late(
      statement("INSERT INTO budget_seal (scope, digest, overrun) VALUES ($1, $2, 0) "
                "ON CONFLICT (scope) DO NOTHING",
                scope, digest));
}

// The end of a reservation, from its event.
struct End {
  std::int64_t reservation;
  const std::vector<std::string>& scopes;
  const model::Cost& reserved;
  model::Cost spent{};
  bool open_ended = false;

  // The cost exceeded the worst case: the plan and those above it stop until a person has looked.
  [[nodiscard]] bool overruns(const std::string& scope) const {
    return !open_ended && scope.starts_with("plan/") &&
           (spent.money > reserved.money || spent.tokens > reserved.tokens);
  }
};

void count_end(const std::string& scope, const End& end, UnitOfWork& unit) {
  unit.notify(budget_topic(scope));
  unit.add_late(
      statement("UPDATE budget SET reserved = reserved - $2, spent = spent + $3, "
                "tokens_reserved = tokens_reserved - $4, tokens_spent = tokens_spent + $5 "
                "WHERE scope = $1 AND (cap < $6 OR token_cap < $6)",
                scope, end.reserved.money, end.spent.money, end.reserved.tokens, end.spent.tokens,
                model::kLargestAmount));
  if (!end.overruns(scope)) return;
  unit.add_late(statement("UPDATE budget SET overrun = overrun + 1 WHERE scope = $1", scope));
  unit.add_late(statement("UPDATE budget_seal SET overrun = overrun + 1 WHERE scope = $1", scope));
}

void count_end(const End& end, UnitOfWork& unit) {
  for (const std::string& scope : end.scopes) count_end(scope, end, unit);
}

void end_reservation(const model::StoredEvent& event, const End& end, Projecting why,
                     UnitOfWork& unit) {
  if (why == Projecting::kAppend) count_end(end, unit);
  for_scopes(end.scopes, [&](std::size_t count, auto... names) {
    unit.add_late(
        required(count, kNotReserved,
                 "UPDATE budget_entry SET reserved = reserved - $2, spent = spent + $3, "
                 "tokens_reserved = tokens_reserved - $4, tokens_spent = tokens_spent + $5 "
                 "WHERE plan = $1 AND scope IN ($6, $7, $8, $9)",
                 to_blob(event.plan), end.reserved.money, end.spent.money, end.reserved.tokens,
                 end.spent.tokens, names...));
  });
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
      count_reserved(scope, reserved.cost, unit);
    } else {
      ensure_scope(scope, unit);
      restore_share(event, scope, reserved.cost, unit);
    }
  }
  if (why == Projecting::kAppend) share_reserved(event, reserved.scopes, reserved.cost, unit);
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
  end_reservation(
      event,
      {settled.reservation, settled.scopes, settled.reserved, settled.spent, settled.open_ended},
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
