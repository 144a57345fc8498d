#pragma once
// A store of plans on the models' disk: what was transacted survives a crash, nothing else.

#include <string>
#include <vector>

#include "engine/plan_store.h"
#include "reports/environment.h"

namespace clever::reports {

/// One process's store of one plan. Thread-safe.
class DiskPlans final : public engine::PlanStore {
 public:
  explicit DiskPlans(Disk& disk) : disk_(disk) {}

  base::Result<storage::Lease> acquire(const model::PlanId& plan) override;
  base::Result<void> release(const storage::Lease& /*lease*/) override { return {}; }
  base::Result<std::vector<storage::Lease>> renew() override {
    return std::vector<storage::Lease>();
  }
  base::Result<storage::LoadedPlan> load(const model::PlanId& plan) override;
  void append(storage::Append append, Done<storage::Head> done) override;

  base::Result<std::vector<storage::Command>> pending(const model::PlanId& /*plan*/) override {
    return std::vector<storage::Command>();
  }
  base::Result<storage::CommandReceipt> send(const model::PlanId& /*plan*/, std::string /*key*/,
                                             std::string /*body*/) override {
    return base::unavailable("there is no inbox");
  }
  base::Result<storage::CommandReceipt> receipt(const model::PlanId& /*plan*/,
                                                const std::string& /*key*/) override {
    return base::not_found("there is no inbox");
  }
  [[nodiscard]] std::vector<storage::Statement> send_statements(const model::PlanId& /*plan*/,
                                                                std::string /*key*/,
                                                                std::string /*body*/) override {
    return {};
  }
  base::Result<std::vector<storage::Body>> bodies(
      std::span<const base::Sha256Digest> /*hashes*/) override {
    return base::not_found("there are no bodies");
  }
  base::Result<storage::Budgets::Room> room(const std::vector<std::string>& /*scopes*/,
                                            const model::Cost& /*cost*/) override {
    return storage::Budgets::Room{};
  }
  base::Result<void> ensure_cap(const std::string& /*scope*/,
                                const storage::Caps& /*caps*/) override {
    return {};
  }
  [[nodiscard]] std::unique_ptr<storage::Subscription> watch(
      const model::PlanId& /*plan*/, std::function<void()> /*wake*/) override {
    return nullptr;
  }
  [[nodiscard]] std::unique_ptr<storage::Subscription> watch_budget(
      const std::string& /*scope*/, std::function<void()> /*wake*/) override {
    return nullptr;
  }

 private:
  Disk& disk_;
};

}  // namespace clever::reports
