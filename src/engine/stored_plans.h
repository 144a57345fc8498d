#pragma once
#include <chrono>

#include "base/clock.h"
#include "engine/plan_store.h"
#include "storage/engine.h"
#include "storage/owner_lock.h"

namespace clever::engine {

/// Plans in a database.
///
/// One per process and database, made by the composition root. Thread-safe. All it was given must
/// outlive it.
class StoredPlans final : public PlanStore {
 public:
  StoredPlans(storage::Engine& engine, const base::Clock& clock, const storage::OwnerLock& owner,
              std::chrono::milliseconds lease = std::chrono::seconds{30});

  base::Result<storage::Lease> acquire(const model::PlanId& plan) override;
  base::Result<void> release(const storage::Lease& lease) override;
  [[nodiscard]] base::Result<std::optional<FirstStatements>> first_statements(
      const model::PlanId& plan, const storage::Caps& caps) override;
  base::Result<std::vector<storage::Lease>> renew() override;

  base::Result<storage::LoadedPlan> load(const model::PlanId& plan) override;
  base::Result<storage::JournalState> journal(const model::PlanId& plan) override;
  void append(storage::Append append, Done<storage::Head> done) override;

  base::Result<std::vector<storage::Command>> pending(const model::PlanId& plan) override;
  base::Result<storage::CommandReceipt> send(const model::PlanId& plan, std::string key,
                                             std::string body) override;
  base::Result<storage::CommandReceipt> receipt(const model::PlanId& plan,
                                                const std::string& key) override;
  [[nodiscard]] std::vector<storage::Statement> send_statements(const model::PlanId& plan,
                                                                std::string key,
                                                                std::string body) override;

  base::Result<std::vector<storage::Body>> bodies(
      std::span<const base::Sha256Digest> hashes) override;

  base::Result<storage::Budgets::Room> room(const std::vector<std::string>& scopes,
                                            const model::Cost& cost) override;
  base::Result<void> ensure_cap(const std::string& scope, const storage::Caps& caps) override;

  [[nodiscard]] std::unique_ptr<storage::Subscription> watch(const model::PlanId& plan,
                                                             std::function<void()> wake) override;
  [[nodiscard]] std::unique_ptr<storage::Subscription> watch_inbox(
      const model::PlanId& plan, std::function<void()> wake) override;
  [[nodiscard]] std::unique_ptr<storage::Subscription> watch_budget(
      const std::string& scope, std::function<void()> wake) override;

 private:
  storage::Engine& engine_;
  const storage::OwnerLock& owner_;
  const std::chrono::microseconds ttl_;
  storage::Journal journal_;
  storage::Leases leases_;
  storage::Inbox inbox_;
  storage::Bodies bodies_;
  storage::Budgets budgets_;
};

}  // namespace clever::engine
