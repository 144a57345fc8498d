#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "model/control_events.h"
#include "model/id.h"
#include "plan/state.h"

// What a correction would do, before anybody does it: a pure function of the plan's state, and the
// one that the transition itself goes by.
namespace clever::plan {

/// What correcting a decision leads to. Steps are named by their place in State::steps. A value.
struct Impact {
  /// Nothing that was decided holds any more: back to strategize.
  bool whole_plan = false;
  /// Steps that begin anew, the corrected one first. Of an appended one: those it comes after.
  std::vector<std::size_t> steps{};
  /// In the order in which they were made.
  std::vector<model::DecisionId> superseded{};
  /// Subplans that run: those that are stopped, and those that go on.
  std::vector<model::PlanId> stopped{};
  std::vector<model::PlanId> going_on{};
  /// Subplans that had ended, and whose result is not used any more.
  std::vector<model::PlanId> dropped{};
  /// Steps that are done and stay so, and those of them that are merged anew.
  std::vector<std::size_t> kept{};
  std::vector<std::size_t> merged_again{};
  /// Where the work goes back to; empty: it stays where it is.
  std::string tree{};
  /// What came after this event is not in that tree.
  std::int64_t to_sequence = 0;
  /// The plan's own work that is stopped; none: there is none, or it goes on.
  model::EffectId effect{};

  friend bool operator==(const Impact&, const Impact&) = default;
};

/// `not_found` for a decision that the plan never made; `conflict` for one that is superseded, and
/// if the plan cannot be corrected as it is (final, being applied, a subplan that has ended, …),
/// with what would be right.
[[nodiscard]] base::Result<Impact> impact_of(const State& state, const model::DecisionId& decision,
                                             model::CorrectionMode mode);

/// What follows from a decision in force, whether or not the plan can be corrected as it is: the
/// impact of reverting it. Nothing, for any other.
[[nodiscard]] Impact reach_of(const State& state, const model::DecisionId& decision);

/// A subplan that has ended stays as its parent knows it: corrections are its parent's.
[[nodiscard]] bool is_ended_subplan(const State& state);

/// The step that a decision is about, its own or that of a decision above it; null: it is about the
/// plan as a whole, or unknown.
[[nodiscard]] const Step* step_about(const State& state, const model::DecisionId& decision);

}  // namespace clever::plan
