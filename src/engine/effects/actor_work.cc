#include <algorithm>

#include "engine/actor/agent_actor.h"
#include "engine/agents/agent_protocol.h"
#include "engine/agents/login_copies.h"
#include "engine/effects/internal/actor_errors.h"
#include "engine/effects/internal/agent_account.h"
#include "engine/effects/internal/agent_rules.h"
#include "engine/effects/internal/effect_data.h"
#include "engine/effects/internal/kinds.h"
#include "engine/effects/internal/shown_answer.h"
#include "engine/observer.h"
#include "engine/plan_execution_context.h"
#include "tool/change_capture.h"

namespace clever::engine::internal {
namespace {

// An agent may ask again and again.
constexpr int kMostAgentRefusals = 50;
constexpr std::size_t kActorMessageBytes = std::size_t{1} << 20U;

// What the step is about; of a step that does not say, what the plan is about.
std::vector<std::string> paths_for(const plan::State& plan, const std::string& step) {
  const auto found = std::ranges::find(
      plan.steps, step, [](const plan::Step& each) -> auto& { return each.definition.id; });
  const bool says = found != plan.steps.end() && !found->definition.paths.empty();
  return says ? found->definition.paths : plan.settings.paths;
}

// "local/claude" → "local-claude".
std::string folder_name(std::string name) {
  std::ranges::replace(name, '/', '-');
  return name;
}

/// An actor without a model does its work in the plan's workspace.
class ActorWorkEffect final : public BlockingEffect {
 public:
  explicit ActorWorkEffect(const EffectParts& parts)
      : BlockingEffect(parts.scheduler),
        workspaces_(parts.workspaces),
        project_(parts.project),
        messages_(parts.store, kActorMessageBytes),
        secrets_(parts.secrets),
        learn_secret_(parts.learn_secret),
        logins_(parts.applies.parent_path() / "logins") {}

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
    CLEVER_ASSIGN(const auto project, project_(plan.project, order.stop));
    CLEVER_ASSIGN(Actor actor, project->actors.find(plan.settings.actor));
    if (actor.type == ActorType::kAgent) {
      actor.program = program_for(actor.program, plan.settings, project->world.environment);
    }
    CLEVER_ASSIGN(const auto arguments,
                  actor_arguments(actor, arguments_for(actor, plan.settings.arguments)));
    CLEVER_ASSIGN(const auto workspace, workspaces_.open(plan, order.lease));
    if (Observer* observer = order.observer) observer->on_tool(plan.id, actor.name, true);
    if (actor.type == ActorType::kAgent) {
      return by_agent(order, step, *project, actor, arguments, *workspace);
    }
    auto result = ToolActorRunner(project->commands)
                      .work(actor, arguments, paths_for(plan, step), *workspace, order.stop);
    if (Observer* observer = order.observer) observer->on_tool(plan.id, actor.name, false);
    if (!result.ok()) {
      workspaces_.abandon(plan.id);
      return actor_failure(order, result.error());
    }
    return told(order, *workspace, actor.name, std::move(result->summary));
  }

  base::Result<plan::Command> by_agent(const EffectOrder& order, const std::string& step,
                                       const ProjectParts& project, const Actor& actor,
                                       const std::map<std::string, std::string>& arguments,
                                       sandbox::Workspace& workspace) {
    const plan::State& plan = *order.plan;
    CLEVER_ASSIGN(const auto prompts, messages_.load(plan.prompts));
    CLEVER_ASSIGN(const auto guidance, messages_.load(guidance_for(plan, step)));
    AgentAccount account(order, actor.program, is_subscription(actor.program, project.world));
    ShownAnswer shown(order.observer, plan.id, secrets_);
    const AgentWatch watch = watch_of(order, actor, account, shown);
    const std::filesystem::path plan_files = workspace.store().folder().parent_path();
    const std::string task = agent_task(plan, step, prompts, guidance);
    const AgentOrder asked{
        .actor = actor,
        .arguments = arguments,
        .task = task,
        .model = plan.settings.terms.model,
        .place = {.folder = plan_files / "agents" / plan.id.to_string() / folder_name(actor.name),
                  .epoch = order.lease.epoch,
                  .locks = logins_,
                  .step = step,
                  .tree = plan.tree,
                  .prompts = static_cast<std::int64_t>(prompts.size() + guidance.size()),
                  .follow_up = [&](const AgentSession& session) {
                    return agent_follow_up(plan, step, prompts, guidance, session);
                  }}};
    const AgentRunner agents({.clock = scheduler().clock(),
                              .commands = project.commands,
                              .launcher = project.launcher,
                              .world = project.world});
    auto result = agents.work(asked, workspace, watch, order.stop);
    shown.finish();
    if (Observer* observer = order.observer) observer->on_tool(plan.id, actor.name, false);
    if (!result.ok()) {
      workspaces_.abandon(plan.id);
      return with_spent(actor_failure(order, result.error()), account.open_cost());
    }
    auto worked = told(order, workspace, actor.name, std::move(result->summary));
    if (!worked.ok()) return worked;
    auto& done = std::get<plan::ActorWorked>(*worked);
    const plan::AgentCharged used = account.open();
    done.model = used.model;
    done.input_tokens = used.input_tokens;
    done.output_tokens = used.output_tokens;
    done.spent = used.spent;
    done.cut_for_budget = result->cut;
    return worked;
  }

