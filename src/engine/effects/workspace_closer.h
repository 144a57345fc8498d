#pragma once
#include <cstddef>

#include "base/monitor.h"
#include "engine/effects/workspaces.h"
#include "engine/observer.h"
#include "engine/scheduler.h"

namespace clever::engine {

/// Closes the workspace of each plan that comes to rest, and passes everything on to the next
/// observer (may be null).
///
/// Owned by the composition root; thread-safe. Closing happens on Scheduler::blocking(); the
/// destructor waits for it. All that it is made of must outlive it.
class WorkspaceCloser final : public Observer {
 public:
  WorkspaceCloser(Workspaces& workspaces, Scheduler& scheduler, Observer* next)
      : workspaces_(workspaces), scheduler_(scheduler), next_(next) {}
  WorkspaceCloser(const WorkspaceCloser&) = delete;
  WorkspaceCloser& operator=(const WorkspaceCloser&) = delete;
  ~WorkspaceCloser() override;

  void on_events(const plan::State& state, const std::vector<model::StoredEvent>& events) override;
  void on_text(const model::PlanId& plan, const std::string& text, bool reasoning) override;
  void on_restart(const model::PlanId& plan) override;
  void on_wait(const model::PlanId& plan, const std::string& why) override;
  void on_tool(const model::PlanId& plan, const std::string& call, bool begins) override;
  void on_model_call(const storage::ModelCallRecord& call) override;
  void on_validation(const model::PlanId& plan, const model::ValidationResult& result) override;

 private:
  Workspaces& workspaces_;
  Scheduler& scheduler_;
  Observer* const next_;
  /// How many are being closed.
  base::Monitor<std::size_t> closing_;
};

}  // namespace clever::engine
