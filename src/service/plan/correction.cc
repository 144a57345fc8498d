#include "service/plan/correction.h"

#include <algorithm>
#include <set>

#include "model/work_events.h"
#include "service/amounts.h"
#include "service/text.h"

namespace clever::service {
namespace {

using model::CorrectionMode;
using plan::Impact;
using plan::Step;

constexpr std::size_t kMostNames = 12;
constexpr std::size_t kShortTree = 12;

base::Error superseded(const MeantDecision& decision) {
  return base::conflict("decision " + decision.node.id.to_string() + " was superseded by event " +
                        std::to_string(decision.node.superseded) + ": `agents plan tree " +
                        decision.plan.to_string() + " --all` shows what replaced it");
}

base::Error earlier_attempt(const plan::State& subplan) {
  return base::conflict("subplan " + subplan.id.to_string() +
                        " is an earlier attempt that has ended: correct its step in plan " +
                        subplan.parent.to_string() + " (`agents plan tree " +
                        subplan.parent.to_string() + "`)");
}

// Sums what the plan itself paid for turns on these steps, in all attempts.
base::Result<model::Microdollars> paid_for(const std::vector<model::StoredEvent>& events,
                                           const std::set<std::string>& steps) {
  model::Microdollars sum = 0;
  bool counts = false;
  for (const model::StoredEvent& event : events) {
    if (event.kind == model::StepMoved::kKind) {
      CLEVER_ASSIGN(const auto moved, model::StepMoved::parse(event.data));
      if (moved.child) continue;
      counts = moved.state == model::StepState::kRunning && steps.contains(moved.step);
    } else if (event.kind == model::ModelAnswered::kKind && counts) {
      CLEVER_ASSIGN(const auto answered, model::ModelAnswered::parse(event.data));
      sum += answered.cost;
    }
  }
  return sum;
}

base::Result<model::Microdollars> lost_by(const PlanDatabase& database, const plan::State& plan,
                                          const Impact& impact, Context& context) {
  CLEVER_ASSIGN(const FamilyTree family,
                FamilyTree::read(database.engine(), plan.id, context.stop()));
  model::Microdollars sum = 0;
  for (const auto* children : {&impact.stopped, &impact.dropped}) {
    for (const model::PlanId& child : *children) {
      if (const FamilyPlan* found = family.find(child)) sum += found->spent;
    }
  }
  if (impact.whole_plan) return sum + family.top().summary.spent;
  std::set<std::string> steps;
  for (const std::size_t one : impact.steps) steps.insert(plan.steps[one].definition.id);
  CLEVER_ASSIGN(const auto events, all_events(database, plan.id, context));
  CLEVER_ASSIGN(const model::Microdollars own, paid_for(events, steps));
  return sum + own;
}

std::string step_names(const plan::State& plan, const std::vector<std::size_t>& steps) {
  std::string names;
  for (std::size_t i = 0; i < steps.size() && i < kMostNames; ++i) {
    names += (i == 0 ? "" : ", ") + plan.steps[steps[i]].definition.id;
  }
  if (steps.size() > kMostNames) {
    names += " and " + std::to_string(steps.size() - kMostNames) + " more";
  }
  return names;
}

std::string step_names(const plan::State& plan, const std::vector<model::PlanId>& children) {
  std::vector<std::size_t> steps;
  for (const model::PlanId& child : children) {
    const Step* step = plan.step_of(child);
    if (step != nullptr) steps.push_back(static_cast<std::size_t>(step - plan.steps.data()));
  }
  return step_names(plan, steps);
}

Document plan_ids_document(const std::vector<model::PlanId>& plans) {
  Document list = Document::list();
  for (const model::PlanId& plan : plans) list.push(plan.to_string());
  return list;
}
Document step_ids_document(const plan::State& plan, const std::vector<std::size_t>& steps) {
  Document list = Document::list();
  for (const std::size_t one : steps) list.push(plan.steps[one].definition.id);
  return list;
}

bool is_meant_correction(const model::PlanCorrected& correction, const std::string& word) {
  if (word == std::to_string(correction.number)) return true;
  const std::string id = correction.id.to_string();
  return word.size() >= kShortestIdEnd && (id.starts_with(word) || id.ends_with(word));
}

std::string listed_corrections(const std::vector<model::PlanCorrected>& all) {
  if (all.empty()) return "it has none";
  std::string list;
  for (const model::PlanCorrected& one : all) {
    list += (list.empty() ? "there are " : ", ") + std::to_string(one.number) + " (" +
            one.id.to_string() + ")";
  }
  return list;
}

}  // namespace

base::Result<CorrectionTarget> correction_target(const PlanDatabase& database,
                                                 const MeantDecision& decision) {
  if (decision.node.superseded != 0) return superseded(decision);
  CorrectionTarget target{.decision = decision.node.id};
  CLEVER_ASSIGN(target.plan, database.state(decision.plan));
  while (plan::is_ended_subplan(target.plan)) {
    CLEVER_ASSIGN(plan::State parent, database.state(target.plan.parent));
    const Step* step = parent.step_of(target.plan.id);
    if (step == nullptr) return earlier_attempt(target.plan);
    target.decision = step->decision;
    target.remark = "subplan " + decision.plan.to_string() +
                    " has ended, so the correction goes to step " + step->definition.id +
                    " of plan " + parent.id.to_string();
    target.plan = std::move(parent);
  }
  return target;
}

base::Result<CorrectionImpact> correction_impact(const PlanDatabase& database,
                                                 CorrectionTarget target, CorrectionMode mode,
                                                 Context& context) {
  CorrectionImpact made{.target = std::move(target), .mode = mode};
  CLEVER_ASSIGN(made.impact, plan::impact_of(made.target.plan, made.target.decision, mode));
  if (mode == CorrectionMode::kAppend) return made;
  CLEVER_ASSIGN(made.lost, lost_by(database, made.target.plan, made.impact, context));
  return made;
}

Document document_of(const CorrectionImpact& made) {
  const plan::State& plan = made.target.plan;
  const Impact& impact = made.impact;
  const bool reverts = made.mode == CorrectionMode::kRevert;
  Document superseded = Document::list();
  for (const model::DecisionId& id : impact.superseded) superseded.push(id.to_string());
  return Document::map()
      .set("plan_id", plan.id.to_string())
      .set("decision_id", made.target.decision.to_string())
      .set("mode", to_string(made.mode))
      .set("remark", made.target.remark.empty() ? Document() : Document(made.target.remark))
      .set("whole_plan", impact.whole_plan)
      .set("superseded", std::move(superseded))
      .set("begin_anew", reverts ? step_ids_document(plan, impact.steps) : Document::list())
      .set("comes_after", reverts ? Document::list() : step_ids_document(plan, impact.steps))
      .set("stopped", plan_ids_document(impact.stopped))
      .set("going_on", plan_ids_document(impact.going_on))
      .set("dropped", plan_ids_document(impact.dropped))
      .set("kept", step_ids_document(plan, impact.kept))
      .set("merged_again", step_ids_document(plan, impact.merged_again))
      .set("tree_before", plan.tree)
      .set("tree", impact.tree.empty() ? plan.tree : impact.tree)
      .set("lost_usd", static_cast<double>(made.lost) / 1e6);
}

View view_of(const CorrectionImpact& made) {
  const plan::State& plan = made.target.plan;
  const Impact& impact = made.impact;
  Fields fields{"", {}};
  const auto add = [&](std::string name, std::string value, Tone tone = Tone::kPlain) {
    if (!value.empty()) fields.fields.push_back({std::move(name), {std::move(value), tone}});
  };
  add("correction",
      std::string(to_string(made.mode)) + " of decision " + made.target.decision.to_string(),
      Tone::kStrong);
  add("plan", plan.id.to_string() + " " + one_line(plan.title, 60));
  add("remark", made.target.remark, Tone::kWarn);
  if (impact.whole_plan) add("starts over", "the whole plan, with its strategy", Tone::kWarn);
  if (made.mode == CorrectionMode::kAppend) {
    add("adds", "a subplan after " + step_names(plan, impact.steps));
  } else {
    add("starts over", step_names(plan, impact.steps), Tone::kWarn);
  }
  add("stops", step_names(plan, impact.stopped), Tone::kBad);
  add("drops", step_names(plan, impact.dropped), Tone::kWarn);
  add("goes on", step_names(plan, impact.going_on), Tone::kGood);
  add("keeps", step_names(plan, impact.kept), Tone::kGood);
  add("merges again", step_names(plan, impact.merged_again));
  if (!impact.superseded.empty()) {
    add("supersedes", std::to_string(impact.superseded.size()) +
                          (impact.superseded.size() == 1 ? " decision" : " decisions"));
  }
  if (!impact.tree.empty()) {
    add("returns to", "tree " + impact.tree.substr(0, kShortTree) + ", from " +
                          plan.tree.substr(0, kShortTree) + ", which is kept to compare with");
  }
  if (impact.effect) add("interrupts", "the plan's running step", Tone::kWarn);
  if (made.mode == CorrectionMode::kRevert) add("lost", cost_text(made.lost));
  return {std::move(fields)};
}

base::Result<std::string> tree_before(const PlanDatabase& database, const plan::State& plan,
                                      const std::string& word, Context& context) {
  CLEVER_ASSIGN(const auto events, all_events(database, plan.id, context));
  std::vector<model::PlanCorrected> all;
  for (const model::StoredEvent& event : events) {
    if (event.kind != model::PlanCorrected::kKind) continue;
    CLEVER_ASSIGN(auto corrected, model::PlanCorrected::parse(event.data));
    all.push_back(std::move(corrected));
  }
  const auto found = std::ranges::find_if(
      all, [&](const model::PlanCorrected& one) { return is_meant_correction(one, word); });
  if (found != all.end()) return found->tree_before;
  return base::not_found("plan " + plan.id.to_string() + " has no correction " + in_quotes(word) +
                         ": " + listed_corrections(all));
}

}  // namespace clever::service
