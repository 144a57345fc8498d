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
  /// Runs of one strategy at a time, for all assemblies; others take their turn. As many threads
  /// can be lost to a strategy that does not return.
  std::size_t runs_per_strategy = 1;
  /// For each strategy, from when it begins.
  base::Duration deadline = std::chrono::milliseconds(2000);
  /// For its turn, while other assemblies use the strategy.
  base::Duration longest_wait = std::chrono::seconds(10);
  /// Whatever is proposed beyond is cut.
  std::size_t most_candidates = 400;
  std::size_t most_text = std::size_t{1} << 20U;
  base::CircuitOptions circuit{};
};

/// What came of one strategy.
struct StrategyOutcome {
  enum class How : std::uint8_t {
    kProposed,
    kFailed,
    /// Its deadline passed; what it may still return is not used.
    kLate,
    /// Its circuit is open, an earlier run of it has not returned yet, its turn did not come, or
    /// the caller stopped. Not a failure of the strategy.
    kSkipped,
  };
  std::string strategy{};
  How how = How::kSkipped;
  std::vector<Candidate> candidates{};
  /// Why not, or what was cut; may be empty.
  std::string remark{};
  base::Duration took{};
};

/// The threads and turns of strategies, by name: what the executors of one process share, so that
/// they need no more threads than one. Thread-safe.
class StrategyLanes;
[[nodiscard]] std::shared_ptr<StrategyLanes> make_strategy_lanes();

/// Runs strategies beside each other for all plans of a project, each behind its own circuit and
/// with its own deadline and stop token. One that hangs, throws, fails, floods or lies costs what
/// it would have proposed and nothing else: run() ends at the deadline with what is there, a late
/// one counts as one failure and is not started again before it has returned, so that at most one
/// thread per strategy is ever lost.
///
/// Each strategy has its thread, which waits for the next run of it, by whichever executor of the
/// same lanes; circuits and limits are the executor's own. The destructor of the last of them joins
/// all but those that a strategy has not returned to: they own what they use and nobody waits for
/// them. The clock and random may go with the executor: a lost run no longer sees them.
///
/// Thread-safe. run() blocks its caller. No lock is held while a strategy runs, and runs of
/// different strategies share none but their assembly's own bell.
class ParallelStrategyExecutor {
 public:
  struct Job {
    std::shared_ptr<Strategy> strategy;
    std::size_t budget = 0;
  };

  /// Without lanes it has its own.
  [[nodiscard]] static std::unique_ptr<ParallelStrategyExecutor> make(
      base::Clock& clock, base::Random& random, const ExecutorOptions& options = {},
      std::shared_ptr<StrategyLanes> lanes = nullptr);
  virtual ~ParallelStrategyExecutor() = default;

  /// One outcome for each job, in their order; the same whatever the order in which they end.
  [[nodiscard]] virtual std::vector<StrategyOutcome> run(const Question& question,
                                                         const std::vector<Job>& jobs,
                                                         const base::StopToken& stop = {}) = 0;
  [[nodiscard]] virtual base::CircuitBreaker& circuits() = 0;
};

}  // namespace clever::context
