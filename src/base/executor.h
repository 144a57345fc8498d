#pragma once
#include "base/result.h"
#include "base/task.h"

namespace clever::base {

/// Runs tasks: a ThreadPool, or a Strand on one. Thread-safe.
class Executor {
 public:
  virtual ~Executor() = default;

  /// Accepts the task, or refuses it and leaves it unchanged: `resource_exhausted` when the queue
  /// is full (may work later), `cancelled` when closed (never again). Does not run it on the
  /// caller's thread.
  virtual Result<void> post(Task&& task) = 0;
};

}  // namespace clever::base
