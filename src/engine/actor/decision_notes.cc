#include "engine/actor/decision_notes.h"

#include <algorithm>

#include "engine/effects/internal/bounded_cache.h"
#include "model/decision_events.h"
#include "storage/changesets.h"
#include "storage/decisions.h"
#include "storage/plans.h"

namespace clever::engine {
namespace {

constexpr std::size_t kMostNotes = 300;
constexpr std::size_t kMostOthers = 12;
constexpr std::int64_t kMostNotePaths = 64;
constexpr std::size_t kMostNotedProjects = 8;

/// The decisions of one plan.
struct PlanNotes {
  model::PlanId plan{};
  DecisionNotes::Notes notes{};
};
using Others = std::vector<PlanNotes>;

// Leaves out strategies and steps: the question has the plan's own steps anyway, and with a
// sibling's steps a model would do the sibling's work. Leaves out what a person said about one
// step, which that step's actor gets, and the answers to errors, which say nothing about the work.
bool is_left_out(const storage::DecisionNode& node, const std::string& rationale,
                 bool is_below_root) {
  if (node.kind == to_string(model::DecisionKind::kErrorRecovery)) return true;
  if (node.kind == to_string(model::DecisionKind::kImplementationChoice)) return rationale.empty();
  if (node.kind == to_string(model::DecisionKind::kUserIntervention)) return is_below_root;
  return node.kind == to_string(model::DecisionKind::kPromptDefinition) ||
         node.kind == to_string(model::DecisionKind::kSubplanSpawn);
}

base::Result<DecisionNotes::Notes> notes_of(storage::Engine& database, const model::PlanId& plan,
                                            const base::StopToken& stop) {
  CLEVER_ASSIGN(const auto nodes, storage::Decisions(database).tree(plan, stop));
  const auto first =
      std::ranges::find_if(nodes, [](const storage::DecisionNode& node) { return !node.parent; });
  const model::DecisionId root = first == nodes.end() ? model::DecisionId() : first->id;
  DecisionNotes::Notes notes;
  for (const storage::DecisionNode& node : nodes) {
    const auto recorded = model::DecisionRecorded::parse(node.data);
    const std::string rationale = recorded.ok() ? recorded->rationale : std::string();
    if (node.superseded != 0 || is_left_out(node, rationale, node.parent != root)) {
      continue;
    }
    notes.push_back({node.id.to_string(), node.question, node.chosen, rationale});
  }
  return notes;
}

base::Result<std::shared_ptr<const Others>> others_of(storage::Engine& database,
                                                      const std::string& project,
                                                      const base::StopToken& stop) {
  CLEVER_ASSIGN(
      const auto plans,
      storage::Plans(database).list({.project = project, .standing = true}, kMostOthers, {}, stop));
  auto others = std::make_shared<Others>();
  for (const storage::PlanSummary& plan : plans) {
    CLEVER_ASSIGN(auto notes, notes_of(database, plan.id, stop));
    CLEVER_ASSIGN(const auto paths,
                  storage::Changesets(database).paths(plan.id, kMostNotePaths, stop));
    for (context::DecisionNote& note : notes) note.paths = paths;
    others->push_back({plan.id, std::move(notes)});
  }
  return others;
}

void append(DecisionNotes::Notes& all, const DecisionNotes::Notes& notes, bool own) {
  for (const context::DecisionNote& note : notes) {
    if (all.size() >= kMostNotes) return;
    all.push_back(note);
    all.back().own = own;
  }
}

}  // namespace

struct DecisionNotes::Known {
  internal::BoundedCache<std::string, const Others> others{kMostNotedProjects};
};

DecisionNotes::DecisionNotes(storage::Engine& database)
    : database_(database), known_(std::make_unique<Known>()) {}
DecisionNotes::~DecisionNotes() = default;

base::Result<DecisionNotes::Notes> DecisionNotes::of(const model::PlanId& plan,
                                                     const std::vector<model::PlanId>& ancestors,
                                                     const std::string& project,
                                                     const base::StopToken& stop) {
  std::vector<model::PlanId> family(ancestors.rbegin(), ancestors.rend());
  family.insert(family.begin(), plan);
  Notes all;
  for (const model::PlanId& one : family) {
    CLEVER_ASSIGN(const Notes notes, notes_of(database_, one, stop));
    append(all, notes, true);
  }
  CLEVER_ASSIGN(const auto others,
                known_->others.get(project, [&] { return others_of(database_, project, stop); }));
  for (const PlanNotes& other : *others) {
    const bool is_own = std::ranges::find(family, other.plan) != family.end();
    if (!is_own) append(all, other.notes, false);
  }
  return all;
}

base::Result<DecisionNotes::Notes> DecisionNotes::of_project(const std::string& project,
                                                             const base::StopToken& stop) {
  CLEVER_ASSIGN(const auto others, others_of(database_, project, stop));
  Notes all;
  for (const PlanNotes& other : *others) append(all, other.notes, false);
  return all;
}

}  // namespace clever::engine
