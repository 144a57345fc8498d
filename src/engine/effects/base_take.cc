#include <algorithm>

#include "engine/effects/internal/bounded_cache.h"
#include "engine/effects/internal/kinds.h"
#include "engine/effects/internal/turn_context.h"
#include "git/snapshot.h"

namespace clever::engine::internal {
namespace {

constexpr std::size_t kKnownBases = 64;

std::vector<std::string> texts_of(const std::vector<git::TreePath>& paths) {
  std::vector<std::string> texts;
  texts.reserve(paths.size());
  for (const git::TreePath& path : paths) texts.push_back(path.text());
  return texts;
}

/// What a plan works on: the project as it is now, a commit, or, of a subplan, the tree that its
/// parent had for it.
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
    const bool is_child = !plan.settings.base_tree.empty();
    CLEVER_ASSIGN(model::BaseTaken base, is_child ? of_parent(plan) : of_project(order));
    prepare(plan, base, project->context);
    return plan::BaseIsTaken{.effect = order.id, .base = std::move(base)};
  }

 private:
  // The model is asked about these files next: they can be looked at meanwhile.
  void prepare(const plan::State& plan, const model::BaseTaken& base, ContextSource& context) {
    const bool asks = plan.settings.uses_model || plan.settings.uses_model_for(true);
    if (!context.searches() || !asks) return;
    auto request = files_request(workspaces_, plan, base.tree);
    if (!request.ok()) return;
    request->commit = base.commit;
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
    // What was uncommitted and worth a remark matters to who applies: the root.
    base.uncommitted.clear();
    base.remarks.clear();
    return base;
  }

  // Once per parent, not once per child.
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
  // Many plans begin at once.
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
