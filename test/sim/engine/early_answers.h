#pragma once
#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "engine/plan_store.h"
#include "model/event_hash.h"
#include "sim/engine/sim_scheduler.h"

namespace clever::sim {

/// A store that says an append is durable before it is: what follows from it is handed out too
/// early. Broken on purpose.
class EarlyAnswers final : public engine::PlanStore {
 public:
  EarlyAnswers(engine::PlanStore& store, SimScheduler& scheduler)
      : store_(store), scheduler_(scheduler) {}

  void append(storage::Append append, Done<storage::Head> done) override {
    scheduler_.deliver([done = std::move(done), head = head_of(append)]() mutable { done(head); });
    scheduler_.deliver([this, append = std::move(append)]() mutable {
      store_.append(std::move(append), [](const auto&) {});
    });
  }

  base::Result<storage::Lease> acquire(const model::PlanId& plan) override {
    return store_.acquire(plan);
  }
  base::Result<void> release(const storage::Lease& lease) override { return store_.release(lease); }
  base::Result<std::vector<storage::Lease>> renew() override { return store_.renew(); }
  base::Result<storage::LoadedPlan> load(const model::PlanId& plan) override {
    return store_.load(plan);
  }
  base::Result<std::vector<storage::Command>> pending(const model::PlanId& plan) override {
    return store_.pending(plan);
  }
  base::Result<storage::CommandReceipt> send(const model::PlanId& plan, std::string key,
                                             std::string body) override {
    return store_.send(plan, std::move(key), std::move(body));
  }
  base::Result<storage::CommandReceipt> receipt(const model::PlanId& plan,
                                                const std::string& key) override {
    return store_.receipt(plan, key);
  }
  [[nodiscard]] std::vector<storage::Statement> send_statements(const model::PlanId& plan,
                                                                std::string key,
                                                                std::string body) override {
    return store_.send_statements(plan, std::move(key), std::move(body));
  }
  base::Result<std::vector<storage::Body>> bodies(
      std::span<const base::Sha256Digest> hashes) override {
    return store_.bodies(hashes);
  }
  base::Result<storage::Budgets::Room> room(const std::vector<std::string>& scopes,
                                            const model::Cost& cost) override {
    return store_.room(scopes, cost);
  }
  base::Result<void> ensure_cap(const std::string& scope, const storage::Caps& caps) override {
    return store_.ensure_cap(scope, caps);
  }
  [[nodiscard]] std::unique_ptr<storage::Subscription> watch(const model::PlanId& plan,
                                                             std::function<void()> wake) override {
    return store_.watch(plan, std::move(wake));
  }
  [[nodiscard]] std::unique_ptr<storage::Subscription> watch_budget(
      const std::string& scope, std::function<void()> wake) override {
    return store_.watch_budget(scope, std::move(wake));
  }

 private:
  [[nodiscard]] storage::Head head_of(const storage::Append& append) const {
    storage::Head head = append.expected;
    for (const model::Event& event : append.events) {
      auto bodies = event.bodies;
      std::ranges::sort(bodies);
      const model::StoredEvent stored{
          .plan = append.plan,
          .sequence = head.sequence + 1,
          .epoch = append.epoch,
          .time = std::chrono::floor<std::chrono::microseconds>(scheduler_.clock().wall_now()),
          .kind = event.kind,
          .version = event.version,
          .data = event.data};
      head = {stored.sequence, model::event_hash(head.hash, stored, bodies)};
    }
    return head;
  }

  engine::PlanStore& store_;
  SimScheduler& scheduler_;
};

}  // namespace clever::sim
