#include "tool/internal/workspace_gate.h"

namespace clever::tool::internal {

WorkspaceGate::Hold::Hold(Hold&& other) noexcept
    : gate_(std::exchange(other.gate_, nullptr)), workspace_(std::move(other.workspace_)) {}

WorkspaceGate::Hold::~Hold() {
  if (gate_ != nullptr) gate_->leave(workspace_);
}

void WorkspaceGate::Hold::close() { gate_->close(workspace_); }

base::Result<WorkspaceGate::Hold> WorkspaceGate::enter(const Workspace& workspace,
                                                       const base::StopToken& stop,
                                                       base::Deadline deadline) {
  const auto free_or_closed = [&](const States& states) {
    const auto found = states.find(workspace.get());
    return found == states.end() || found->second.closed || !found->second.held;
  };
  auto entered = states_.update_when(stop, deadline, free_or_closed, [&](States& states) {
    // The address of a destroyed workspace may be reused.
    std::erase_if(states, [](const auto& entry) { return entry.second.workspace.expired(); });
    State& state = states[workspace.get()];
    if (state.closed) return false;
    state.workspace = workspace;
    state.held = true;
    return true;
  });
  if (!entered.ok()) return std::move(entered).error();
  if (*entered) return Hold(*this, workspace);
  return base::unavailable(
      "this workspace is closed: an earlier call did not end in time and may still write; continue "
      "in a new workspace from that call's checkpoint");
}

void WorkspaceGate::leave(const Workspace& workspace) {
  states_.update([&](States& states) {
    State& state = states[workspace.get()];
    state.held = false;
    if (!state.closed) states.erase(workspace.get());
  });
}

void WorkspaceGate::close(const Workspace& workspace) {
  states_.update([&](States& states) { states[workspace.get()].closed = true; });
}

}  // namespace clever::tool::internal
