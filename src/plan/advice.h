#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "plan/state.h"

namespace clever::plan {

/// What a person can type about a plan.
enum class Verb : std::uint8_t {
  kWatch,
  kStatus,
  kTree,
  kDiff,
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
};

struct Advice {
  Verb verb = Verb::kWatch;
  /// The plan itself, or one of its family.
  model::PlanId plan{};
  friend bool operator==(const Advice&, const Advice&) = default;
};

/// What can be done about a plan as it is, the most useful first: decide() refuses none of it.
/// Empty: nothing, it is over. Of a plan that is not at rest it is taken that somebody drives it.
[[nodiscard]] std::vector<Advice> advice(const State& plan);

/// A subplan waits for somebody, and nothing else is left to do meanwhile; null if there is none.
[[nodiscard]] const Step* waiting_step(const State& plan) noexcept;

}  // namespace clever::plan
