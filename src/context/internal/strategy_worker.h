#pragma once
#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include "base/loose_thread.h"
#include "base/monitor.h"
#include "base/result.h"
#include "context/internal/strategy_run.h"
#include "context/internal/strategy_turns.h"

namespace clever::context::internal {

/// One place of a strategy's turns, and the thread of its runs. The first run starts the thread,
/// and the next ones reuse it.
///
/// Used by the caller that has the turn of its place: the turns are its lock. The destructor joins
/// unless the strategy has not returned: then the thread continues alone with what it owns, and
/// ends when the strategy returns.
class StrategyWorker {
 public:
  StrategyWorker(std::string name, std::shared_ptr<StrategyTurns> turns, std::size_t place);
  ~StrategyWorker();
  StrategyWorker(const StrategyWorker&) = delete;
  StrategyWorker& operator=(const StrategyWorker&) = delete;

  /// `resource_exhausted` if the system has no thread; then nothing runs.
  [[nodiscard]] base::Result<void> start(std::shared_ptr<StrategyRun> run);

 private:
  struct Desk {
    std::shared_ptr<StrategyRun> work{};
    bool in_strategy = false;
    bool closed = false;
  };
  using SharedDesk = std::shared_ptr<base::Monitor<Desk>>;
  static void serve(const SharedDesk& desk, StrategyTurns& turns, std::size_t place);
  // The next run; none: the desk is closed.
  [[nodiscard]] static std::shared_ptr<StrategyRun> next(base::Monitor<Desk>& desk);

  // Constant after construction.
  const std::string name_;
  const std::shared_ptr<StrategyTurns> turns_;
  const std::size_t place_;
  const SharedDesk desk_;

  std::optional<base::LooseThread> thread_;
};

}  // namespace clever::context::internal
