#pragma once
// Report #7088: a batch with a deadline and one slow strategy, as reported, as proposed, and a
// correct one. report() is called by the strategy's thread, deadline_passes() by who collects.

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
  [[nodiscard]] bool stop_requested() const { return false; }
  [[nodiscard]] int failures() const { return failures_.read(); }

 private:
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
  [[nodiscard]] bool stop_requested() const { return inner_.stop_requested(); }
  [[nodiscard]] int failures() const { return inner_.failures(); }

 private:
  base::Mutex mutex_{base::LockRank::kComponent};
  Reported inner_;
};

/// One slot that is settled once; the deadline settles it and asks the strategy to stop.
class Control {
 public:
  void deadline_passes() {
    settle(false);
    stop_.request_stop();
  }
  void report(bool success) { settle(success); }
  [[nodiscard]] bool stop_requested() const { return stop_.stop_requested(); }
  [[nodiscard]] int failures() const {
    return slot_.with([](const std::optional<bool>& slot) { return slot == false ? 1 : 0; });
  }

 private:
  void settle(bool success) {
    slot_.with([&](std::optional<bool>& slot) { slot = slot.value_or(success); });
  }

  base::Guarded<std::optional<bool>> slot_;
  base::StopSource stop_;
};

}  // namespace clever::reports::batch
