#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>

#include "base/clock.h"
#include "base/stop_token.h"
#include "base/thread.h"
#include "provider/governor/circuit_news.h"
#include "storage/circuits.h"
#include "storage/engine.h"
#include "storage/topic_watch.h"

namespace clever::provider {

/// Shows this process's circuits to people and other processes through the store, and receives
/// resets from there. Writes only when a circuit opens or closes; drops what cannot be written.
///
/// Thread-safe. The engine and the clock must outlive it.
class StoredCircuits final : public CircuitNews {
 public:
  StoredCircuits(storage::Engine& engine, base::Clock& clock) : engine_(engine), clock_(clock) {}

  void opened(const LaneKey& lane, base::TimePoint next_probe) override;
  void closed(const LaneKey& lane) override;

 private:
  void write(storage::UnitOfWork unit);

  storage::Engine& engine_;
  base::Clock& clock_;
};

/// Calls `on_reset(provider)` when a person closes circuits (`agents provider reset`) in any
/// process after this was made. Waits on its own thread.
///
/// The engine must outlive it; after its destructor no call comes.
class ResetWatch {
 public:
  using OnReset = std::function<void(const std::string& provider)>;
  ResetWatch(storage::Engine& engine, OnReset on_reset);
  ResetWatch(const ResetWatch&) = delete;
  ResetWatch& operator=(const ResetWatch&) = delete;

 private:
  /// How often each circuit was reset, by provider and model.
  using Resets = std::map<std::pair<std::string, std::string>, std::int64_t>;

  void run(const base::StopToken& stop);
  void look();
  [[nodiscard]] Resets resets();

  storage::Engine& engine_;
  const OnReset on_reset_;
  storage::TopicWatch watch_;
  // Touched by the constructor, then by the thread.
  Resets seen_;
  base::Thread thread_;
};

}  // namespace clever::provider
