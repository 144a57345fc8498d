#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <utility>

#include "base/clock.h"
#include "base/executor.h"
#include "base/monitor.h"
#include "base/thread.h"

namespace clever::base {

class TimerQueue;

/// A pending timer; destroying it cancels. Move-only; must not outlive its TimerQueue.
class [[nodiscard]] Timer {
 public:
  Timer() = default;
  Timer(Timer&& other) noexcept;
  Timer& operator=(Timer&& other) noexcept;
  ~Timer() { cancel(); }

  /// True if the task will not run. False if it was handed to its executor already, where it may
  /// still be about to run, or if there is nothing to cancel.
  bool cancel();
  /// Detaches the timer from this handle.
  void release() noexcept { queue_ = nullptr; }

 private:
  friend class TimerQueue;
  using Key = std::pair<TimePoint, std::uint64_t>;
  Timer(TimerQueue& queue, Key key) : queue_(&queue), key_(key) {}

  TimerQueue* queue_ = nullptr;
  Key key_{};
};

/// Any number of timers on one thread. Hands the task of a due timer to an executor; the timer
/// thread itself runs nothing.
///
/// Thread-safe. Refuses more than Options::limit timers. If the executor's queue is full, it tries
/// the hand-over again shortly after: a due task is never lost unless its executor closes. The
/// destructor drops pending timers. Executors must outlive their timers.
class TimerQueue {
 public:
  struct Options {
    std::size_t limit = 1'000'000;
  };

  explicit TimerQueue(Clock& clock);
  TimerQueue(Clock& clock, Options options);
  ~TimerQueue();

  Result<Timer> at(TimePoint due, Executor& executor, Task&& task);
  Result<Timer> after(Duration delay, Executor& executor, Task&& task);

  [[nodiscard]] std::size_t size() const;

 private:
  friend class Timer;
  struct Pending {
    Executor* executor;
    Task task;
  };
  struct Timers {
    std::map<Timer::Key, Pending> pending;
    // Timers that are offered again after a refusal, by number: their key in pending has changed.
    std::map<std::uint64_t, TimePoint> offered_again;
    std::uint64_t last_number = 0;
  };

  void run(const StopToken& stop);
  void hand_over(std::map<Timer::Key, Pending> due);
  bool cancel(Timer::Key key);

  Clock& clock_;
  const std::size_t limit_;
  Monitor<Timers, LockRank::kTimer> timers_;
  Thread thread_;
};

}  // namespace clever::base
