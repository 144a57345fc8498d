#pragma once
#include <functional>

#include "base/result.h"

namespace clever::base {

/// Work to be done once, somewhere. It must not let an exception out: that ends the program.
using Task = std::move_only_function<void()>;

/// Something that runs tasks: a ThreadPool, or a Strand on one. Thread-safe.
class Executor {
 public:
  virtual ~Executor() = default;

  /// Accepts the task, or refuses it and leaves it as it was: `resource_exhausted` when the queue is
  /// full (later may work), `cancelled` when closed (never again). Does not run it on the caller.
  virtual Result<void> post(Task&& task) = 0;
};

}  // namespace clever::base
