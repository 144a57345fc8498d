#pragma once
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "base/executor.h"
#include "base/result.h"
#include "base/stop_token.h"
#include "model/control_events.h"
#include "model/control_settings.h"

namespace clever::engine {

/// Runs the validations of some work beside each other, a few at a time, and tells each result as
/// it comes. How one of them is run is the caller's to say (engine/validation_check.h).
///
/// Owned by the composition root; outlives its runs until they are done. Thread-safe: runs share
/// nothing but the executor. It has no threads of its own: each run takes at most `parallel` places
/// of the executor, and holds nothing while it has no place.
class ValidationPipeline {
 public:
  struct Options {
    /// How many of one run at the same time; at least 1.
    std::size_t parallel = 4;
  };
  /// Runs one to its end; blocks. Called on the executor, at the same time as others. Ends soon
  /// after a stop; what it says then is not used.
  using Check =
      std::function<model::ValidationResult(const model::Validation&, const base::StopToken&)>;
  using OnResult = std::function<void(const model::ValidationResult&)>;
  using Done = std::move_only_function<void(base::Result<std::vector<model::ValidationResult>>)>;

  struct Order {
    std::vector<model::Validation> validations{};
    Check check{};
    /// Called with each result in the order in which they came, one after another. May be empty.
    OnResult on_result{};
    base::StopToken stop{};
  };

  explicit ValidationPipeline(base::Executor& executor) : ValidationPipeline(executor, Options{}) {}
  ValidationPipeline(base::Executor& executor, Options options)
      : executor_(executor), options_(options) {}

  /// Does not block. Calls `done` exactly once, after the last check has ended and the last result
  /// was reported: with all results in the order of the validations; with `cancelled` after a stop;
  /// with the executor's refusal if it takes none of it.
  void start(Order order, Done done);

  /// The same, waiting for the end; not on the executor's own threads.
  [[nodiscard]] base::Result<std::vector<model::ValidationResult>> run(Order order);

 private:
  // Constant after construction.
  base::Executor& executor_;
  const Options options_;
};

}  // namespace clever::engine
