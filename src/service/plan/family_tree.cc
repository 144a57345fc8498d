#include "service/plan/family_tree.h"

#include "model/control_events.h"
#include "model/plan_events.h"
#include "model/restored_events.h"
#include "storage/plan_family.h"

namespace clever::service {
namespace {

using model::StepState;

FamilyStep step_from(const model::StrategyStep& definition, const model::DecisionId& decision) {
  return {.id = definition.id,
          .title = definition.title,
          .is_subplan = definition.mode == model::StepMode::kSubplan,
          .depends_on = definition.depends_on.value_or(std::vector<std::string>()),
          .decision = decision};
}

/// Reads the steps from the events of one plan.
class StepReader {
 public:
  explicit StepReader(FamilyPlan& plan) : plan_(plan) {}

  base::Result<void> take(const model::StoredEvent& event) {
    if (event.kind == model::StrategyAccepted::kKind) return accepted(event);
    if (event.kind == model::StepAdded::kKind) return added(event);
    if (event.kind == model::StepMoved::kKind) return moved(event);
    if (event.kind == model::PlanCorrected::kKind) return corrected(event);
    if (event.kind == model::PlanMoved::kKind) return plan_moved(event);
    if (event.kind == model::WorkRestored::kKind) return work_restored(event);
    return work_moved(event);
  }

 private:
  base::Result<void> accepted(const model::StoredEvent& event) {
    CLEVER_ASSIGN(const auto read, model::StrategyAccepted::parse(event.data));
    clear();
    for (std::size_t i = 0; i < read.strategy.steps.size(); ++i) {
      const bool known = i < read.step_decisions.size();
      add(step_from(read.strategy.steps[i], known ? read.step_decisions[i] : model::DecisionId()));
    }
    return {};
  }
  base::Result<void> added(const model::StoredEvent& event) {
    CLEVER_ASSIGN(const auto read, model::StepAdded::parse(event.data));
    add(step_from(read.step, read.decision));
    return {};
  }
  base::Result<void> moved(const model::StoredEvent& event) {
    CLEVER_ASSIGN(const auto read, model::StepMoved::parse(event.data));
    FamilyStep* step = find(read.step);
    if (step == nullptr) return {};
    step->state = read.state;
    step->attempt = read.attempt;
    step->child = read.child;
    step->waits = read.waits;
    step->moved_at = event.sequence;
    if (read.child) plan_.spawners.emplace(read.child, step->decision);
    return {};
  }
  base::Result<void> corrected(const model::StoredEvent& event) {
    CLEVER_ASSIGN(const auto read, model::PlanCorrected::parse(event.data));
    plan_.corrections.push_back(read.id);
    for (std::size_t i = 0; i < read.steps.size(); ++i) {
      if (FamilyStep* step = find(read.steps[i])) step->decision = read.decisions[i];
    }
    return {};
  }
  base::Result<void> plan_moved(const model::StoredEvent& event) {
    CLEVER_ASSIGN(const auto read, model::PlanMoved::parse(event.data));
    const bool begins =
        read.phase == model::Phase::kStrategize &&
        (read.state == model::PlanState::kQueued || read.state == model::PlanState::kProcessing);
    if (begins) clear();
    return {};
  }
  base::Result<void> work_restored(const model::StoredEvent& event) {
    CLEVER_ASSIGN(const auto read, model::WorkRestored::parse(event.data));
    clear();
    for (const model::RestoredStep& restored : read.steps) {
      FamilyStep step = step_from(restored.added.step, restored.added.decision);
      step.state = restored.moved.state;
      step.attempt = restored.moved.attempt;
      step.child = restored.moved.child;
      step.moved_at = restored.moved_at;
      add(std::move(step));
    }
    return {};
  }
  base::Result<void> work_moved(const model::StoredEvent& event) {
    CLEVER_ASSIGN(const auto read, model::WorkMoved::parse(event.data));
    if (read.why != "rollback") return {};
    for (FamilyStep& step : plan_.steps) {
      if (step.state != StepState::kRunning && step.moved_at <= read.to_sequence) continue;
      step.state = StepState::kPending;
      step.child = {};
      step.waits.clear();
    }
    return {};
  }

