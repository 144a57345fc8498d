#pragma once
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/guarded.h"
#include "base/task.h"
#include "engine/plan_store.h"
#include "sim/engine/plan_database.h"
#include "storage/keys.h"

namespace clever::sim {

/// Who listens to which topic, in whatever process. Thread-safe.
class Topics {
 public:
  [[nodiscard]] std::unique_ptr<storage::Subscription> subscribe(std::string topic,
                                                                 std::function<void()> wake) {
    auto listener = std::make_shared<const std::function<void()>>(std::move(wake));
    listeners_->with([&](Listeners& all) { all.emplace(topic, listener); });
    return std::make_unique<Handle>(listeners_, std::move(topic), std::move(listener));
  }
  [[nodiscard]] std::vector<std::weak_ptr<const std::function<void()>>> listeners(
      const std::vector<std::string>& topics) const {
    return listeners_->with([&](const Listeners& all) {
      std::vector<std::weak_ptr<const std::function<void()>>> found;
      for (const std::string& topic : topics) {
        const auto [first, last] = all.equal_range(topic);
        for (auto each = first; each != last; ++each) found.push_back(each->second);
      }
      return found;
    });
  }

 private:
  using Listeners = std::multimap<std::string, std::shared_ptr<const std::function<void()>>>;
  using Shared = std::shared_ptr<base::Guarded<Listeners>>;
  class Handle final : public storage::Subscription {
   public:
    Handle(Shared listeners, std::string topic,
           std::shared_ptr<const std::function<void()>> listener)
        : listeners_(std::move(listeners)),
          topic_(std::move(topic)),
          listener_(std::move(listener)) {}
    ~Handle() override {
      listeners_->with([&](Listeners& all) {
        std::erase_if(all, [&](const auto& each) { return each.second == listener_; });
      });
    }

   private:
    const Shared listeners_;
    const std::string topic_;
    const std::shared_ptr<const std::function<void()>> listener_;
  };
  const Shared listeners_ = std::make_shared<base::Guarded<Listeners>>();
};

/// One process's connection to a PlanDatabase. Thread-safe. `deliver` decides when the answers of
/// appends and the wake-ups arrive; none: at once, on the caller.
class MemoryPlans final : public engine::PlanStore {
 public:
  using Deliver = std::function<void(base::Task)>;

  MemoryPlans(PlanDatabase& database, Topics& topics, const base::Clock& clock, int owner = 1,
              Deliver deliver = {})
      : database_(database),
        topics_(topics),
        clock_(clock),
        owner_(owner),
        deliver_(std::move(deliver)) {}

  base::Result<storage::Lease> acquire(const model::PlanId& plan) override {
    return database_.acquire(plan, owner_);
  }
  base::Result<void> release(const storage::Lease& lease) override {
    return database_.release(lease, owner_);
  }
  base::Result<std::vector<storage::Lease>> renew() override { return database_.leases_of(owner_); }

  base::Result<storage::LoadedPlan> load(const model::PlanId& plan) override {
    return database_.read([&](const auto& tables) -> base::Result<storage::LoadedPlan> {
      const auto found = tables.journals.find(plan);
      if (found == tables.journals.end()) return base::not_found("there is no such plan");
      const PlanDatabase::Journal& journal = found->second;
      return storage::LoadedPlan{{journal.head, journal.epoch}, journal.events};
    });
  }
  /// What an append is answered instead of being tried; set before anything else happens.
  std::function<std::optional<base::Error>(const storage::Append&)> fault{};

  /// How often a wake-up comes; none: once.
  std::function<std::size_t()> echo{};

  void append(storage::Append append, Done<storage::Head> done) override {
    if (auto error = fault ? fault(append) : std::nullopt) {
      return deliver([done = std::move(done), error = *error]() mutable { done(error); });
    }
    PlanDatabase::Topics topics{storage::plan_name(append.plan)};
    topics.insert(topics.end(), append.topics.begin(), append.topics.end());
    const auto now = std::chrono::floor<std::chrono::microseconds>(clock_.wall_now());
    auto written = database_.append(append, now, topics);
    const bool committed = written.ok();
    deliver([done = std::move(done), written = std::move(written)]() mutable {
      done(std::move(written));
    });
    if (committed) publish(topics);
  }

