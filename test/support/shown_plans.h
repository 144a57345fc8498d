#pragma once
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "model/event.h"
#include "plan/state.h"

namespace clever::test {

/// The id of a plan by number.
inline model::PlanId plan_number(std::uint8_t number) {
  return model::PlanId(base::Ulid({1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, number}));
}

/// A plan that works on something: what observers and documents are shown.
inline plan::State working_plan(std::uint8_t number, std::string title,
                                const model::PlanId& parent = {}) {
  plan::State state;
  state.id = plan_number(number);
  state.sequence = 1;
  state.parent = parent;
  state.title = std::move(title);
  state.phase = model::Phase::kExecute;
  state.state = model::PlanState::kProcessing;
  return state;
}

/// The state with an effect of that kind under way.
inline plan::State with_effect(plan::State state, plan::EffectKind kind) {
  const model::EffectId id(
      base::Ulid({2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, static_cast<std::uint8_t>(kind)}));
  state.effects[id].kind = kind;
  return state;
}

/// A step of a strategy that is a plan of its own.
inline plan::Step subplan_step(std::string id, model::StepState state,
                               const model::PlanId& child = {}) {
  plan::Step step;
  step.definition = {.id = id, .title = "Do " + id, .mode = model::StepMode::kSubplan};
  step.state = state;
  step.child = child;
  return step;
}

/// Events as an observer gets them.
template <class... Events>
std::vector<model::StoredEvent> stored(const Events&... events) {
  std::vector<model::StoredEvent> all;
  const auto add = [&all](const model::Event& event) {
    all.push_back({.plan = {}, .kind = event.kind, .version = event.version, .data = event.data});
  };
  (add(events.to_event()), ...);
  return all;
}

}  // namespace clever::test
