#pragma once
#include <cstddef>
#include <deque>
#include <memory>
#include <string>

#include "base/circuit_breaker.h"
#include "context/internal/strategy_turns.h"
#include "context/internal/strategy_worker.h"

namespace clever::context::internal {

/// All that the runs of one strategy share, whoever asks for them: its circuit, its turns and its
/// threads. Constant after construction; its parts are thread-safe, or used by whoever has the
/// turn.
struct StrategyLane {
  StrategyLane(const std::string& name, std::size_t places,
               std::shared_ptr<base::Circuit> with_circuit)
      : circuit(std::move(with_circuit)), turns(std::make_shared<StrategyTurns>(places)) {
    for (std::size_t place = 0; place < places; ++place) workers.emplace_back(name, turns, place);
  }

  const std::shared_ptr<base::Circuit> circuit;
  const std::shared_ptr<StrategyTurns> turns;
  /// One for each place.
  std::deque<StrategyWorker> workers{};
};

}  // namespace clever::context::internal
