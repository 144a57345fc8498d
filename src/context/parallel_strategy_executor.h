#pragma once
#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "base/circuit_breaker.h"
#include "base/clock.h"
#include "base/random.h"
#include "base/stop_token.h"
#include "context/strategy.h"

namespace clever::context {

struct ExecutorOptions {
  /// Strategies of one assembly at a time.
  std::size_t max_workers = 4;
  /// Runs of one strategy at a time, for all assemblies; others take turns. A strategy that does
  /// not return can cost this many threads.
  std::size_t runs_per_strategy = 1;
  /// For each strategy, from its start.
  base::Duration deadline = std::chrono::milliseconds(2000);
  /// The wait for a turn while other assemblies use the strategy.
  base::Duration longest_wait = std::chrono::seconds(10);
  /// Further candidates are dropped.
  std::size_t most_candidates = 400;
  std::size_t most_text = std::size_t{1} << 20U;
  base::CircuitOptions circuit{};
};

/// The outcome of one strategy.
struct StrategyOutcome {
  enum class How : std::uint8_t {
    kProposed,
    kFailed,
    /// Its deadline passed; a later answer is ignored.
    kLate,
    /// Not run: its circuit is open, an earlier run has not returned yet, its turn did not come, or
    /// the caller stopped. Not a failure of the strategy.
    kSkipped,
  };
  std::string strategy{};
  How how = How::kSkipped;
  std::vector<Candidate> candidates{};
  /// Why it failed, or what was cut; may be empty.
  std::string remark{};
  base::Duration took{};
};

/// The threads and turns of strategies, by name: shared by the executors of a process, so that
/// together they need no more threads than one. Thread-safe.
class StrategyLanes;
[[nodiscard]] std::shared_ptr<StrategyLanes> make_strategy_lanes();

/// Runs strategies in parallel for all plans of a project, each behind its own circuit and with its
/// own deadline and stop token. A strategy that hangs, throws, fails or returns too much or
/// nonsense only loses its own proposals: run() ends at the deadline with the rest. A late strategy
/// counts as one failure and does not start again before it has returned, so at most one thread per
/// strategy is ever lost.
///
/// Each strategy has a thread, which serves all executors of the same lanes; circuits and limits
/// belong to the executor. The destructor of the last executor joins all threads except those
/// inside a strategy that has not returned: they own what they use, and nothing waits for them.
/// Clock and random may be destroyed with the executor: a lost run no longer uses them.
///
/// Thread-safe. run() blocks its caller. No lock is held while a strategy runs, and runs of
/// different strategies share only their assembly's bell.
class ParallelStrategyExecutor {
 public:
  struct Job {
    std::shared_ptr<Strategy> strategy;
    std::size_t budget = 0;
  };

  /// Without lanes it makes its own.
  [[nodiscard]] static std::unique_ptr<ParallelStrategyExecutor> make(
      base::Clock& clock, base::Random& random, const ExecutorOptions& options = {},
      std::shared_ptr<StrategyLanes> lanes = nullptr);
  ~ParallelStrategyExecutor();

  /// One outcome per job, in the order of jobs, independent of the order in which they end.
  [[nodiscard]] std::vector<StrategyOutcome> run(const Question& question,
                                                 const std::vector<Job>& jobs,
                                                 const base::StopToken& stop = {});
  [[nodiscard]] base::CircuitBreaker& circuits();

 private:
  class Impl;
  explicit ParallelStrategyExecutor(std::unique_ptr<Impl> impl);
  const std::unique_ptr<Impl> impl_;
};

}  // namespace clever::context
