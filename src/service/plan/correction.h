#pragma once
// What a correction is about, and what it would do, for people and programs. Private to the module.
#include <string>
#include <vector>

#include "base/result.h"
#include "model/control_events.h"
#include "model/document.h"
#include "plan/impact.h"
#include "service/commands/plan.h"
#include "service/plan/family_tree.h"
#include "service/plan/meant_decision.h"
#include "service/view.h"

namespace clever::service {

using model::Document;

/// The plan that gets a correction, and the decision it is about.
struct CorrectionTarget {
  /// The plan that made the decision, or, if that is a subplan that has ended, the one above it
  /// that has not.
  plan::State plan{};
  model::DecisionId decision{};
  /// If it is another one than was named: why.
  std::string remark{};
};
/// `conflict` for a decision that is superseded, or of an earlier attempt.
[[nodiscard]] base::Result<CorrectionTarget> correction_target(const PlanDatabase& database,
                                                               const MeantDecision& decision);

/// What is shown before anything is done.
struct CorrectionImpact {
  CorrectionTarget target{};
  model::CorrectionMode mode = model::CorrectionMode::kRevert;
  plan::Impact impact{};
  /// What was paid for what is lost.
  model::Microdollars lost = 0;
};
[[nodiscard]] base::Result<CorrectionImpact> correction_impact(const PlanDatabase& database,
                                                               CorrectionTarget target,
                                                               model::CorrectionMode mode,
                                                               Context& context);
[[nodiscard]] Document document_of(const CorrectionImpact& impact);
[[nodiscard]] View view_of(const CorrectionImpact& impact);

/// The tree of a plan before a correction: by its number (1, 2, …), or by the id of its decision,
/// or how that begins or ends. `not_found` lists those there are.
[[nodiscard]] base::Result<std::string> tree_before(const PlanDatabase& database,
                                                    const plan::State& plan,
                                                    const std::string& word, Context& context);

}  // namespace clever::service