  void clear() {
    plan_.steps.clear();
    places_.clear();
  }
  void add(FamilyStep step) {
    places_.emplace(step.id, plan_.steps.size());
    plan_.steps.push_back(std::move(step));
  }
  FamilyStep* find(const std::string& id) {
    const auto place = places_.find(id);
    return place == places_.end() ? nullptr : &plan_.steps[place->second];
  }

  FamilyPlan& plan_;
  std::unordered_map<std::string, std::size_t> places_;
};

// A longer chain cannot be read or drawn: deeper nodes are drawn beside its end.
constexpr std::size_t kDeepestChain = 200;

void link(std::vector<storage::DecisionNode>& nodes) {
  struct Place {
    std::size_t index = 0;
    std::size_t above = 0;
    std::size_t depth = 0;
  };
  std::unordered_map<model::DecisionId, Place> places;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    Place place{.index = i, .above = i};
    if (const auto parent = places.find(nodes[i].parent); parent != places.end()) {
      const bool ends = parent->second.depth >= kDeepestChain;
      place.above = ends ? parent->second.above : parent->second.index;
      place.depth = ends ? parent->second.depth : parent->second.depth + 1;
      nodes[place.above].children.push_back(i);
    }
    places.emplace(nodes[i].id, place);
  }
}

model::Microdollars sum_up(std::vector<FamilyPlan>& plans, std::size_t place) {
  FamilyPlan& plan = plans[place];
  plan.spent = plan.summary.spent;
  for (const std::size_t below : plan.subplans) plan.spent += sum_up(plans, below);
  return plan.spent;
}

}  // namespace

const FamilyStep* FamilyPlan::step_of(const model::DecisionId& decision) const {
  const auto found = by_decision.find(decision);
  return found == by_decision.end() ? nullptr : &steps[found->second];
}

const FamilyPlan* FamilyTree::find(const model::PlanId& plan) const {
  const auto place = places_.find(plan);
  return place == places_.end() ? nullptr : &plans_[place->second];
}

base::Result<FamilyTree> FamilyTree::read(storage::Engine& engine, const model::PlanId& top,
                                          const base::StopToken& stop) {
  storage::PlanFamily family(engine, top);
  CLEVER_ASSIGN(auto summaries, family.plans(stop));
  CLEVER_ASSIGN(auto decisions, family.decisions(stop));
  CLEVER_ASSIGN(const auto events, family.step_events(stop));
  FamilyTree tree;
  for (storage::PlanSummary& summary : summaries) {
    tree.places_.emplace(summary.id, tree.plans_.size());
    tree.plans_.push_back({.summary = std::move(summary)});
  }
  if (!tree.places_.contains(top)) return base::not_found("there is no plan " + top.to_string());
  tree.top_ = tree.places_.at(top);
  for (std::size_t i = 0; i < tree.plans_.size(); ++i) {
    const auto above = tree.places_.find(tree.plans_[i].summary.parent);
    if (above != tree.places_.end()) tree.plans_[above->second].subplans.push_back(i);
  }
  // Skips a plan that was created between the two queries.
  for (storage::FamilyDecision& one : decisions) {
    const auto place = tree.places_.find(one.plan);
    if (place == tree.places_.end()) continue;
    tree.plans_[place->second].decisions.push_back(std::move(one.node));
  }
  for (FamilyPlan& plan : tree.plans_) link(plan.decisions);
  for (std::size_t i = 0; i < events.size();) {
    const model::PlanId plan = events[i].plan;
    const auto place = tree.places_.find(plan);
    FamilyPlan unknown;
    StepReader reader(place == tree.places_.end() ? unknown : tree.plans_[place->second]);
    for (; i < events.size() && events[i].plan == plan; ++i) {
      const auto taken = reader.take(events[i]);
      if (taken.ok()) continue;
      return base::corruption("event " + std::to_string(events[i].sequence) + " of plan " +
                              plan.to_string() + ": " + taken.error().sentence());
    }
  }
  for (FamilyPlan& plan : tree.plans_) {
    for (std::size_t i = 0; i < plan.steps.size(); ++i) {
      if (plan.steps[i].decision) plan.by_decision.emplace(plan.steps[i].decision, i);
      if (plan.steps[i].child) plan.current.insert(plan.steps[i].child);
    }
  }
  sum_up(tree.plans_, tree.top_);
  return tree;
}

}  // namespace clever::service
