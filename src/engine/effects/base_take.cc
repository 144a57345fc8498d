#include <algorithm>
#include <set>

#include "engine/effects/internal/bounded_cache.h"
#include "engine/effects/internal/kinds.h"
#include "engine/effects/internal/turn_context.h"
#include "engine/plan_execution_context.h"
#include "engine/subplan_execution_service.h"
#include "git/snapshot.h"
#include "git/tree.h"
#include "plan/decide.h"
#include "tool/change_capture.h"

namespace clever::engine::internal {
namespace {

constexpr std::size_t kKnownBases = 64;

std::vector<std::string> texts_of(const std::vector<git::TreePath>& paths) {
  std::vector<std::string> texts;
  texts.reserve(paths.size());
  for (const git::TreePath& path : paths) texts.push_back(path.text());
  return texts;
}

/// What a plan works on: the project as it is now, a commit, what another plan left, or, of a
/// subplan, the tree that its parent had for it.
class BaseTake final : public BlockingEffect {
 public:
  explicit BaseTake(const EffectParts& parts)
      : BlockingEffect(parts.scheduler),
        store_(parts.store),
        workspaces_(parts.workspaces),
        project_(parts.project),
        bases_(kKnownBases) {}

 protected:
  base::Result<plan::Command> run(const EffectOrder& order) override {
    const plan::State& plan = *order.plan;
    CLEVER_ASSIGN(const auto project, project_(plan.project, order.stop));
    plan::BaseIsTaken taken{.effect = order.id};
    // A subplan has its parent's settings.
    if (!plan.settings.base_tree.empty()) {
      CLEVER_ASSIGN(taken.base, of_parent(plan));
    } else if (plan.settings.from_plan) {
      CLEVER_TRY(of_other_plan(order, taken));
    } else {
      CLEVER_ASSIGN(taken.base, of_project(order));
    }
    prepare(plan, taken, project->context);
    return taken;
  }

 private:
  // The model is asked about these files next: they can be looked at meanwhile.
  void prepare(const plan::State& plan, const plan::BaseIsTaken& taken, ContextSource& context) {
    const bool asks = plan.settings.uses_model || plan.settings.uses_model_for(true);
    if (!context.searches() || !asks) return;
    const std::string& tree = taken.tree.empty() ? taken.base.tree : taken.tree;
    auto request = files_request(workspaces_, plan, tree);
    if (!request.ok()) return;
    request->commit = taken.base.commit;
    context.prepare(*request);
  }

  base::Result<model::BaseTaken> of_project(const EffectOrder& order) {
    const plan::State& plan = *order.plan;
    CLEVER_ASSIGN(const git::Project project, workspaces_.project(plan));
    CLEVER_ASSIGN(const auto store, workspaces_.store(plan));
    const std::string& from = plan.settings.from;
    CLEVER_ASSIGN(const git::BaseSnapshot snapshot,
                  from.empty() ? trees_.snapshot(project, *store, order.stop)
                               : git::snapshot_reference(project, *store, from, order.stop));
    return base_taken(project, snapshot);
  }

  // What another plan left when it ended, whatever its end was: its own work, and that of subplans
  // which were done but not merged yet.
  base::Result<void> of_other_plan(const EffectOrder& order, plan::BaseIsTaken& taken) {
    const plan::State& plan = *order.plan;
    CLEVER_ASSIGN(const storage::LoadedPlan loaded, store_.load(plan.settings.from_plan));
    CLEVER_ASSIGN(plan::State other, plan::fold(loaded.events));
    if (!other.base) return base::conflict("plan " + other.id.to_string() + " changed nothing");
    CLEVER_ASSIGN(const auto store, workspaces_.store(plan));
    CLEVER_TRY(copy_work(other, *store, order.stop)
                   .context("taking over the files of plan " + other.id.to_string()));
    const std::vector<std::string> steps = done_but_not_merged(other);
    taken.base = *other.base;
    taken.tree = other.tree;
    taken.conflicts = other.conflicts;
    if (!steps.empty()) {
      CLEVER_ASSIGN(ChildrensWork work,
                    SubplanExecutionService().merge(other, steps, *store, order.stop));
      taken.tree = std::move(work.merged.tree);
      taken.conflicts = std::move(work.merged.conflicts);
    }
    // Its steps are not this plan's.
    for (model::OpenConflict& conflict : taken.conflicts) conflict.step.clear();
    CLEVER_TRY(store->sync(order.stop));
    CLEVER_ASSIGN(const git::ObjectId base, git::ObjectId::from_hex(taken.base.tree));
    CLEVER_ASSIGN(const git::ObjectId tree, git::ObjectId::from_hex(taken.tree));
    CLEVER_ASSIGN(auto changes,
                  tool::changes_between(*store, base, tree, {"from_plan", plan.decision}));
    if (!changes.empty()) order.context->start_changeset(plan.decision).record(std::move(changes));
    return {};
  }

