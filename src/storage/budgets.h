#pragma once
#include <string>
#include <vector>

#include "base/deadline.h"
#include "base/result.h"
#include "base/stop_token.h"
#include "model/budget_events.h"
#include "storage/engine.h"

namespace clever::storage {

/// What a scope may cost, and what it has cost so far. A value.
struct Budget {
  std::string scope{};
  model::Microdollars cap = 0;
  model::Microdollars reserved = 0;
  model::Microdollars spent = 0;

  [[nodiscard]] model::Microdollars left() const { return cap - reserved - spent; }
  friend bool operator==(const Budget&, const Budget&) = default;
};

/// Caps on money, shared by all plans that name a scope. Money is reserved and settled by events
/// (model::BudgetReserved, model::BudgetSettled); an append that would pass a cap is refused with
/// `resource_exhausted`, whoever else reserves at the same moment.
///
/// Thread-safe. The engine must outlive it.
class Budgets {
 public:
  explicit Budgets(Engine& engine) : engine_(engine) {}

  /// Sets the cap of a scope. Below what is reserved and spent it keeps more from being reserved.
  base::Result<void> set_cap(const std::string& scope, model::Microdollars cap,
                             const base::StopToken& stop = {},
                             base::Deadline deadline = base::Deadline::never());

  /// `not_found` for a scope without a cap.
  [[nodiscard]] base::Result<Budget> find(const std::string& scope,
                                          const base::StopToken& stop = {},
                                          base::Deadline deadline = base::Deadline::never());

  /// All of them, by scope.
  [[nodiscard]] base::Result<std::vector<Budget>> list(
      const base::StopToken& stop = {}, base::Deadline deadline = base::Deadline::never());

 private:
  Engine& engine_;
};

}  // namespace clever::storage
