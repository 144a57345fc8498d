#pragma once
#include <functional>
#include <memory>

#include "base/deadline.h"
#include "base/result.h"
#include "base/stop_token.h"

namespace clever::base {

class ThreadPool;

/// Tasks that cannot outlive their group: the destructor asks running ones to stop, drops those
/// that have not begun, and waits. Groups nest: give an inner one the outer's token. Declare a
/// group last in its class.
///
/// Thread-safe. wait() runs tasks that no pool thread has taken yet on the caller's thread, so that
/// a task may wait for its own group on a busy pool.
class TaskGroup {
 public:
  using Work = std::move_only_function<Result<void>(const StopToken&)>;
  enum class OnError : std::uint8_t { kContinue, kStopOthers };

  explicit TaskGroup(ThreadPool& pool, const StopToken& parent = {},
                     OnError on_error = OnError::kContinue);
  ~TaskGroup();
  TaskGroup(const TaskGroup&) = delete;
  TaskGroup& operator=(const TaskGroup&) = delete;

  /// `cancelled` once stopped; `resource_exhausted` when the pool's queue is full.
  Result<void> spawn(Work&& work);

  /// Asks every task to stop; drops those that have not begun.
  void request_stop();
  [[nodiscard]] StopToken token() const;

  /// Waits until all tasks have ended; returns a task's first error, or `cancelled` if one was
  /// dropped. The deadline limits the wait, not a task that runs on the caller meanwhile.
  Result<void> wait(const StopToken& stop = {}, Deadline deadline = Deadline::never());

 private:
  class State;
  std::shared_ptr<State> state_;
};

}  // namespace clever::base
