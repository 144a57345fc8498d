#include "engine/plan_hooks.h"

#include <algorithm>

#include "model/plan_events.h"

namespace clever::engine {
namespace {

// Limits the remarks: many plans with a failing hook give the same one.
constexpr std::size_t kMostRemarks = 8;

}  // namespace

std::string_view plan_event_of(std::string_view kind, std::string_view data) {
  if (kind != model::PlanMoved::kKind) return {};
  const auto moved = model::PlanMoved::parse(data);
  if (!moved.ok()) return {};
  switch (moved->state) {
    case model::PlanState::kComplete:
      return moved->phase == model::Phase::kExecute ? "plan.complete" : "";
    case model::PlanState::kWaiting:
    case model::PlanState::kConstrained:
      return "plan.waiting";
    case model::PlanState::kErrored:
      return "plan.errored";
    case model::PlanState::kApplied:
      return "plan.applied";
    default:
      return {};
  }
}

PlanHooks::~PlanHooks() { wait_for_all(); }

void PlanHooks::wait_for_all() const {
  (void)runs_.wait({}, base::Deadline::never(), [](const Runs& runs) { return runs.running == 0; });
}

std::vector<std::string> PlanHooks::remarks() const {
  wait_for_all();
  return runs_.read([](const Runs& runs) { return runs.remarks; });
}

void PlanHooks::on_events(const plan::State& state, const std::vector<model::StoredEvent>& events) {
  ForwardingObserver::on_events(state, events);
  if (state.parent || state.settings.control.hooks.empty()) return;
  for (const model::StoredEvent& event : events) {
    if (const auto name = plan_event_of(event.kind, event.data);
        !name.empty() && has_hooks(state, name)) {
      tell(state, name);
    }
  }
}

void PlanHooks::tell(const plan::State& state, std::string_view event) {
  runs_.update([](Runs& runs) { ++runs.running; });
  const auto posted = scheduler_.blocking().post(
      [this, state, event] { end(tell_hooks(state, event, runner_(state), {})); });
  if (!posted.ok())
    end({std::string(event) + ": hooks were not run: " + posted.error().sentence()});
}

void PlanHooks::end(const std::vector<std::string>& remarks) {
  runs_.update([&](Runs& runs) {
    for (const std::string& remark : remarks) {
      const bool known = std::ranges::find(runs.remarks, remark) != runs.remarks.end();
      if (!known && runs.remarks.size() < kMostRemarks) runs.remarks.push_back(remark);
    }
    --runs.running;
  });
}

}  // namespace clever::engine
