#include "engine/actor/graph_actor.h"
#include "engine/effects/internal/actor_errors.h"
#include "engine/effects/internal/kinds.h"

namespace clever::engine::internal {
namespace {

/// Makes the strategy of an actor that works without a model.
class ActorStrategize final : public BlockingEffect {
 public:
  explicit ActorStrategize(const EffectParts& parts)
      : BlockingEffect(parts.scheduler), workspaces_(parts.workspaces), project_(parts.project) {}

 protected:
  base::Result<plan::Command> run(const EffectOrder& order) override {
    const plan::State& plan = *order.plan;
    CLEVER_ASSIGN(const auto project, project_(plan.project, order.stop));
    CLEVER_ASSIGN(const Actor actor, project->actors.find(plan.settings.actor_for(true)));
    CLEVER_ASSIGN(const auto arguments,
                  actor_arguments(actor, arguments_for(actor, plan.settings.arguments)));
    auto strategy = actor.type == ActorType::kGraph ? of_graph(actor, project->actors, arguments)
                                                    : of_tool(actor, *project, arguments, order);
    if (!strategy.ok()) return actor_failure(order, strategy.error());
    return plan::ActorStrategized{.effect = order.id, .strategy = std::move(strategy).value()};
  }

 private:
  using Arguments = std::map<std::string, std::string>;

  // Reads the actor again: its file may have changed since the plan was made.
  [[nodiscard]] static base::Result<model::Strategy> of_graph(const Actor& actor,
                                                              const ActorCatalog& actors,
                                                              const Arguments& arguments) {
    CLEVER_TRY(check_graph(actor, actors));
    return graph_strategy(actor, arguments);
  }
  base::Result<model::Strategy> of_tool(const Actor& actor, const ProjectParts& project,
                                        const Arguments& arguments, const EffectOrder& order) {
    CLEVER_ASSIGN(const auto workspace, workspaces_.look(*order.plan));
    return ToolActorRunner(project.commands).strategize(actor, arguments, *workspace, order.stop);
  }

  Workspaces& workspaces_;
  const OpenProjectParts project_;
};

/// An external agent makes a strategy as it works on a step.
class AnyStrategize final : public Effect {
 public:
  explicit AnyStrategize(const EffectParts& parts)
      : agents_(make_actor_work(parts)), others_(parts) {}

  void start(std::shared_ptr<EffectJob> job) override {
    const bool by_agent = job->plan().settings.strategy_uses_agent;
    by_agent ? agents_->start(std::move(job)) : others_.start(std::move(job));
  }

 private:
  const std::unique_ptr<Effect> agents_;
  ActorStrategize others_;
};

}  // namespace

std::unique_ptr<Effect> make_actor_strategize(const EffectParts& parts) {
  return std::make_unique<AnyStrategize>(parts);
}

}  // namespace clever::engine::internal
