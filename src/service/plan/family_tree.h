#pragma once
// A plan, all plans below it, and what they decided: for those who look. Private to the module.
#include <map>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/result.h"
#include "base/stop_token.h"
#include "model/id.h"
#include "model/work_events.h"
#include "storage/decisions.h"
#include "storage/engine.h"
#include "storage/plans.h"

namespace clever::service {

/// A step as the journal leaves it. A value.
struct FamilyStep {
  std::string id{};
  std::string title{};
  bool is_subplan = false;
  std::vector<std::string> depends_on{};
  model::StepState state = model::StepState::kPending;
  std::int64_t attempt = 0;
  model::PlanId child{};
  std::string waits{};
  model::DecisionId decision{};
  std::int64_t moved_at = 0;
};

/// One plan of a family. A value.
struct FamilyPlan {
  storage::PlanSummary summary{};
  /// In the order in which they were made, with their children filled in.
  std::vector<storage::DecisionNode> decisions{};
  std::vector<FamilyStep> steps{};
  /// Of each subplan that ever was: the decision below which it works, or worked.
  std::map<model::PlanId, model::DecisionId> spawners{};
  /// Corrections, in their order.
  std::vector<model::DecisionId> corrections{};
  /// Places in the family.
  std::vector<std::size_t> subplans{};
  /// Of the plan and all below it.
  model::Microdollars spent = 0;

  /// Null: the decision is about no step, or not any more.
  [[nodiscard]] const FamilyStep* step_of(const model::DecisionId& decision) const;
  /// Whether a subplan works for a step; another attempt took the place of the others.
  [[nodiscard]] bool is_current(const model::PlanId& subplan) const {
    return current.contains(subplan);
  }

  // What follows from the steps.
  std::unordered_map<model::DecisionId, std::size_t> by_decision{};
  std::unordered_set<model::PlanId> current{};
};

/// The family of a plan, read with three statements. A value.
class FamilyTree {
 public:
  [[nodiscard]] static base::Result<FamilyTree> read(storage::Engine& engine,
                                                     const model::PlanId& top,
                                                     const base::StopToken& stop = {});

  [[nodiscard]] const std::vector<FamilyPlan>& plans() const { return plans_; }
  [[nodiscard]] const FamilyPlan& top() const { return plans_[top_]; }
  /// Null: not of this family.
  [[nodiscard]] const FamilyPlan* find(const model::PlanId& plan) const;

 private:
  std::vector<FamilyPlan> plans_{};
  std::unordered_map<model::PlanId, std::size_t> places_{};
  std::size_t top_ = 0;
};

}  // namespace clever::service
