#include <algorithm>

#include "engine/effects/internal/actor_errors.h"
#include "engine/effects/internal/carried_over.h"
#include "engine/effects/internal/effect_data.h"
#include "engine/effects/internal/kinds.h"
#include "engine/observer.h"
#include "tool/change_capture.h"

namespace clever::engine::internal {
namespace {

// What the step is about; of a step that does not say, what the plan is about.
std::vector<std::string> paths_for(const plan::State& plan, const std::string& step) {
  const auto found = std::ranges::find(
      plan.steps, step, [](const plan::Step& each) -> auto& { return each.definition.id; });
  const bool says = found != plan.steps.end() && !found->definition.paths.empty();
  return says ? found->definition.paths : plan.settings.paths;
}

/// An actor without a model does its work in the plan's workspace.
class ActorWork final : public BlockingEffect {
 public:
  explicit ActorWork(const EffectParts& parts)
      : BlockingEffect(parts.scheduler),
        workspaces_(parts.workspaces),
        actors_(parts.actors),
        runner_(parts.commands) {}

 protected:
  base::Result<plan::Command> run(const EffectOrder& order) override {
    auto worked = work(order);
    if (!worked.ok()) workspaces_.abandon(order.plan->id);
    return worked;
  }

 private:
  base::Result<plan::Command> work(const EffectOrder& order) {
    const plan::State& plan = *order.plan;
    CLEVER_ASSIGN(const std::string step, text_in(order.data, "step"));
    CLEVER_ASSIGN(const Actor actor, actors_.find(plan.settings.actor));
    CLEVER_ASSIGN(const auto arguments, actor_arguments(actor, plan.settings.arguments));
    CLEVER_ASSIGN(const auto workspace, workspaces_.open(plan, order.lease));
    if (Observer* observer = order.observer) observer->on_tool(plan.id, actor.name, true);
    auto result = runner_.work(actor, arguments, paths_for(plan, step), *workspace, order.stop);
    if (Observer* observer = order.observer) observer->on_tool(plan.id, actor.name, false);
    if (!result.ok()) {
      workspaces_.abandon(plan.id);
      return actor_failure(order, result.error());
    }
    return told(order, *workspace, actor.name, std::move(result->summary));
  }

  static base::Result<plan::Command> told(const EffectOrder& order, sandbox::Workspace& workspace,
                                          const std::string& actor, std::string summary) {
    const plan::State& plan = *order.plan;
    CLEVER_ASSIGN(const git::ObjectId before, git::ObjectId::from_hex(plan.tree));
    CLEVER_ASSIGN(const git::ObjectId after, workspace.checkpoint(order.stop));
    CLEVER_ASSIGN(auto changes,
                  tool::changes_between(workspace.store(), before, after, {actor, plan.decision}));
    CLEVER_ASSIGN(changes, with_carried_over(plan, workspace.store(), std::move(changes)));
    return plan::ActorWorked{.effect = order.id,
                             .summary = std::move(summary),
                             .tree = before == after ? "" : after.to_hex(),
                             .changes = std::move(changes)};
  }

  Workspaces& workspaces_;
  const ActorCatalog& actors_;
  const ToolActorRunner runner_;
};

}  // namespace

std::unique_ptr<Effect> make_actor_work(const EffectParts& parts) {
  return std::make_unique<ActorWork>(parts);
}

}  // namespace clever::engine::internal
