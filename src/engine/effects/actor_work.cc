#include <algorithm>

#include "engine/actor/agent_actor.h"
#include "engine/effects/internal/actor_errors.h"
#include "engine/effects/internal/agent_rules.h"
#include "engine/effects/internal/carried_over.h"
#include "engine/effects/internal/effect_data.h"
#include "engine/effects/internal/kinds.h"
#include "engine/effects/internal/shown_answer.h"
#include "engine/observer.h"
#include "tool/change_capture.h"

namespace clever::engine::internal {
namespace {

constexpr std::size_t kActorMessageBytes = std::size_t{1} << 20U;

// What the step is about; of a step that does not say, what the plan is about.
std::vector<std::string> paths_for(const plan::State& plan, const std::string& step) {
  const auto found = std::ranges::find(
      plan.steps, step, [](const plan::Step& each) -> auto& { return each.definition.id; });
  const bool says = found != plan.steps.end() && !found->definition.paths.empty();
  return says ? found->definition.paths : plan.settings.paths;
}

/// An actor without a model does its work in the plan's workspace.
class ActorWorkEffect final : public BlockingEffect {
 public:
  explicit ActorWorkEffect(const EffectParts& parts)
      : BlockingEffect(parts.scheduler),
        workspaces_(parts.workspaces),
        actors_(parts.actors),
        messages_(parts.store, kActorMessageBytes),
        secrets_(parts.secrets),
        runner_(parts.commands),
        agents_({.clock = parts.scheduler.clock(),
                 .commands = parts.commands,
                 .launcher = parts.launcher,
                 .world = parts.world}) {}

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
    CLEVER_ASSIGN(const auto arguments,
                  actor_arguments(actor, arguments_for(actor, plan.settings.arguments)));
    CLEVER_ASSIGN(const auto workspace, workspaces_.open(plan, order.lease));
    if (Observer* observer = order.observer) observer->on_tool(plan.id, actor.name, true);
    auto result =
        actor.type == ActorType::kAgent
            ? by_agent(order, step, actor, arguments, *workspace)
            : runner_.work(actor, arguments, paths_for(plan, step), *workspace, order.stop);
    if (Observer* observer = order.observer) observer->on_tool(plan.id, actor.name, false);
    if (!result.ok()) {
      workspaces_.abandon(plan.id);
      return actor_failure(order, result.error());
    }
    return told(order, *workspace, actor.name, std::move(result->summary));
  }

  base::Result<ToolActorResult> by_agent(const EffectOrder& order, const std::string& step,
                                         const Actor& actor,
                                         const std::map<std::string, std::string>& arguments,
                                         sandbox::Workspace& workspace) {
    const plan::State& plan = *order.plan;
    CLEVER_ASSIGN(const auto prompts, messages_.load(plan.prompts));
    AgentWatch watch{.allows = [&](const AcpAsk& ask) { return is_allowed(plan, actor, ask); }};
    ShownAnswer shown(order.observer, plan.id, secrets_);
    watch.on_text = [&shown](const std::string& text, bool reasoning) {
      shown.take(text, reasoning);
    };
    if (Observer* observer = order.observer) {
      watch.on_tool = [&, observer](const std::string& title) {
        const std::string masked = secrets_ == nullptr ? title : secrets_->withhold(title);
        observer->on_tool(plan.id, masked, true);
        observer->on_tool(plan.id, masked, false);
      };
    }
    auto result = agents_.work(actor, arguments, agent_task(plan, step, prompts), workspace, watch,
                               order.stop);
    shown.finish();
    return result;
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
  Messages messages_;
  const base::Secrets* const secrets_;
  const ToolActorRunner runner_;
  const AgentRunner agents_;
};

}  // namespace

std::unique_ptr<Effect> make_actor_work(const EffectParts& parts) {
  return std::make_unique<ActorWorkEffect>(parts);
}

}  // namespace clever::engine::internal
