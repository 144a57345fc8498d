#pragma once
#include <string>
#include <vector>

#include "engine/observer.h"

namespace clever::engine {

/// Passes everything on to the next observer (may be null), which must outlive it. As thread-safe
/// as that one.
class ForwardingObserver : public Observer {
 public:
  explicit ForwardingObserver(Observer* next) : next_(next) {}
  ForwardingObserver(const ForwardingObserver&) = delete;
  ForwardingObserver& operator=(const ForwardingObserver&) = delete;

  void on_events(const plan::State& state, const std::vector<model::StoredEvent>& events) override {
    if (next_ != nullptr) next_->on_events(state, events);
  }
  void on_text(const model::PlanId& plan, const std::string& text, bool reasoning) override {
    if (next_ != nullptr) next_->on_text(plan, text, reasoning);
  }
  void on_restart(const model::PlanId& plan) override {
    if (next_ != nullptr) next_->on_restart(plan);
  }
  void on_wait(const model::PlanId& plan, const WaitNotice& wait) override {
    if (next_ != nullptr) next_->on_wait(plan, wait);
  }
  void on_tool(const model::PlanId& plan, const std::string& call, bool begins) override {
    if (next_ != nullptr) next_->on_tool(plan, call, begins);
  }
  void on_model_call(const storage::ModelCallRecord& call) override {
    if (next_ != nullptr) next_->on_model_call(call);
  }
  void on_validation(const model::PlanId& plan, const model::ValidationResult& result) override {
    if (next_ != nullptr) next_->on_validation(plan, result);
  }

 private:
  Observer* const next_;
};

}  // namespace clever::engine
