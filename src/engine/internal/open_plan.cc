#include "engine/internal/plan_driver.h"
#include "plan/decide.h"

namespace clever::engine::internal {
namespace {

base::Result<plan::State> fold(const model::PlanId& plan, const storage::LoadedPlan& loaded) {
  plan::State none;
  none.id = plan;
  if (loaded.events.empty()) return none;
  return plan::fold(loaded.events);
}

// Reads under the lease, so no other process appends meanwhile.
base::Result<OpenedPlan> read(PlanStore& store, const model::PlanId& plan, storage::Lease lease) {
  CLEVER_ASSIGN(const storage::LoadedPlan loaded, store.load(plan));
  CLEVER_ASSIGN(plan::State state, fold(plan, loaded));
  return OpenedPlan{std::move(lease), loaded.state.head, std::move(state)};
}

base::Result<void> check_exists(PlanStore& store, const model::PlanId& plan) {
  CLEVER_ASSIGN(const storage::LoadedPlan loaded, store.load(plan));
  if (loaded.events.empty()) return base::not_found("there is no plan " + plan.to_string());
  return {};
}

}  // namespace

OpenAnswer open_plan(PlanStore& store, const model::PlanId& plan, bool may_be_new) {
  // Checks before it takes the lease: a plan that this program cannot read is left to others.
  if (!may_be_new) {
    if (auto exists = check_exists(store, plan); !exists.ok()) return {std::move(exists).error()};
  }
  const auto lease = store.acquire(plan);
  if (!lease.ok()) return {lease.error(), lease.error().code() == base::ErrorCode::kConflict};
  auto opened = read(store, plan, *lease);
  if (!opened.ok()) (void)store.release(*lease);
  return {std::move(opened)};
}

}  // namespace clever::engine::internal
