#include "engine/stored_plans.h"

#include <utility>

#include "model/event_kinds.h"
#include "storage/keys.h"

namespace clever::engine {
namespace {

base::Result<void> check_known(const model::EventKinds& kinds, const model::StoredEvent& event) {
  if (kinds.knows(event.kind)) return {};
  return base::conflict("event " + std::to_string(event.sequence) + " of plan " +
                        event.plan.to_string() + " is a '" + event.kind +
                        "', which this program does not know: a newer agents wrote it; continue "
                        "the plan with that version");
}

}  // namespace

StoredPlans::StoredPlans(storage::Engine& engine, const base::Clock& clock,
                         const storage::OwnerLock& owner, std::chrono::milliseconds lease)
    : engine_(engine),
      owner_(owner),
      ttl_(lease),
      journal_(engine, clock),
      leases_(engine),
      inbox_(engine),
      bodies_(engine),
      budgets_(engine) {}

base::Result<storage::Lease> StoredPlans::acquire(const model::PlanId& plan) {
  return leases_.acquire(plan, owner_, ttl_);
}

base::Result<void> StoredPlans::release(const storage::Lease& lease) {
  return leases_.release(lease, owner_);
}

base::Result<std::optional<PlanStore::FirstStatements>> StoredPlans::first_statements(
    const model::PlanId& plan, const storage::Caps& caps) {
  storage::UnitOfWork before;
  storage::UnitOfWork after;
  FirstStatements first{.lease = storage::Leases::add_first(before, plan, owner_, ttl_)};
  CLEVER_TRY(storage::Budgets::add_ensure_cap(before, "plan/" + plan.to_string(), caps));
  storage::Leases::add_release(after, first.lease, owner_);
  first.before = before.statements();
  first.after = after.statements();
  return std::optional(std::move(first));
}

base::Result<std::vector<storage::Lease>> StoredPlans::renew() {
  return leases_.renew_all(owner_, ttl_);
}

base::Result<storage::LoadedPlan> StoredPlans::load(const model::PlanId& plan) {
  CLEVER_ASSIGN(storage::LoadedPlan loaded, journal_.load(plan));
  for (const model::StoredEvent& event : loaded.events) {
    CLEVER_TRY(check_known(journal_.kinds(), event));
  }
  return loaded;
}

base::Result<storage::JournalState> StoredPlans::journal(const model::PlanId& plan) {
  return journal_.state(plan);
}

void StoredPlans::append(storage::Append append, Done<storage::Head> done) {
  journal_.submit(std::move(append), std::move(done));
}

base::Result<std::vector<storage::Command>> StoredPlans::pending(const model::PlanId& plan) {
  return inbox_.pending(plan);
}

base::Result<storage::CommandReceipt> StoredPlans::send(const model::PlanId& plan, std::string key,
                                                        std::string body) {
  return inbox_.send(plan, std::move(key), std::move(body));
}

base::Result<storage::CommandReceipt> StoredPlans::receipt(const model::PlanId& plan,
                                                           const std::string& key) {
  return inbox_.receipt(plan, key);
}

std::vector<storage::Statement> StoredPlans::send_statements(const model::PlanId& plan,
                                                             std::string key, std::string body) {
  return storage::Inbox::early_statements(plan, std::move(key), std::move(body));
}

base::Result<std::vector<storage::Body>> StoredPlans::bodies(
    std::span<const base::Sha256Digest> hashes) {
  return bodies_.contents(hashes);
}

base::Result<storage::Budgets::Room> StoredPlans::room(const std::vector<std::string>& scopes,
                                                       const model::Cost& cost) {
  return budgets_.room(scopes, cost);
}

base::Result<void> StoredPlans::ensure_cap(const std::string& scope, const storage::Caps& caps) {
  return budgets_.ensure_cap(scope, caps);
}

std::unique_ptr<storage::Subscription> StoredPlans::watch(const model::PlanId& plan,
                                                          std::function<void()> wake) {
  return engine_.subscribe(storage::plan_name(plan), std::move(wake));
}

std::unique_ptr<storage::Subscription> StoredPlans::watch_inbox(const model::PlanId& plan,
                                                                std::function<void()> wake) {
  return engine_.subscribe(storage::inbox_name(plan), std::move(wake));
}

std::unique_ptr<storage::Subscription> StoredPlans::watch_budget(const std::string& scope,
                                                                 std::function<void()> wake) {
  return engine_.subscribe(storage::budget_topic(scope), std::move(wake));
}

}  // namespace clever::engine
