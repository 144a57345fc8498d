#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/monitor.h"
#include "base/stop_token.h"
#include "engine/forwarding_observer.h"
#include "engine/hooks.h"
#include "engine/scheduler.h"

namespace clever::engine {

/// "plan.complete", "plan.waiting", "plan.errored" or "plan.applied" of an event that brings a plan
/// there; empty: any other event.
[[nodiscard]] std::string_view plan_event_of(std::string_view kind, std::string_view data);

/// Runs the hooks of plan.complete, plan.waiting (for a person; constrained work does too),
/// plan.errored and plan.applied when a plan (no subplan) comes there, and passes everything on to
/// the next observer (may be null). They decide nothing: each runs at most once per arrival, and
/// not at all if the process is killed meanwhile.
///
/// Owned by the composition root; thread-safe. Hooks run on Scheduler::blocking(); the destructor
/// waits for them, each has its deadline. All that it is made of must outlive it.
class PlanHooks final : public ForwardingObserver {
 public:
  /// The hooks of a plan are run by what `runner` says, which is asked where they run.
  using Runner = std::function<RunHook(const plan::State& plan)>;
  PlanHooks(Runner runner, Scheduler& scheduler, Observer* next)
      : ForwardingObserver(next), runner_(std::move(runner)), scheduler_(scheduler) {}
  ~PlanHooks() override;

  /// Sentences for a person about hooks that failed, a few of them. Waits for those under way: each
  /// has its deadline.
  [[nodiscard]] std::vector<std::string> remarks() const;

  void on_events(const plan::State& state, const std::vector<model::StoredEvent>& events) override;

 private:
  struct Runs {
    /// Running hooks.
    std::size_t running = 0;
    std::vector<std::string> remarks{};
  };

  void tell(const plan::State& state, std::string_view event);
  void end(const std::vector<std::string>& remarks);
  void wait_for_all() const;

  const Runner runner_;
  Scheduler& scheduler_;
  mutable base::Monitor<Runs> runs_;
};

}  // namespace clever::engine
