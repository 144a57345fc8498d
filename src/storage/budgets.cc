#include "storage/budgets.h"

namespace clever::storage {
namespace {

Budget budget_of(const Row& row) {
  return {row.text(0), row.integer(1), row.integer(2), row.integer(3)};
}

}  // namespace

base::Result<void> Budgets::set_cap(const std::string& scope, model::Microdollars cap,
                                    const base::StopToken& stop, base::Deadline deadline) {
  if (cap < 0 || cap > model::kLargestAmount) {
    return base::invalid_argument("the cap of " + scope + " must be between 0 and " +
                                  std::to_string(model::kLargestAmount) +
                                  " millionths of a dollar, not " + std::to_string(cap));
  }
  UnitOfWork unit;
  unit.run(
      "INSERT INTO budget (scope, cap, reserved, spent) VALUES ($1, $2, 0, 0) "
      "ON CONFLICT (scope) DO UPDATE SET cap = excluded.cap",
      scope, cap);
  CLEVER_TRY(engine_.commit(std::move(unit), stop, deadline));
  return {};
}

base::Result<Budget> Budgets::find(const std::string& scope, const base::StopToken& stop,
                                   base::Deadline deadline) {
  const Statement look =
      statement("SELECT scope, cap, reserved, spent FROM budget WHERE scope = $1", scope);
  CLEVER_ASSIGN(const Rows rows, engine_.query(look, stop, deadline));
  if (rows.empty()) return base::not_found("the scope " + scope + " has no budget");
  return budget_of(rows[0]);
}

base::Result<std::vector<Budget>> Budgets::list(const base::StopToken& stop,
                                                base::Deadline deadline) {
  const Statement look = statement("SELECT scope, cap, reserved, spent FROM budget ORDER BY scope");
  CLEVER_ASSIGN(const Rows rows, engine_.query(look, stop, deadline));
  std::vector<Budget> budgets;
  for (const Row& row : rows) budgets.push_back(budget_of(row));
  return budgets;
}

}  // namespace clever::storage
