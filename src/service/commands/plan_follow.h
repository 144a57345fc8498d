#pragma once
// Private to the module.
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "base/monitor.h"
#include "base/result.h"
#include "base/stop_token.h"
#include "model/event.h"
#include "plan/state.h"
#include "service/plan/workplace.h"
#include "storage/journal.h"
#include "storage/subscription.h"

namespace clever::service {

/// Follows the journals of a plan and of its subplans, whatever process writes them: every event
/// once, those of one plan in order. Waits without polling.
///
/// Used by one thread. Database and clock must outlive it.
class PlanFollower {
 public:
  /// The state of a plan after some of its events, and those.
  using Seen =
      std::function<base::Result<void>(const plan::State&, const std::vector<model::StoredEvent>&)>;

  /// `wake`, if there is one, is called when there may be something new; it must not block.
  PlanFollower(storage::Engine& engine, const base::Clock& clock, const model::PlanId& plan,
               std::function<void()> wake = {});

  /// Tells of everything that is new. What `seen` fails with ends it.
  base::Result<void> advance(const Seen& seen, const base::StopToken& stop);
  /// Until there may be something new since the last advance() began. `cancelled`,
  /// `deadline_exceeded`.
  base::Result<void> wait(const base::StopToken& stop,
                          base::Deadline deadline = base::Deadline::never());

  /// As of the last advance().
  [[nodiscard]] const plan::State& state() const { return followed_.at(root_).state; }
  /// The state of a subplan; null if it is not known yet.
  [[nodiscard]] const plan::State* state_of(const model::PlanId& plan) const;
  /// When the last of all their events was written.
  [[nodiscard]] model::Timestamp last_event() const { return last_event_; }

 private:
  struct Followed {
    plan::State state{};
    std::unique_ptr<storage::Subscription> subscription{};
  };
  void follow(const model::PlanId& plan);
  base::Result<void> read(const model::PlanId& plan, const Seen& seen, const base::StopToken& stop);

  storage::Engine& engine_;
  storage::Journal journal_;
  const model::PlanId root_;
  const std::function<void()> wake_;
  std::vector<model::PlanId> order_;
  std::uint64_t seen_ = 0;
  model::Timestamp last_event_{};
  base::Monitor<std::uint64_t> changes_;
  // Last: without the subscriptions there are no callbacks.
  std::map<model::PlanId, Followed> followed_;
};

}  // namespace clever::service
