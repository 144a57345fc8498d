#pragma once
#include <cstddef>

#include "base/monitor.h"
#include "engine/effects/workspaces.h"
#include "engine/forwarding_observer.h"
#include "engine/scheduler.h"

namespace clever::engine {

/// Closes the workspace of each plan that comes to rest, and passes everything on to the next
/// observer (may be null).
///
/// Owned by the composition root; thread-safe. Closing happens on Scheduler::blocking(); the
/// destructor waits for it. All that it is made of must outlive it.
class WorkspaceCloser final : public ForwardingObserver {
 public:
  WorkspaceCloser(Workspaces& workspaces, Scheduler& scheduler, Observer* next)
      : ForwardingObserver(next), workspaces_(workspaces), scheduler_(scheduler) {}
  ~WorkspaceCloser() override;

  void on_events(const plan::State& state, const std::vector<model::StoredEvent>& events) override;

 private:
  Workspaces& workspaces_;
  Scheduler& scheduler_;
  /// How many are being closed.
  base::Monitor<std::size_t> closing_;
};

}  // namespace clever::engine