  base::Result<std::vector<storage::Command>> pending(const model::PlanId& plan) override {
    return database_.read([&](const auto& tables) -> base::Result<std::vector<storage::Command>> {
      std::vector<storage::Command> waiting;
      for (const PlanDatabase::Command& command : tables.inbox) {
        if (command.plan != plan || command.consumed != 0) continue;
        waiting.push_back({command.id, command.key, command.body});
      }
      return waiting;
    });
  }
  base::Result<storage::CommandReceipt> send(const model::PlanId& plan, std::string key,
                                             std::string body) override {
    CLEVER_ASSIGN(storage::CommandReceipt receipt, database_.send(plan, key, body));
    publish({storage::plan_name(plan), storage::inbox_name(plan)});
    return receipt;
  }
  /// Wakes whoever listens to the plan, without a reason.
  void wake(const model::PlanId& plan) {
    publish({storage::plan_name(plan), storage::inbox_name(plan)});
  }
  base::Result<storage::CommandReceipt> receipt(const model::PlanId& plan,
                                                const std::string& key) override {
    return database_.read([&](const auto& tables) -> base::Result<storage::CommandReceipt> {
      for (const PlanDatabase::Command& command : tables.inbox) {
        if (command.plan != plan || command.key != key) continue;
        return storage::CommandReceipt{false, command.id, command.consumed, command.receipt};
      }
      return base::not_found("no such command was sent");
    });
  }
  [[nodiscard]] std::vector<storage::Statement> send_statements(const model::PlanId& plan,
                                                                std::string key,
                                                                std::string body) override {
    return {storage::statement("a command", storage::to_blob(plan), std::move(key),
                               storage::Blob{std::move(body)})};
  }

  base::Result<std::vector<storage::Body>> bodies(
      std::span<const base::Sha256Digest> hashes) override {
    return database_.read([&](const auto& tables) -> base::Result<std::vector<storage::Body>> {
      std::vector<storage::Body> found;
      for (const base::Sha256Digest& hash : hashes) {
        const auto body = tables.bodies.find(hash);
        if (body == tables.bodies.end()) return base::not_found("no such body");
        found.push_back({hash, body->second});
      }
      return found;
    });
  }

  base::Result<storage::Budgets::Room> room(const std::vector<std::string>& scopes,
                                            const model::Cost& cost) override {
    return database_.room(scopes, cost);
  }
  base::Result<void> ensure_cap(const std::string& scope, const storage::Caps& caps) override {
    database_.ensure_cap(scope, caps);
    return {};
  }

  [[nodiscard]] std::unique_ptr<storage::Subscription> watch(const model::PlanId& plan,
                                                             std::function<void()> wake) override {
    return topics_.subscribe(storage::plan_name(plan), std::move(wake));
  }
  [[nodiscard]] std::unique_ptr<storage::Subscription> watch_inbox(
      const model::PlanId& plan, std::function<void()> wake) override {
    return topics_.subscribe(storage::inbox_name(plan), std::move(wake));
  }
  [[nodiscard]] std::unique_ptr<storage::Subscription> watch_budget(
      const std::string& scope, std::function<void()> wake) override {
    return topics_.subscribe(storage::budget_topic(scope), std::move(wake));
  }

 private:
  void deliver(base::Task task) {
    if (deliver_) return deliver_(std::move(task));
    task();
  }
  void publish(const std::vector<std::string>& topics) {
    for (const auto& listener : topics_.listeners(topics)) {
      for (std::size_t times = echo ? echo() : 1; times > 0; --times) {
        deliver([listener] {
          if (const auto wake = listener.lock()) (*wake)();
        });
      }
    }
  }

  PlanDatabase& database_;
  Topics& topics_;
  const base::Clock& clock_;
  const int owner_;
  const Deliver deliver_;
};

}  // namespace clever::sim
