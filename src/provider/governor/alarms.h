#pragma once
#include <functional>
#include <memory>

#include "base/clock.h"
#include "base/executor.h"
#include "base/timer_queue.h"

namespace clever::provider {

/// Calls its function once a time is reached. Used by one thread at a time (under its owner's lock,
/// which may be a leaf); the function runs elsewhere, without a lock. The destructor cancels, but
/// the function may be about to run.
class Alarm {
 public:
  virtual ~Alarm() = default;
  /// Replaces the earlier time.
  virtual void set(base::TimePoint at) = 0;
};

/// Makes alarms: the seam through which the simulator owns time. Thread-safe.
class Alarms {
 public:
  virtual ~Alarms() = default;
  [[nodiscard]] virtual std::unique_ptr<Alarm> make(std::function<void()> ring) = 0;
};

/// Alarms on a TimerQueue, whose functions run on an executor. Both must outlive the alarms.
class TimerAlarms final : public Alarms {
 public:
  TimerAlarms(base::TimerQueue& timers, base::Executor& executor)
      : timers_(timers), executor_(executor) {}
  [[nodiscard]] std::unique_ptr<Alarm> make(std::function<void()> ring) override;

 private:
  base::TimerQueue& timers_;
  base::Executor& executor_;
};

}  // namespace clever::provider
