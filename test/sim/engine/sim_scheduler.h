#pragma once
#include <chrono>
#include <deque>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/random.h"
#include "engine/scheduler.h"

namespace clever::sim {

/// Runs the tasks of one process in one thread and chooses the next by a random number: strands
/// keep their order, everything else comes in any. Time moves on when nothing else is to be done.
/// Not thread-safe.
class SimScheduler final : public engine::Scheduler {
 public:
  SimScheduler(base::SimulatedClock& clock, base::Random& random)
      : clock_(clock), random_(random), blocking_(*this), network_(*this, false) {
    blocking_.queue->ordered = false;
  }

  [[nodiscard]] std::unique_ptr<base::Executor> make_strand() override {
    return std::make_unique<Executor>(*this);
  }
  [[nodiscard]] base::Executor& blocking() override { return blocking_; }
  [[nodiscard]] base::Clock& clock() override { return clock_; }
  [[nodiscard]] std::unique_ptr<engine::Alarm> at(base::TimePoint due, base::Executor& executor,
                                                  base::Task&& task) override {
    auto pending = std::make_shared<Pending>(&executor, std::move(task));
    const auto key = std::pair{due, ++number_};
    alarms_.emplace(key, pending);
    return std::make_unique<SimAlarm>(std::move(pending));
  }
  /// Arrives sooner or later.
  void deliver(base::Task task) { (void)network_.post(std::move(task)); }
  void after(base::Duration delay, base::Task task) {
    auto pending = std::make_shared<Pending>(&network_, std::move(task));
    kept_.push_back(pending);
    alarms_.emplace(std::pair{clock_.now() + delay, ++number_}, std::move(pending));
  }

  /// Runs one task; false if nothing is left to be done.
  bool step() {
    for (;;) {
      std::erase_if(queues_, [](const auto& weak) { return weak.expired(); });
      std::vector<std::shared_ptr<Queue>> ready;
      for (const auto& weak : queues_) {
        if (auto queue = weak.lock(); !queue->tasks.empty()) ready.push_back(std::move(queue));
      }
      if (!ready.empty()) {
        run_one_of(*ready[random_.below(ready.size())]);
        return true;
      }
      if (!ring()) return false;
    }
  }
  /// The process is gone: nothing runs any more.
  void crash() {
    dead_ = true;
    alarms_.clear();
    kept_.clear();
    for (const auto& weak : queues_) {
      if (const auto queue = weak.lock()) std::exchange(queue->tasks, {});
    }
  }

 private:
  struct Queue {
    std::deque<base::Task> tasks{};
    bool ordered = true;
  };
  class Executor final : public base::Executor {
   public:
    explicit Executor(SimScheduler& scheduler, bool ordered = true)
        : queue(std::make_shared<Queue>()), scheduler_(scheduler) {
      queue->ordered = ordered;
      scheduler.queues_.push_back(queue);
    }
    base::Result<void> post(base::Task&& task) override {
      if (scheduler_.dead_) return base::cancelled("the process is gone");
      queue->tasks.push_back(std::move(task));
      return {};
    }
    const std::shared_ptr<Queue> queue;

   private:
    SimScheduler& scheduler_;
  };
  struct Pending {
    base::Executor* executor;
    base::Task task;
  };
  class SimAlarm final : public engine::Alarm {
   public:
    explicit SimAlarm(std::shared_ptr<Pending> pending) : pending_(std::move(pending)) {}

   private:
    const std::shared_ptr<Pending> pending_;
  };

  void run_one_of(Queue& queue) {
    const std::size_t index = queue.ordered ? 0 : random_.below(queue.tasks.size());
    base::Task task = std::move(queue.tasks[index]);
    queue.tasks.erase(queue.tasks.begin() + static_cast<std::ptrdiff_t>(index));
    task();
  }
  // The next alarm that was not cancelled.
  bool ring() {
    while (!alarms_.empty()) {
      const auto node = alarms_.extract(alarms_.begin());
      const auto pending = node.mapped().lock();
      if (pending == nullptr) continue;
      const auto due = node.key().first;
      if (due > clock_.now()) clock_.advance(due - clock_.now());
      (void)pending->executor->post(std::move(pending->task));
      std::erase(kept_, pending);
      return true;
    }
    return false;
  }

  base::SimulatedClock& clock_;
  base::Random& random_;
  std::vector<std::weak_ptr<Queue>> queues_;
  std::map<std::pair<base::TimePoint, std::uint64_t>, std::weak_ptr<Pending>> alarms_;
  std::vector<std::shared_ptr<Pending>> kept_;
  std::uint64_t number_ = 0;
  bool dead_ = false;
  Executor blocking_;
  Executor network_;
};

}  // namespace clever::sim
