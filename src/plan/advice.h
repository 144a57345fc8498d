#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "plan/state.h"

namespace clever::plan {

/// A command that a person can type about a plan.
enum class Verb : std::uint8_t {
  kWatch,
  kStatus,
  kTree,
  kDiff,
  /// Edit the files with conflicts.
  kResolve,
  kErrors,
  kRaiseBudget,
  kApprove,
  kReject,
  kResume,
  kPrompt,
  kApply,
  kApplyRemerged,
  kUndo,
  kCancel,
  /// Start a new plan with what this one left.
  kSalvage,
};

struct Advice {
  Verb verb = Verb::kWatch;
  /// The plan itself, or one of its family.
  model::PlanId plan{};
  friend bool operator==(const Advice&, const Advice&) = default;
};

/// The commands that make sense for the plan in its present state, the most useful first; decide()
/// refuses none of them. Assumes that a process drives a plan that is not
/// at rest.
[[nodiscard]] std::vector<Advice> advice(const State& plan);

/// Names the open conflicts and what resolves them; empty if there are none.
[[nodiscard]] std::string open_conflicts(const State& plan);

/// There are changes of its own, or of a subplan that was done but not merged yet: a new plan can
/// begin with them.
[[nodiscard]] bool left_work(const State& plan) noexcept;

/// The step of a subplan that waits for a person while nothing else is left to do; null if there is
/// none.
[[nodiscard]] const Step* waiting_step(const State& plan) noexcept;

}  // namespace clever::plan
