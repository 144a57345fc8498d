#pragma once
// Report #7088: a batch with a deadline and one slow strategy, as reported, as proposed, and a
// correct one. report() is called by the strategy's thread, deadline_passes() by who collects,
// assemble_again() by the next one who wants the strategy to run.

#include <optional>

#include "base/guarded.h"
#include "base/stop_token.h"
#include "reports/python.h"

namespace clever::reports::batch {

/// The collector gives up on what is not done and counts it; the strategy goes on and counts
/// itself.
class Reported {
 public:
  void deadline_passes() {
    if (!done_.read()) failures_.write(failures_.read() + 1);
  }
  void report(bool success) {
    done_.write(true);
    if (!success) failures_.write(failures_.read() + 1);
  }
  void assemble_again() { running_.write(running_.read() + 1); }
  [[nodiscard]] bool stop_requested() const { return false; }
  [[nodiscard]] int failures() const { return failures_.read(); }
  [[nodiscard]] int running() const { return running_.read(); }

 private:
  python::Variable<int> running_{1};
  python::Variable<bool> done_{false};
  python::Variable<int> failures_{0};
};

/// One lock around each method.
class Proposed {
 public:
  void deadline_passes() {
    const base::MutexLock lock(mutex_);
    inner_.deadline_passes();
  }
  void report(bool success) {
    const base::MutexLock lock(mutex_);
    inner_.report(success);
  }
  void assemble_again() {
    const base::MutexLock lock(mutex_);
    inner_.assemble_again();
  }
  [[nodiscard]] bool stop_requested() const { return inner_.stop_requested(); }
  [[nodiscard]] int failures() const { return inner_.failures(); }
  [[nodiscard]] int running() const { return inner_.running(); }

 private:
  base::Mutex mutex_{base::LockRank::kComponent};
  Reported inner_;
};

/// One slot that is settled once; the deadline settles it and asks the strategy to stop. Only the
/// strategy's own report lets it be started again.
class Control {
 public:
  void deadline_passes() {
    settle(false);
    stop_.request_stop();
  }
  void report(bool success) {
    settle(success);
    running_.with([](int& running) { --running; });
  }
  void assemble_again() {
    running_.with([](int& running) { running = running == 0 ? 1 : running; });
  }
  [[nodiscard]] bool stop_requested() const { return stop_.stop_requested(); }
  [[nodiscard]] int failures() const {
    return slot_.with([](const std::optional<bool>& slot) { return slot == false ? 1 : 0; });
  }
  [[nodiscard]] int running() const {
    return running_.with([](int running) { return running; });
  }

 private:
  void settle(bool success) {
    slot_.with([&](std::optional<bool>& slot) { slot = slot.value_or(success); });
  }

  base::Guarded<std::optional<bool>> slot_;
  base::Guarded<int> running_{std::in_place, 1};
  base::StopSource stop_;
};

}  // namespace clever::reports::batch
