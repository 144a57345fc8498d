#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <utility>

#include "base/clock.h"
#include "provider/governor/alarms.h"

namespace clever::sim {

/// What will happen, in the order of time: a world in one thread, the same in every run. Not
/// thread-safe.
class Events {
 public:
  [[nodiscard]] base::SimulatedClock& clock() { return clock_; }
  [[nodiscard]] base::TimePoint now() const { return clock_.now(); }

  void at(base::TimePoint when, std::function<void()> what) {
    pending_.emplace(std::pair{std::max(when, now()), ++number_}, std::move(what));
  }
  void after(base::Duration delay, std::function<void()> what) {
    at(now() + delay, std::move(what));
  }

  /// False if nothing is left.
  bool run_next() {
    if (pending_.empty()) return false;
    auto next = pending_.extract(pending_.begin());
    clock_.advance(next.key().first - now());
    next.mapped()();
    return true;
  }
  void run_for(base::Duration duration) {
    const base::TimePoint end = now() + duration;
    while (!pending_.empty() && pending_.begin()->first.first <= end) run_next();
    clock_.advance(end - now());
  }
  /// Until nothing is left; false if that takes more than `limit` events.
  bool run_all(std::size_t limit = 10'000'000) {
    for (; limit > 0; --limit) {
      if (!run_next()) return true;
    }
    return false;
  }

 private:
  base::SimulatedClock clock_;
  std::map<std::pair<base::TimePoint, std::uint64_t>, std::function<void()>> pending_;
  std::uint64_t number_ = 0;
};

/// Alarms of the simulated world.
class SimulatedAlarms final : public provider::Alarms {
 public:
  explicit SimulatedAlarms(Events& events) : events_(events) {}

  [[nodiscard]] std::unique_ptr<provider::Alarm> make(std::function<void()> ring) override {
    return std::make_unique<SimulatedAlarm>(*this, std::move(ring));
  }
  /// How often one rang.
  [[nodiscard]] std::size_t rung() const { return rung_; }

 private:
  struct State {
    std::function<void()> ring;
    std::uint64_t setting = 0;
  };
  class SimulatedAlarm final : public provider::Alarm {
   public:
    SimulatedAlarm(SimulatedAlarms& alarms, std::function<void()> ring)
        : alarms_(alarms), state_(std::make_shared<State>(State{std::move(ring)})) {}

    void set(base::TimePoint at) override {
      const std::uint64_t setting = ++state_->setting;
      alarms_.events_.at(at, [&alarms = alarms_, weak = std::weak_ptr(state_), setting] {
        const auto state = weak.lock();
        if (state == nullptr || state->setting != setting) return;
        ++alarms.rung_;
        state->ring();
      });
    }

   private:
    SimulatedAlarms& alarms_;
    const std::shared_ptr<State> state_;
  };

  Events& events_;
  std::size_t rung_ = 0;
};

}  // namespace clever::sim
