#pragma once
// A strategy that does what a test says.

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/monitor.h"
#include "context/parallel_strategy_executor.h"
#include "context/strategy.h"

namespace clever::context::internal {

class TestStrategy final : public Strategy {
 public:
  using Proposed = base::Result<std::vector<Candidate>>;
  using Propose = std::function<Proposed(const base::StopToken&, base::Deadline)>;

  TestStrategy(std::string name, Propose propose, base::Duration time_limit = {})
      : name_(std::move(name)), propose_(std::move(propose)), time_limit_(time_limit) {}

  [[nodiscard]] std::string_view name() const override { return name_; }
  [[nodiscard]] double quality() const override { return 0.5; }
  [[nodiscard]] double confidence(const Question& /*question*/) const override { return 0.5; }
  [[nodiscard]] base::Duration time_limit() const override { return time_limit_; }
  [[nodiscard]] Proposed propose(const Question& /*question*/, std::size_t /*budget*/,
                                 const base::StopToken& stop, base::Deadline deadline) override {
    return propose_(stop, deadline);
  }

 private:
  // Constant after construction.
  const std::string name_;
  const Propose propose_;
  const base::Duration time_limit_;
};

inline ParallelStrategyExecutor::Job job(std::string name, TestStrategy::Propose propose,
                                         base::Duration time_limit = {}) {
  return {std::make_shared<TestStrategy>(std::move(name), std::move(propose), time_limit), 100};
}

/// Proposes the file of this path.
inline ParallelStrategyExecutor::Job proposing(const std::string& name, const std::string& path) {
  return job(name, [path](const base::StopToken&, base::Deadline) {
    return std::vector{Candidate{.path = path, .relevance = 0.5}};
  });
}

inline ParallelStrategyExecutor::Job failing(const std::string& name) {
  return job(name, [](const base::StopToken&, base::Deadline) -> TestStrategy::Proposed {
    return base::unavailable("no luck");
  });
}

/// A door that hanging strategies wait at; owned by all that use it.
class Door {
 public:
  void open() {
    state_->update([](State& state) { state.open = true; });
  }
  /// Ignores the stop and the deadline.
  void pass() const {
    state_->update([](State& state) { ++state.arrived; });
    (void)state_->wait({}, base::Deadline::never(), [](const State& state) { return state.open; });
    state_->update([](State& state) { ++state.passed; });
  }
  void await_arrivals(int count) const {
    (void)state_->wait({}, base::Deadline::never(),
                       [count](const State& state) { return state.arrived >= count; });
  }
  void await_passed(int count) const {
    (void)state_->wait({}, base::Deadline::never(),
                       [count](const State& state) { return state.passed >= count; });
  }
  [[nodiscard]] int arrived() const {
    return state_->read([](const State& state) { return state.arrived; });
  }

 private:
  struct State {
    bool open = false;
    int arrived = 0;
    int passed = 0;
  };
  std::shared_ptr<base::Monitor<State>> state_ = std::make_shared<base::Monitor<State>>();
};

/// Ignores its stop: returns when the door is open.
inline ParallelStrategyExecutor::Job hanging(const std::string& name, const Door& door) {
  return job(name, [door](const base::StopToken&, base::Deadline) {
    door.pass();
    return std::vector{Candidate{.path = "late.txt"}};
  });
}

}  // namespace clever::context::internal
