#include "engine/actor/graph_actor.h"
#include "engine/effects/internal/actor_errors.h"
#include "engine/effects/internal/kinds.h"

namespace clever::engine::internal {
namespace {

/// An actor without a model says how it will go about its work.
class ActorStrategize final : public BlockingEffect {
 public:
  explicit ActorStrategize(const EffectParts& parts)
      : BlockingEffect(parts.scheduler),
        workspaces_(parts.workspaces),
        actors_(parts.actors),
        runner_(parts.commands) {}

 protected:
  base::Result<plan::Command> run(const EffectOrder& order) override {
    const plan::State& plan = *order.plan;
    CLEVER_ASSIGN(const Actor actor, actors_.find(plan.settings.actor_for(true)));
    CLEVER_ASSIGN(const auto arguments,
                  actor_arguments(actor, arguments_for(actor, plan.settings.arguments)));
    auto strategy = actor.type == ActorType::kGraph ? of_graph(actor, arguments)
                                                    : of_tool(actor, arguments, order);
    if (!strategy.ok()) return actor_failure(order, strategy.error());
    return plan::ActorStrategized{.effect = order.id, .strategy = std::move(strategy).value()};
  }

 private:
  using Arguments = std::map<std::string, std::string>;

  // Its file may have changed since the plan was made.
  [[nodiscard]] base::Result<model::Strategy> of_graph(const Actor& actor,
                                                       const Arguments& arguments) const {
    CLEVER_TRY(check_graph(actor, actors_));
    return graph_strategy(actor, arguments);
  }
  base::Result<model::Strategy> of_tool(const Actor& actor, const Arguments& arguments,
                                        const EffectOrder& order) {
    CLEVER_ASSIGN(const auto workspace, workspaces_.look(*order.plan));
    return runner_.strategize(actor, arguments, *workspace, order.stop);
  }

  Workspaces& workspaces_;
  const ActorCatalog& actors_;
  const ToolActorRunner runner_;
};

}  // namespace

std::unique_ptr<Effect> make_actor_strategize(const EffectParts& parts) {
  return std::make_unique<ActorStrategize>(parts);
}

}  // namespace clever::engine::internal
