#pragma once
#include <memory>
#include <optional>

#include "base/circuit_breaker.h"
#include "base/clock.h"
#include "base/executor.h"
#include "base/random.h"
#include "base/timer_queue.h"
#include "provider/governor/alarms.h"
#include "provider/governor/governor.h"
#include "provider/model_client.h"
#include "provider/registry.h"
#include "provider/stored_circuits.h"
#include "provider/stored_limits.h"
#include "storage/engine.h"

namespace clever::provider {

/// The parts of model calls, assembled: registry, governor with its circuits, client; and with a
/// store, the state shared with other processes. One per process, made by the composition root.
///
/// Thread-safe. Its parts must outlive it; end its calls first.
class ModelService {
 public:
  struct Parts {
    base::Clock& clock;
    base::Random& random;
    base::TimerQueue& timers;
    /// Runs the continuation of calls after a wait.
    base::Executor& executor;
    /// Null: this process shares neither its limits nor its circuits.
    storage::Engine* store = nullptr;
  };

  /// Has no provider before registry().reconfigure().
  ModelService(const Parts& parts, BackendFactory backends);

  [[nodiscard]] ProviderRegistry& registry() noexcept { return registry_; }
  [[nodiscard]] Governor& governor() noexcept { return governor_; }
  [[nodiscard]] ModelClient& client() noexcept { return client_; }

 private:
  // The parts that need the store.
  struct Shared {
    Shared(storage::Engine& store, base::Clock& clock)
        : limits(store, clock), circuits(store, clock) {}
    StoredLimits limits;
    StoredCircuits circuits;
  };
  [[nodiscard]] Governor::Parts governor_parts(const Parts& parts);

  ProviderRegistry registry_;
  base::CircuitBreaker circuits_;
  TimerAlarms alarms_;
  std::optional<Shared> shared_;
  Governor governor_;
  ModelClient client_;
  // Declared last: its thread uses the governor.
  std::optional<ResetWatch> resets_;
};

}  // namespace clever::provider
