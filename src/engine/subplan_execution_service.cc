#include "engine/subplan_execution_service.h"

#include <algorithm>
#include <set>

#include "engine/effects/internal/conflicts.h"
#include "git/tree.h"
#include "tool/change_capture.h"

namespace clever::engine {
namespace {

constexpr std::int64_t kDeepestSubplan = 5;

base::Result<const plan::Step*> find_step(const plan::State& plan, const std::string& id) {
  const auto found = std::ranges::find(
      plan.steps, id, [](const plan::Step& step) -> auto& { return step.definition.id; });
  if (found != plan.steps.end()) return &*found;
  return base::not_found("plan " + plan.id.to_string() + " has no step '" + id + "'");
}

base::Result<diff::Child> child_of(const plan::Step& step) {
  CLEVER_ASSIGN(const git::ObjectId base, git::ObjectId::from_hex(step.base));
  CLEVER_ASSIGN(const git::ObjectId tree, git::ObjectId::from_hex(step.tree));
  return diff::Child{.name = step.definition.id,
                     .base = base,
                     .tree = tree,
                     .reads = {step.reads.begin(), step.reads.end()}};
}

// Returns the children in the strategy's order.
base::Result<std::vector<diff::Child>> children_of(const plan::State& plan,
                                                   const std::set<std::string>& steps) {
  std::vector<diff::Child> children;
  for (const plan::Step& step : plan.steps) {
    if (!steps.contains(step.definition.id)) continue;
    CLEVER_ASSIGN(diff::Child child,
                  child_of(step).context("merging step '" + step.definition.id + "'"));
    children.push_back(std::move(child));
  }
  return children;
}

// Returns all steps that this one depends on, directly or not.
base::Result<std::set<std::string>> dependencies_of(const plan::State& plan,
                                                    const plan::Step& step) {
  std::set<std::string> all;
  std::vector<const plan::Step*> pending{&step};
  while (!pending.empty()) {
    const plan::Step* next = pending.back();
    pending.pop_back();
    for (const std::string& id : next->definition.depends_on.value_or(std::vector<std::string>())) {
      if (!all.insert(id).second) continue;
      CLEVER_ASSIGN(const plan::Step* above, find_step(plan, id));
      pending.push_back(above);
    }
  }
  return all;
}

bool is_to_be_merged(const plan::Step& step) {
  return step.definition.mode == model::StepMode::kSubplan && !step.merged &&
         step.state == model::StepState::kDone;
}

std::set<std::string> merged_steps(const plan::State& plan) {
  std::set<std::string> steps;
  for (const plan::Step& step : plan.steps) {
    if (step.merged && !step.base.empty() && !step.tree.empty()) steps.insert(step.definition.id);
  }
  return steps;
}

base::Result<diff::Merged> merge_into(const plan::State& plan, git::ObjectStore& store,
                                      const std::vector<diff::Child>& children,
                                      const base::StopToken& stop) {
  CLEVER_ASSIGN(const git::ObjectId ours, git::ObjectId::from_hex(plan.tree));
  CLEVER_ASSIGN(const diff::MergeStrategy strategy,
                diff::merge_strategy_from_string(plan.settings.subplans.merge_strategy));
  CLEVER_ASSIGN(const auto earlier, children_of(plan, merged_steps(plan)));
  CLEVER_ASSIGN(diff::Merged merged, diff::merge(store, ours, children, strategy, stop, earlier));
  CLEVER_TRY(store.sync(stop));
  return merged;
}

// Reads the marked file from the present tree: a later child may have changed it.
base::Result<std::string> marked_object(git::ObjectStore& store, const git::ObjectId& tree,
                                        const diff::Conflict& conflict) {
  if (!conflict.marked) return std::string();
  CLEVER_ASSIGN(const git::TreePath path, git::TreePath::parse(conflict.path));
  CLEVER_ASSIGN(const auto node, git::find(store, tree, path));
  return node ? node->id.to_hex() : conflict.marked->to_hex();
}

base::Result<std::vector<model::OpenConflict>> open_conflicts(
    const plan::State& plan, git::ObjectStore& store, const diff::Merged& merged,
    const std::vector<model::ChangeEntry>& changes) {
  CLEVER_ASSIGN(auto open, internal::still_open(plan.conflicts, store, merged.tree, changes));
  for (const diff::Conflict& conflict : merged.conflicts) {
    if (conflict.settled) continue;
    CLEVER_ASSIGN(std::string marked, marked_object(store, merged.tree, conflict));
    std::erase_if(open, [&](const auto& earlier) { return earlier.path == conflict.path; });
    open.push_back({.path = conflict.path,
                    .kind = std::string(to_string(conflict.kind)),
                    .step = conflict.child,
                    .marked = std::move(marked)});
  }
  return open;
}

std::string message_words(const std::vector<model::Message>& messages) {
  std::string words;
  for (const model::Message& message : messages) {
    for (const model::Part& part : message.parts) {
      const auto* text = std::get_if<model::Text>(&part);
      if (text != nullptr) words += (words.empty() ? "" : "\n\n") + text->text;
    }
  }
  return words;
}

model::Message task_of(const plan::State& parent, const model::StrategyStep& step,
                       const std::vector<model::Message>& prompts,
                       const std::vector<model::Message>& guidance) {
  std::string text = step.title;
  if (!step.detail.empty()) text += "\n\n" + step.detail;
  text +=
      "\n\nThis is one part of a larger task. Do this part and nothing else; the other parts are "
      "done by others at the same time, and come together afterwards.";
  if (const std::string corrected = message_words(guidance); !corrected.empty()) {
    text += "\n\nAn earlier attempt at this part was corrected. What to do differently:\n\n" +
            corrected;
  }
  if (const std::string whole = message_words(prompts); !whole.empty()) {
    text += "\n\nThe whole task, for background:\n\n" + whole;
  }
  if (const std::string& done = parent.settings.definition_of_done; !done.empty()) {
    text += "\n\nThe whole task is done when: " + done;
  }
  model::Message task{.role = model::Role::kUser, .parts = {model::Text{std::move(text)}}};
  for (const model::Message& prompt : prompts) {
    for (const model::Part& part : prompt.parts) {
      if (std::holds_alternative<model::Image>(part)) task.parts.push_back(part);
    }
  }
  return task;
}

}  // namespace

base::Result<plan::Create> SubplanExecutionService::child(
    const plan::State& parent, const std::string& step, const model::EffectId& effect,
    const std::string& base_tree, const std::vector<model::Message>& prompts,
    const std::vector<model::Message>& guidance) const {
  CLEVER_ASSIGN(const plan::Step* found, find_step(parent, step));
  if (parent.settings.depth >= kDeepestSubplan) {
    return base::invalid_argument("step '" + step + "' would be a subplan " +
                                  std::to_string(parent.settings.depth + 1) +
                                  " levels deep; at most " + std::to_string(kDeepestSubplan) +
                                  " are allowed: make it an inline step");
  }
  plan::Create create{.title = found->definition.title,
                      .action = parent.action,
                      .project = parent.project,
                      .parent = parent.id,
                      .settings = parent.settings,
                      .prompt = task_of(parent, found->definition, prompts, guidance)};
  model::PlanSettings& settings = create.settings;
  settings.direct = !settings.subplans.strategize || !settings.uses_model;
  settings.from.clear();
  settings.apply_when_ready = false;
  settings.definition_of_done.clear();  // it is the whole's: the task tells it as that
  ++settings.depth;
  settings.ancestors.push_back(parent.id);
  settings.spawned_by = effect;
  settings.base_tree = base_tree;
  settings.paths = found->definition.paths;
  return create;
}

base::Result<std::string> SubplanExecutionService::base_of(const plan::State& parent,
                                                           const std::string& step,
                                                           git::ObjectStore& store,
                                                           const base::StopToken& stop) const {
  CLEVER_ASSIGN(const plan::Step* found, find_step(parent, step));
  CLEVER_ASSIGN(std::set<std::string> needed, dependencies_of(parent, *found));
  for (const plan::Step& each : parent.steps) {
    if (!is_to_be_merged(each)) needed.erase(each.definition.id);
  }
  CLEVER_ASSIGN(const auto children, children_of(parent, needed));
  if (children.empty()) return parent.tree;
  CLEVER_ASSIGN(const diff::Merged merged, merge_into(parent, store, children, stop));
  return merged.tree.to_hex();
}

base::Result<ChildrensWork> SubplanExecutionService::merge(const plan::State& parent,
                                                           const std::vector<std::string>& steps,
                                                           git::ObjectStore& store,
                                                           const base::StopToken& stop) const {
  for (const std::string& step : steps) CLEVER_TRY(find_step(parent, step));
  CLEVER_ASSIGN(const auto children, children_of(parent, {steps.begin(), steps.end()}));
  CLEVER_ASSIGN(const diff::Merged merged, merge_into(parent, store, children, stop));
  ChildrensWork work{.merged = {.tree = merged.tree.to_hex()}};
  plan::Merged& result = work.merged;
  for (const diff::Child& child : children) result.steps.push_back(child.name);
  CLEVER_ASSIGN(const git::ObjectId before, git::ObjectId::from_hex(parent.tree));
  CLEVER_ASSIGN(work.changes,
                tool::changes_between(store, before, merged.tree, {"merge", parent.decision}));
  CLEVER_ASSIGN(result.conflicts, open_conflicts(parent, store, merged, work.changes));
  for (const diff::StaleRead& read : merged.stale_reads) {
    result.stale_reads.push_back(read.child + " read " + read.path + ", which " + read.changed_by +
                                 " changed");
  }
  return work;
}

}  // namespace clever::engine