  static std::vector<std::string> done_but_not_merged(const plan::State& plan) {
    std::vector<std::string> steps;
    for (const plan::Step& step : plan.steps) {
      const bool done = step.state == model::StepState::kDone && !step.merged;
      if (done && !step.base.empty() && !step.tree.empty()) steps.push_back(step.definition.id);
    }
    return steps;
  }

  base::Result<void> copy_work(const plan::State& other, git::ObjectStore& store,
                               const base::StopToken& stop) {
    CLEVER_ASSIGN(const auto theirs, workspaces_.store(other));
    std::set<std::string> trees{other.base->tree, other.tree};
    for (const plan::Step& step : other.steps) {
      if (step.state == model::StepState::kDone) trees.insert({step.base, step.tree});
    }
    trees.erase("");
    for (const std::string& tree : trees) {
      CLEVER_ASSIGN(const git::ObjectId id, git::ObjectId::from_hex(tree));
      CLEVER_TRY(git::copy_tree(*theirs, store, id, stop));
    }
    return {};
  }

  base::Result<model::BaseTaken> of_parent(const plan::State& plan) {
    CLEVER_ASSIGN(const git::ObjectId tree, git::ObjectId::from_hex(plan.settings.base_tree));
    CLEVER_ASSIGN(const auto store, workspaces_.store(plan));
    CLEVER_ASSIGN(const bool is_there, store->contains(tree));
    if (!is_there) {
      return base::not_found("the files that the subplan starts from (tree " + tree.to_hex() +
                             ") are gone");
    }
    CLEVER_ASSIGN(const auto above, bases_.get(plan.parent, [&] { return load(plan.parent); }));
    model::BaseTaken base = *above;
    base.tree = plan.settings.base_tree;
    // Uncommitted files and remarks matter only for the root, which is applied.
    base.uncommitted.clear();
    base.remarks.clear();
    return base;
  }

  // Reads once per parent, not once per child.
  base::Result<std::shared_ptr<const model::BaseTaken>> load(const model::PlanId& parent) {
    CLEVER_ASSIGN(const storage::LoadedPlan loaded, store_.load(parent));
    const auto taken = std::ranges::find(loaded.events.rbegin(), loaded.events.rend(),
                                         model::BaseTaken::kKind, &model::StoredEvent::kind);
    if (taken == loaded.events.rend()) {
      return base::conflict("plan " + parent.to_string() + " has no base for its subplans");
    }
    CLEVER_ASSIGN(model::BaseTaken base, model::BaseTaken::parse(taken->data));
    return std::make_shared<const model::BaseTaken>(std::move(base));
  }

  PlanStore& store_;
  Workspaces& workspaces_;
  const OpenProjectParts project_;
  // Many plans start at the same time.
  git::WorkingTrees trees_;
  BoundedCache<model::PlanId, const model::BaseTaken> bases_;
};

}  // namespace

model::BaseTaken base_taken(const git::Project& project, const git::BaseSnapshot& snapshot) {
  const auto commit_of = [](const git::HeadState& head) {
    return head.commit ? head.commit->to_hex() : std::string();
  };
  std::vector<model::ProjectHead> heads;
  for (std::size_t i = 0; i < snapshot.heads.size(); ++i) {
    const git::HeadState& head = snapshot.heads[i];
    heads.push_back({project.members[i].name, head.branch, commit_of(head)});
  }
  return {.tree = snapshot.tree.to_hex(),
          .branch = snapshot.head.branch,
          .commit = commit_of(snapshot.head),
          .uncommitted = texts_of(snapshot.uncommitted),
          .submodules = texts_of(snapshot.submodules),
          .filtered = texts_of(snapshot.filtered),
          .hidden = texts_of(snapshot.hidden),
          .remarks = snapshot.remarks,
          .projects = std::move(heads)};
}

std::unique_ptr<Effect> make_base_take(const EffectParts& parts) {
  return std::make_unique<BaseTake>(parts);
}

}  // namespace clever::engine::internal
