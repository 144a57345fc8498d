#pragma once
// The decision that a word means. Private to the module.
#include <cstddef>
#include <string>

#include "base/result.h"
#include "model/id.h"
#include "service/commands/plan.h"
#include "storage/decisions.h"

namespace clever::service {

/// A decision, and the plan that made it. A value.
struct MeantDecision {
  model::PlanId plan{};
  storage::DecisionNode node{};
};

/// Of the end of an id so many characters at least are needed to mean it.
inline constexpr std::size_t kShortestIdEnd = 4;

/// DECISION: an id, a unique beginning or end of one, or the number that `plan tree` shows, of the
/// plan itself.
[[nodiscard]] Positional decision_positional();

/// Of the plan or of one below it. `not_found`, `conflict` if several are meant,
/// `invalid_argument`.
[[nodiscard]] base::Result<MeantDecision> meant_decision(const MeantPlan& plan,
                                                         const std::string& word, Context& context);

/// The words [PLAN] DECISION of a command line: one word is the decision, then the plan is the one
/// that made it, or the newest of this folder.
struct PlanAndDecision {
  MeantPlan plan;
  MeantDecision decision;
};
[[nodiscard]] base::Result<PlanAndDecision> meant_plan_and_decision(const Invocation& invocation,
                                                                    Context& context);

}  // namespace clever::service
