#include "storage/budgets.h"

#include "storage/internal/budget_text.h"
#include "storage/keys.h"
#include "storage/row_digest.h"

namespace clever::storage {
namespace {

constexpr Sql kFindBudget =
    "SELECT scope, cap, token_cap, reserved, tokens_reserved, spent, tokens_spent, overrun "
    "FROM budget_sum WHERE scope = $1";
constexpr Sql kListBudgets =
    "SELECT scope, cap, token_cap, reserved, tokens_reserved, spent, tokens_spent, overrun "
    "FROM budget_sum ORDER BY scope";
// Orphaned: a later reservation covers the same effect, or the effect is settled.
constexpr Sql kReservations =
    "SELECT r.plan, r.sequence, r.effect, r.scopes, r.money, r.tokens, r.time, "
    "CASE WHEN EXISTS (SELECT 1 FROM budget_reservation later WHERE later.effect = r.effect "
    "                  AND later.plan = r.plan AND later.sequence > r.sequence) "
    "     OR EXISTS (SELECT 1 FROM effect e WHERE e.id = r.effect AND e.settled IS NOT NULL) "
    "THEN 1 ELSE 0 END FROM budget_reservation r ORDER BY r.time, r.plan, r.sequence";

constexpr Sql kSealCap =
    "INSERT INTO budget_seal (scope, digest, overrun) VALUES ($1, $2, 0) "
    "ON CONFLICT (scope) DO UPDATE SET digest = excluded.digest, overrun = 0";
// A row that was deleted by hand and is inserted again keeps the seal of its predecessor.
constexpr Sql kEnsureSeal =
    "INSERT INTO budget_seal (scope, digest, overrun) VALUES ($1, $2, 0) "
    "ON CONFLICT (scope) DO NOTHING";

Budget budget_of(const Row& row) {
  return {row.text(0),
          {row.integer(1), row.integer(2)},
          {row.integer(3), row.integer(4)},
          {row.integer(5), row.integer(6)},
          row.integer(7)};
}

Reservation reservation_of(const Row& row) {
  return {.plan = id_of<model::PlanId>(row.blob(0)),
          .sequence = row.integer(1),
          .effect = row.is_null(2) ? model::EffectId() : id_of<model::EffectId>(row.blob(2)),
          .scopes = scopes_of_text(row.text(3)),
          .cost = {row.integer(4), row.integer(5)},
          .time = model::to_timestamp(row.integer(6)),
          .orphaned = row.integer(7) != 0};
}

bool is_nearly(std::int64_t used, std::int64_t cap) {
  return cap < model::kLargestAmount && used >= cap - cap / 10;
}

base::Result<void> check_cap(const std::string& scope, std::int64_t cap, const char* unit) {
  if (cap >= 0 && cap <= model::kLargestAmount) return {};
  return base::invalid_argument("the cap of " + scope + " must be between 0 and " +
                                std::to_string(model::kLargestAmount) + " " + unit + ", not " +
                                std::to_string(cap));
}

base::Result<void> check_caps(const std::string& scope, const Caps& caps) {
  CLEVER_TRY(check_cap(scope, caps.money, "millionths of a dollar"));
  return check_cap(scope, caps.tokens, "tokens");
}

}  // namespace

bool Budget::nearly_used_up() const {
  return is_nearly(spent.money, cap.money) || is_nearly(spent.tokens, cap.tokens);
}

std::string budget_topic(const std::string& scope) { return "budget/" + scope; }

base::Result<void> Budgets::set_cap(const std::string& scope, const Caps& caps,
                                    const base::StopToken& stop, base::Deadline deadline) {
  CLEVER_TRY(check_caps(scope, caps));
  UnitOfWork unit;
  // Without a cap, plans spend without updating this row. Every append that began without the cap
  // has committed before this unit starts, so the sum includes it; every later append sees the cap
  // and updates the row.
  unit.be_alone();
  unit.run(
      "INSERT INTO budget (scope, cap, token_cap, reserved, spent, digest) "
      "VALUES ($1, $2, $3, 0, 0, $4) "
      "ON CONFLICT (scope) DO UPDATE SET cap = excluded.cap, token_cap = excluded.token_cap, "
      "digest = excluded.digest, overrun = 0, reserved = 0, spent = 0, tokens_reserved = 0, "
      "tokens_spent = 0",
      scope, caps.money, caps.tokens, caps_digest(scope, caps.money, caps.tokens));
  unit.run(kSealCap, scope, caps_digest(scope, caps.money, caps.tokens));
  unit.run(
      "UPDATE budget SET (reserved, spent, tokens_reserved, tokens_spent) = "
      "(SELECT COALESCE(SUM(e.reserved), 0), COALESCE(SUM(e.spent), 0), "
      "COALESCE(SUM(e.tokens_reserved), 0), COALESCE(SUM(e.tokens_spent), 0) "
      "FROM budget_entry e WHERE e.scope = budget.scope) "
      "WHERE scope = $1 AND (cap < $2 OR token_cap < $2)",
      scope, model::kLargestAmount);
  unit.notify(budget_topic(scope));
  CLEVER_TRY(engine_.commit(std::move(unit), stop, deadline));
  return {};
}

base::Result<void> Budgets::ensure_cap(const std::string& scope, const Caps& caps,
                                       const base::StopToken& stop, base::Deadline deadline) {
  UnitOfWork unit;
  CLEVER_TRY(add_ensure_cap(unit, scope, caps));
  CLEVER_TRY(engine_.commit(std::move(unit), stop, deadline));
  return {};
}

base::Result<void> Budgets::add_ensure_cap(UnitOfWork& unit, const std::string& scope,
                                           const Caps& caps) {
  CLEVER_TRY(check_caps(scope, caps));
  unit.run(
      "INSERT INTO budget (scope, cap, token_cap, reserved, spent, digest) "
      "VALUES ($1, $2, $3, 0, 0, $4) ON CONFLICT (scope) DO NOTHING",
      scope, caps.money, caps.tokens, caps_digest(scope, caps.money, caps.tokens));
  unit.run(kEnsureSeal, scope, caps_digest(scope, caps.money, caps.tokens));
  return {};
}

base::Result<Budget> Budgets::find(const std::string& scope, const base::StopToken& stop,
                                   base::Deadline deadline) {
  CLEVER_ASSIGN(const Rows rows, engine_.query(statement(kFindBudget, scope), stop, deadline));
  if (rows.empty()) return base::not_found("the scope " + scope + " has no budget");
  return budget_of(rows[0]);
}

base::Result<std::vector<Budget>> Budgets::list(const base::StopToken& stop,
                                                base::Deadline deadline) {
  CLEVER_ASSIGN(const Rows rows, engine_.query(statement(kListBudgets), stop, deadline));
  std::vector<Budget> budgets;
  for (const Row& row : rows) budgets.push_back(budget_of(row));
  return budgets;
}

base::Result<std::vector<Reservation>> Budgets::reservations(const base::StopToken& stop,
                                                             base::Deadline deadline) {
  CLEVER_ASSIGN(const Rows rows, engine_.query(statement(kReservations), stop, deadline));
  std::vector<Reservation> reservations;
  for (const Row& row : rows) reservations.push_back(reservation_of(row));
  return reservations;
}

base::Result<Budgets::Room> Budgets::room(const std::vector<std::string>& scopes,
                                          const model::Cost& cost, const base::StopToken& stop,
                                          base::Deadline deadline) {
  Room room;
  const auto look = [&](Snapshot& view) -> base::Result<void> {
    for (const std::string& scope : scopes) {
      CLEVER_ASSIGN(const Rows rows, view.query(kFindBudget, scope));
      Budget budget = rows.empty() ? Budget{.scope = scope, .cap = {0, 0}} : budget_of(rows[0]);
      if (budget.fits(cost)) continue;
      Budget settled = budget;
      settled.reserved = {};
      room = {settled.fits(cost) ? Room::Answer::kWait : Room::Answer::kFull, std::move(budget)};
      if (room.answer == Room::Answer::kFull) return {};
    }
    return {};
  };
  CLEVER_TRY(engine_.read(look, stop, deadline));
  return room;
}

}  // namespace clever::storage
