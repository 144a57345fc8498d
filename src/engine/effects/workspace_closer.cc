#include "engine/effects/workspace_closer.h"

namespace clever::engine {

WorkspaceCloser::~WorkspaceCloser() {
  (void)closing_.wait({}, base::Deadline::never(), [](std::size_t count) { return count == 0; });
}

void WorkspaceCloser::on_events(const plan::State& state,
                                const std::vector<model::StoredEvent>& events) {
  ForwardingObserver::on_events(state, events);
  if (!state.is_at_rest()) return;
  closing_.update([](std::size_t& count) { ++count; });
  const auto posted = scheduler_.blocking().post([this, plan = state.id] {
    workspaces_.close(plan);
    closing_.update([](std::size_t& count) { --count; });
  });
  // Refused only if the queue is full or closed; a cleanup removes those workspaces.
  if (!posted.ok()) closing_.update([](std::size_t& count) { --count; });
}

}  // namespace clever::engine
