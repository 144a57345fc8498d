#pragma once
#include <cstddef>
#include <deque>
#include <map>
#include <memory>
#include <string>

#include "base/guarded.h"
#include "context/internal/strategy_turns.h"
#include "context/internal/strategy_worker.h"

namespace clever::context {
namespace internal {

/// State shared by all runs of one strategy in executors with the same lanes: its turns and its
/// threads. Constant after construction; its parts are thread-safe, or used by the run that has the
/// turn.
struct StrategyLane {
  StrategyLane(const std::string& name, std::size_t places)
      : turns(std::make_shared<StrategyTurns>(places)) {
    for (std::size_t place = 0; place < places; ++place) workers.emplace_back(name, turns, place);
  }

  const std::shared_ptr<StrategyTurns> turns;
  /// One for each place.
  std::deque<StrategyWorker> workers{};
};

}  // namespace internal

/// The lanes of a process's executors, by strategy name. A lane lives as long as an executor has
/// it. Thread-safe.
class StrategyLanes {
 public:
  /// Null: there are too many.
  [[nodiscard]] std::shared_ptr<internal::StrategyLane> lane(const std::string& name,
                                                             std::size_t places);

 private:
  using Known = std::map<std::string, std::weak_ptr<internal::StrategyLane>, std::less<>>;
  base::Guarded<Known> known_;
};

}  // namespace clever::context
