#pragma once
// Report #7088: the circuit breaker of one strategy, as reported, as proposed, and a correct one.

#include <cstdint>
#include <optional>
#include <string>

#include "base/guarded.h"
#include "reports/python.h"

namespace clever::reports::breaker {

/// Nothing is remembered about a call that was let through.
struct Call {};

/// A plain dict and a plain set, changed by whoever comes.
class Reported {
 public:
  using Permit = Call;
  explicit Reported(int threshold) : threshold_(threshold) {}

  [[nodiscard]] bool is_open() const { return disabled_.contains(kKey); }
  /// "if not is_open(): run"
  std::optional<Call> try_begin() { return is_open() ? std::nullopt : std::optional<Call>(Call{}); }
  void succeed(Call) {
    failures_.set(kKey, 0);
    disabled_.pop(kKey);
  }
  void fail(Call) {
    failures_.set(kKey, failures_.find(kKey).value_or(0) + 1);
    if (failures_.at(kKey) >= threshold_) {
      disabled_.set(kKey, true);
      openings_.append(true);
    }
  }

  /// Time enough for the strategy to recover. Nobody looks at the clock.
  void cool_down() {}
  [[nodiscard]] int total_failures() const { return failures_.find(kKey).value_or(0); }
  /// Failures counted towards opening.
  [[nodiscard]] int counted() const { return failures_.find(kKey).value_or(0); }
  [[nodiscard]] int times_opened() const { return static_cast<int>(openings_.items().size()); }

 private:
  static constexpr auto kKey = "semantic_search";
  const int threshold_;
  python::Dict<std::string, int> failures_;
  python::Dict<std::string, bool> disabled_;
  python::List<bool> openings_;
};

/// One lock around each method.
class Proposed {
 public:
  using Permit = Call;
  explicit Proposed(int threshold) : inner_(threshold) {}

  [[nodiscard]] bool is_open() const {
    const base::MutexLock lock(mutex_);
    return inner_.is_open();
  }
  std::optional<Call> try_begin() { return is_open() ? std::nullopt : std::optional<Call>(Call{}); }
  void succeed(Call call) {
    const base::MutexLock lock(mutex_);
    inner_.succeed(call);
  }
  void fail(Call call) {
    const base::MutexLock lock(mutex_);
    inner_.fail(call);
  }
  void cool_down() {}
  [[nodiscard]] int total_failures() const { return inner_.total_failures(); }
  [[nodiscard]] int counted() const { return inner_.counted(); }
  [[nodiscard]] int times_opened() const { return inner_.times_opened(); }

 private:
  mutable base::Mutex mutex_{base::LockRank::kComponent};
  Reported inner_;
};

/// The proposed fix with the nearest cure for "never closes again": an opened strategy is let
/// through once it has cooled down. Asking and running are still two steps.
class ProposedWithCoolDown {
 public:
  using Permit = Call;
  explicit ProposedWithCoolDown(int threshold) : inner_(threshold) {}

  [[nodiscard]] bool is_open() const { return inner_.is_open() && !cooled_.read(); }
  std::optional<Call> try_begin() { return is_open() ? std::nullopt : std::optional<Call>(Call{}); }
  void succeed(Call call) { inner_.succeed(call); }
  void fail(Call call) { inner_.fail(call); }
  void cool_down() { cooled_.write(true); }
  [[nodiscard]] int total_failures() const { return inner_.total_failures(); }
  [[nodiscard]] int counted() const { return inner_.counted(); }
  [[nodiscard]] int times_opened() const { return inner_.times_opened(); }

 private:
  Proposed inner_;
  python::Variable<bool> cooled_{false};
};

/// Permits that carry the generation they were issued in.
class Control {
 public:
  struct Permit {
    int generation = 0;
  };
  explicit Control(int threshold) : threshold_(threshold) {}

  [[nodiscard]] bool is_open() const {
    return state_.with([](const State& state) { return state.phase != Phase::kClosed; });
  }
  std::optional<Permit> try_begin() {
    return state_.with([](State& state) -> std::optional<Permit> {
      if (state.phase == Phase::kOpen && state.cooled) {
        enter(state, Phase::kHalfOpen);
        return Permit{state.generation};
      }
      if (state.phase != Phase::kClosed) return std::nullopt;
      return Permit{state.generation};
    });
  }
  void succeed(Permit permit) {
    state_.with([&](State& state) {
      if (permit.generation == state.generation) enter(state, Phase::kClosed);
    });
  }
  void fail(Permit permit) {
    state_.with([&](State& state) {
      ++state.total_failures;
      if (permit.generation != state.generation) return;
      ++state.counted;
      if (state.phase == Phase::kHalfOpen || state.counted >= threshold_) open(state);
    });
  }
  void cool_down() {
    state_.with([](State& state) { state.cooled = true; });
  }
  [[nodiscard]] int total_failures() const {
    return state_.with([](const State& state) { return state.total_failures; });
  }
  [[nodiscard]] int counted() const {
    return state_.with([](const State& state) { return state.counted; });
  }
  [[nodiscard]] int times_opened() const {
    return state_.with([](const State& state) { return state.times_opened; });
  }

 private:
  enum class Phase : std::uint8_t { kClosed, kOpen, kHalfOpen };
  struct State {
    Phase phase = Phase::kClosed;
    int generation = 0;
    int counted = 0;
    int total_failures = 0;
    int times_opened = 0;
    bool cooled = false;
  };
  // A success within the closed phase starts the count again, but no new generation: calls that run
  // beside it still belong to this one.
  static void enter(State& state, Phase phase) {
    if (phase != state.phase) ++state.generation;
    if (phase == Phase::kClosed) state.counted = 0;
    state.phase = phase;
  }
  static void open(State& state) {
    enter(state, Phase::kOpen);
    state.cooled = false;
    ++state.times_opened;
  }

  const int threshold_;
  base::Guarded<State> state_;
};

}  // namespace clever::reports::breaker
