#pragma once
#include "base/result.h"
#include "base/task.h"

namespace clever::base {

/// Something that runs tasks: a ThreadPool, or a Strand on one. Thread-safe.
class Executor {
 public:
  virtual ~Executor() = default;

  /// Accepts the task, or refuses it and leaves it as it was: `resource_exhausted` when the queue
  /// is full (later may work), `cancelled` when closed (never again). Does not run it on the
  /// caller.
  virtual Result<void> post(Task&& task) = 0;
};

}  // namespace clever::base
