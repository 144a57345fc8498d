#include "engine/effects/workspace_closer.h"

namespace clever::engine {

WorkspaceCloser::~WorkspaceCloser() {
  (void)closing_.wait({}, base::Deadline::never(), [](std::size_t count) { return count == 0; });
}

void WorkspaceCloser::on_events(const plan::State& state,
                                const std::vector<model::StoredEvent>& events) {
  if (next_ != nullptr) next_->on_events(state, events);
  if (!state.is_at_rest()) return;
  closing_.update([](std::size_t& count) { ++count; });
  const auto posted = scheduler_.blocking().post([this, plan = state.id] {
    workspaces_.close(plan);
    closing_.update([](std::size_t& count) { --count; });
  });
  // Refused only if the queue is full or closed; a cleanup removes those workspaces.
  if (!posted.ok()) closing_.update([](std::size_t& count) { --count; });
}

void WorkspaceCloser::on_text(const model::PlanId& plan, const std::string& text, bool reasoning) {
  if (next_ != nullptr) next_->on_text(plan, text, reasoning);
}

void WorkspaceCloser::on_restart(const model::PlanId& plan) {
  if (next_ != nullptr) next_->on_restart(plan);
}

void WorkspaceCloser::on_wait(const model::PlanId& plan, const std::string& why) {
  if (next_ != nullptr) next_->on_wait(plan, why);
}

void WorkspaceCloser::on_model_call(const storage::ModelCallRecord& call) {
  if (next_ != nullptr) next_->on_model_call(call);
}

void WorkspaceCloser::on_validation(const model::PlanId& plan,
                                    const model::ValidationResult& result) {
  if (next_ != nullptr) next_->on_validation(plan, result);
}

void WorkspaceCloser::on_tool(const model::PlanId& plan, const std::string& call, bool begins) {
  if (next_ != nullptr) next_->on_tool(plan, call, begins);
}

}  // namespace clever::engine
