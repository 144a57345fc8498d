#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/circuit_breaker.h"
#include "base/clock.h"
#include "base/stop_token.h"
#include "context/internal/strategy_bell.h"
#include "context/internal/strategy_lane.h"
#include "context/internal/strategy_run.h"
#include "context/parallel_strategy_executor.h"

namespace clever::context::internal {

/// The strategies of one assembly, from the first start to the last end or abandonment.
///
///     stage    event                                      next
///     new      there is a worker, and its turn comes      running, with a permit
///     new      there is a worker, others are running it   waiting
///     waiting  its turn comes                             running, with a permit
///     running  it answers                                 settled; the permit succeeds or fails
///     running  its deadline passes                        settled as late; the permit fails
///     any      overdue, circuit open, too long, stopped   settled as skipped; no failure
///
/// Owned and used by the asking thread; the destructor abandons what still runs.
class StrategyBatch {
 public:
  StrategyBatch(base::Clock& clock, const ExecutorOptions& options);
  ~StrategyBatch();
  StrategyBatch(const StrategyBatch&) = delete;
  StrategyBatch& operator=(const StrategyBatch&) = delete;

  void add(std::string name, std::shared_ptr<StrategyLane> lane,
           std::shared_ptr<base::Circuit> circuit, std::shared_ptr<StrategyRun> run,
           base::Duration time_limit);
  /// Adds a strategy that does not run.
  void add(StrategyOutcome outcome);
  [[nodiscard]] const std::shared_ptr<StrategyBell>& bell() const { return bell_; }

  [[nodiscard]] std::vector<StrategyOutcome> run(const base::StopToken& stop);

 private:
  enum class Stage : std::uint8_t { kNew, kWaiting, kRunning, kSettled };
  struct Entry {
    Stage stage = Stage::kNew;
    std::shared_ptr<StrategyLane> lane{};
    std::shared_ptr<base::Circuit> circuit{};
    std::shared_ptr<StrategyRun> run{};
    base::Duration time_limit{};
    std::optional<base::Circuit::Permit> permit{};
    base::TimePoint begun{};
    /// Waiting: when to ask again. Running: when it is late.
    base::TimePoint until{};
    base::TimePoint patience{};
    StrategyOutcome outcome{};
  };

  // Returns whether nothing is left to do; otherwise `next` is the latest time to check again.
  [[nodiscard]] bool advance(base::TimePoint& next);
  void advance(Entry& entry, base::TimePoint now);
  void ask_for_turn(Entry& entry, base::TimePoint now);
  void begin(Entry& entry, std::size_t place, base::TimePoint now, base::TimePoint late);
  void look(Entry& entry, base::TimePoint now);
  void withdraw(Entry& entry);
  void take(Entry& entry, StrategyRun::Answer answer);
  static void settle(Entry& entry, StrategyOutcome::How how, std::string remark);
  [[nodiscard]] std::size_t busy() const;

  // Constant after construction.
  base::Clock& clock_;
  const ExecutorOptions options_;
  const std::shared_ptr<StrategyBell> bell_;

  std::vector<Entry> entries_;
};

}  // namespace clever::context::internal
