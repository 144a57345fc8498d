#pragma once
#include <deque>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/guarded.h"
#include "engine/scheduler.h"

namespace clever::sim {

/// An executor without a thread: whoever posts while nobody runs its tasks runs them, one at a time
/// and in order. For tests that explore schedules. Thread-safe.
class TurnExecutor final : public base::Executor {
 public:
  base::Result<void> post(base::Task&& task) override {
    const bool mine = queue_->with([&](Queue& queue) {
      queue.tasks.push_back(std::move(task));
      return !std::exchange(queue.running, true);
    });
    if (mine) run(queue_);
    return {};
  }

 private:
  struct Queue {
    std::deque<base::Task> tasks{};
    bool running = false;
  };
  using Shared = std::shared_ptr<base::Guarded<Queue>>;
  // Outlives the executor: a task may destroy it.
  static void run(const Shared& shared) {
    const Shared held = shared;
    while (true) {
      base::Task next;
      held->with([&](Queue& queue) {
        if (queue.tasks.empty()) {
          queue.running = false;
          return;
        }
        next = std::move(queue.tasks.front());
        queue.tasks.pop_front();
      });
      if (!next) return;
      next();
    }
  }
  const Shared queue_ = std::make_shared<base::Guarded<Queue>>();
};

/// The same, but it can be told to keep what is posted. Thread-safe.
class HoldingExecutor final : public base::Executor {
 public:
  base::Result<void> post(base::Task&& task) override {
    const bool kept = held_.with([&](Held& held) {
      if (held.holds) held.tasks.push_back(std::move(task));
      return held.holds;
    });
    return kept ? base::Result<void>() : turns_.post(std::move(task));
  }
  void hold() {
    held_.with([](Held& held) { held.holds = true; });
  }
  /// Runs what was kept so far; how many tasks that were.
  std::size_t run() {
    auto tasks = held_.with([](Held& held) { return std::exchange(held.tasks, {}); });
    for (base::Task& task : tasks) task();
    return tasks.size();
  }

 private:
  struct Held {
    bool holds = false;
    std::vector<base::Task> tasks{};
  };
  base::Guarded<Held> held_;
  TurnExecutor turns_;
};

/// Runs everything on the threads that ask for it; alarms ring when the test says so. Thread-safe.
class TurnScheduler final : public engine::Scheduler {
 public:
  explicit TurnScheduler(base::Clock& clock) : clock_(clock) {}

  [[nodiscard]] std::unique_ptr<base::Executor> make_strand() override {
    return std::make_unique<TurnExecutor>();
  }
  [[nodiscard]] base::Executor& blocking() override { return blocking_; }
  [[nodiscard]] HoldingExecutor& storing() override { return storing_; }
  [[nodiscard]] base::Clock& clock() override { return clock_; }
  [[nodiscard]] std::unique_ptr<engine::Alarm> at(base::TimePoint /*due*/, base::Executor& executor,
                                                  base::Task&& task) override {
    auto pending = std::make_shared<Pending>(&executor, std::move(task));
    pending_.with([&](auto& all) { all.push_back(pending); });
    return std::make_unique<HandAlarm>(std::move(pending));
  }
  /// Rings all alarms that were not cancelled; how many.
  std::size_t ring() {
    auto all = pending_.with([](auto& pending) { return std::exchange(pending, {}); });
    std::size_t rung = 0;
    for (const auto& weak : all) {
      const auto pending = weak.lock();
      if (pending == nullptr) continue;
      ++rung;
      (void)pending->executor->post(std::move(pending->task));
    }
    return rung;
  }

 private:
  struct Pending {
    base::Executor* executor;
    base::Task task;
  };
  class HandAlarm final : public engine::Alarm {
   public:
    explicit HandAlarm(std::shared_ptr<Pending> pending) : pending_(std::move(pending)) {}

   private:
    const std::shared_ptr<Pending> pending_;
  };
  base::Clock& clock_;
  TurnExecutor blocking_;
  HoldingExecutor storing_;
  base::Guarded<std::vector<std::weak_ptr<Pending>>> pending_;
};

}  // namespace clever::sim
