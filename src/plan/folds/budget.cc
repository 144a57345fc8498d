#include <algorithm>

#include "model/budget_events.h"
#include "plan/internal/folds.h"

namespace clever::plan::folds {

// A restarted effect gets a new reservation. The cost of the old one is unknown, so it stays until
// a person releases it.
base::Result<void> budget_reserved(State& state, const model::StoredEvent& event) {
  CLEVER_ASSIGN(model::BudgetReserved reserved, read<model::BudgetReserved>(state, event));
  if (!reserved.effect) return {};
  const auto open = state.effects.find(reserved.effect);
  OpenEffect& effect = open == state.effects.end() ? state.reserved[reserved.effect] : open->second;
  effect.reservation = event.sequence;
  effect.reserved = reserved.cost;
  effect.scopes = std::move(reserved.scopes);
  return {};
}

base::Result<void> budget_settled(State& state, const model::StoredEvent& event) {
  CLEVER_ASSIGN(const auto settled, read<model::BudgetSettled>(state, event));
  const auto held = std::ranges::find_if(state.effects, [&](const auto& one) {
    return one.second.reservation == settled.reservation;
  });
  if (held != state.effects.end()) held->second.reservation = 0;
  state.usage.cost += settled.spent.money;
  return {};
}

}  // namespace clever::plan::folds