  AgentWatch watch_of(const EffectOrder& order, const Actor& actor, AgentAccount& account,
                      ShownAnswer& shown) const {
    const plan::State& plan = *order.plan;
    AgentWatch watch{
        .objection = [&plan, &actor](const AcpAsk& ask) { return objection_to(plan, actor, ask); }};
    watch.on_refused = refusals(order);
    watch.on_text = [&shown](const std::string& text, bool reasoning) {
      shown.take(text, reasoning);
    };
    watch.on_usage = [&account](const AgentUsage& usage, const std::string& model) {
      account.take(usage, model);
    };
    watch.may_go_on = [&account] { return account.may_go_on(); };
    watch.on_secret = learn_secret_;
    watch.on_login = [&order](const std::string& sentence) {
      if (order.note) {
        order.note({.kind = model::DecisionKind::kResourceSelection,
                    .question = std::string(kLoginQuestion),
                    .chosen = sentence});
      }
    };
    Observer* observer = order.observer;
    if (observer == nullptr) return watch;
    watch.on_tool = [&plan, observer, secrets = secrets_](const std::string& title) {
      const std::string masked = secrets == nullptr ? title : secrets->withhold(title);
      observer->on_tool(plan.id, masked, true);
      observer->on_tool(plan.id, masked, false);
    };
    watch.on_silence = [&plan, observer](const std::string& sentence) {
      observer->on_wait(plan.id, sentence);
    };
    return watch;
  }

  // What a person finds in the plan's decisions and its audit.
  std::function<void(const AcpAsk&, const std::string&)> refusals(const EffectOrder& order) const {
    return [&order, secrets = secrets_, left = kMostAgentRefusals](const AcpAsk& ask,
                                                                   const std::string& why) mutable {
      if (!order.note || left == 0) return;
      --left;
      const auto masked = [&](const std::string& text) {
        return secrets == nullptr ? text : secrets->withhold(text);
      };
      order.note({.kind = model::DecisionKind::kToolInvocation,
                  .question = std::string(kRefusedQuestion),
                  .chosen = masked("refused: " + shown_ask(ask)),
                  .rationale = masked(why)});
    };
  }

  // What failed cost something too.
  static plan::Command with_spent(plan::Command command, const model::Cost& spent) {
    if (auto* record = std::get_if<plan::RecordError>(&command)) record->spent = spent;
    if (auto* stopped = std::get_if<plan::EffectStopped>(&command)) stopped->spent = spent;
    return command;
  }

  static base::Result<plan::Command> told(const EffectOrder& order, sandbox::Workspace& workspace,
                                          const std::string& actor, std::string summary) {
    const plan::State& plan = *order.plan;
    CLEVER_ASSIGN(const git::ObjectId before, git::ObjectId::from_hex(plan.tree));
    CLEVER_ASSIGN(const git::ObjectId after, workspace.checkpoint(order.stop));
    CLEVER_ASSIGN(auto changes,
                  tool::changes_between(workspace.store(), before, after, {actor, plan.decision}));
    order.context->start_changeset(plan.decision).record(std::move(changes));
    return plan::ActorWorked{.effect = order.id,
                             .summary = std::move(summary),
                             .tree = before == after ? "" : after.to_hex()};
  }

  Workspaces& workspaces_;
  const OpenProjectParts project_;
  Messages messages_;
  const base::Secrets* const secrets_;
  const std::function<void(const std::string&)> learn_secret_;
  /// Where locks of logins lie.
  const std::filesystem::path logins_;
};

}  // namespace

std::unique_ptr<Effect> make_actor_work(const EffectParts& parts) {
  return std::make_unique<ActorWorkEffect>(parts);
}

}  // namespace clever::engine::internal
