#pragma once
// Report #7088: context::ParallelStrategyExecutor with one strategy that is deaf to its stop, held
// to the same checks as the models.

#include <memory>

#include "base/clock.h"
#include "base/random.h"
#include "context/parallel_strategy_executor.h"

namespace clever::reports::batch {

class SlowStrategy;

class Ours {
 public:
  Ours();
  /// Lets the strategy return, if it has not.
  ~Ours();
  Ours(const Ours&) = delete;
  Ours& operator=(const Ours&) = delete;

  /// An assembly: it ends when the strategy has reported, or at its deadline.
  void deadline_passes();
  void report(bool success);
  void assemble_again() { deadline_passes(); }

  /// Of the run that has begun; there is nobody to be told if none has.
  [[nodiscard]] bool stop_requested() const;
  [[nodiscard]] int failures() const;
  [[nodiscard]] int running() const;

 private:
  // The explorer's time: a deadline may pass at any moment.
  base::SystemClock clock_;
  base::SeededRandom random_{1};
  std::shared_ptr<SlowStrategy> slow_;
  std::unique_ptr<context::ParallelStrategyExecutor> executor_;
};

}  // namespace clever::reports::batch
