#pragma once
#include <cstddef>

#include "base/deadline.h"
#include "base/executor.h"
#include "base/stop_token.h"

namespace clever::base {

class ThreadPool;

/// Runs its tasks one at a time and in order on the threads of a pool, without a thread of its own,
/// so data that only its tasks touch needs no lock. Ten thousand idle strands only cost memory.
///
/// Thread-safe. The queue is bounded: when full, post() refuses. The destructor drops tasks that
/// have not started and waits for a running one, unless that one calls it. The pool must outlive
/// the strand.
class Strand final : public Executor {
 public:
  struct Options {
    std::size_t queue_limit = 65'536;
  };

  explicit Strand(ThreadPool& pool);
  Strand(ThreadPool& pool, Options options);
  ~Strand() override;
  Strand(const Strand&) = delete;
  Strand& operator=(const Strand&) = delete;

  Result<void> post(Task&& task) override;

  /// Whether the caller is one of this strand's tasks.
  [[nodiscard]] bool running_here() const;

  /// Waits until every task posted so far has run. Not from one of its own tasks.
  Result<void> drain(const StopToken& stop, Deadline deadline);

 private:
  class State;
  State* const state_;  // deletes itself once abandoned and no longer in the pool
};

}  // namespace clever::base
