#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "model/control_events.h"
#include "model/id.h"
#include "plan/state.h"

// Previews a correction: a pure function of the plan's state, which the transition itself uses.
namespace clever::plan {

/// The consequences of correcting a decision. Steps are indices into State::steps. A value.
struct Impact {
  /// No decision stands any more: back to strategize.
  bool whole_plan = false;
  /// Steps that start over, the corrected one first. For an appended one: those it comes after.
  std::vector<std::size_t> steps{};
  /// In the order in which they were made.
  std::vector<model::DecisionId> superseded{};
  /// Running subplans: those that are stopped, and those that continue.
  std::vector<model::PlanId> stopped{};
  std::vector<model::PlanId> going_on{};
  /// Ended subplans whose result is no longer used.
  std::vector<model::PlanId> dropped{};
  /// Steps that stay done, and those of them that are merged again.
  std::vector<std::size_t> kept{};
  std::vector<std::size_t> merged_again{};
  /// The tree that the work returns to; empty: unchanged.
  std::string tree{};
  /// Later events are not part of that tree.
  std::int64_t to_sequence = 0;
  /// The plan's own work that is stopped; none if there is none, or it continues.
  model::EffectId effect{};

  friend bool operator==(const Impact&, const Impact&) = default;
};

/// `not_found` for a decision that the plan never made; `conflict` for a superseded one, and if the
/// plan cannot be corrected now (final, being applied, an ended subplan, …), with what would be
/// right.
[[nodiscard]] base::Result<Impact> impact_of(const State& state, const model::DecisionId& decision,
                                             model::CorrectionMode mode);

/// The consequences of reverting a decision in force, whether or not the plan can be corrected now.
/// Empty for any other decision.
[[nodiscard]] Impact reach_of(const State& state, const model::DecisionId& decision);

/// An ended subplan is fixed for its parent; its parent must be corrected instead.
[[nodiscard]] bool is_ended_subplan(const State& state);

/// The step that a decision, or one above it, is about; null if it is about the whole plan, or
/// unknown.
[[nodiscard]] const Step* step_about(const State& state, const model::DecisionId& decision);

}  // namespace clever::plan
