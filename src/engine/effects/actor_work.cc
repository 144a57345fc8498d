#include <algorithm>
#include <chrono>

#include "base/utf8.h"
#include "engine/actor/agent_actor.h"
#include "engine/agents/agent_protocol.h"
#include "engine/agents/login_copies.h"
#include "engine/effects/internal/actor_errors.h"
#include "engine/effects/internal/agent_account.h"
#include "engine/effects/internal/agent_journal.h"
#include "engine/effects/internal/agent_rules.h"
#include "engine/effects/internal/effect_data.h"
#include "engine/effects/internal/kinds.h"
#include "engine/effects/internal/shown_answer.h"
#include "engine/observer.h"
#include "engine/plan_execution_context.h"
#include "tool/change_capture.h"

namespace clever::engine::internal {
namespace {

// Limits an agent that asks again and again.
constexpr int kMostAgentRefusals = 50;
constexpr std::size_t kMostAgentTools = 1'000;
constexpr std::size_t kMostShown = std::size_t{8} << 20U;
// The wait for the answer to the last charge.
constexpr std::chrono::seconds kChargePatience{10};
constexpr std::size_t kActorMessageBytes = std::size_t{1} << 20U;

/// Shows the calls of an agent while they run.
class AgentTools {
 public:
  explicit AgentTools(const EffectOrder& order)
      : observer_(order.observer), plan_(order.plan->id) {}

  void begin(const std::string& id, const std::string& title) {
    if (observer_ == nullptr) return;
    observer_->on_tool(plan_, title, true);
    // Without an id its end is not known.
    const bool runs =
        !id.empty() && running_.size() < kMostAgentTools && running_.try_emplace(id, title).second;
    if (!runs) observer_->on_tool(plan_, title, false);
  }
  void end(const std::string& id) {
    const auto found = running_.find(id);
    if (found == running_.end()) return;
    observer_->on_tool(plan_, found->second, false);
    running_.erase(found);
  }
  void end_all() {
    while (!running_.empty()) end(std::string(running_.begin()->first));
  }

 private:
  Observer* const observer_;
  const model::PlanId plan_;
  std::map<std::string, std::string> running_;
};

// Returns the step's paths, or the plan's if the step names none.
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

/// Runs an actor that works without a model in the plan's workspace.
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
    if (order.kind == plan::EffectKind::kActorStrategize) return strategize(order);
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
      // Its own calls are shown from here on.
      if (Observer* observer = order.observer) observer->on_tool(plan.id, actor.name, false);
      return by_agent(order, step, *project, actor, arguments, *workspace);
    }
    auto result = ToolActorRunner(project->commands)
                      .work(actor, arguments, paths_for(plan, step), *workspace, order.stop);
    if (Observer* observer = order.observer) observer->on_tool(plan.id, actor.name, false);
    if (!result.ok()) {
      workspaces_.abandon(plan.id);
      return actor_failure(order, result.error());
    }
    return work_outcome(order, *workspace, actor.name, std::move(result->summary));
  }

  // Works in a copy of the files. Only the file with the strategy is kept.
  base::Result<plan::Command> strategize(const EffectOrder& order) {
    const plan::State& plan = *order.plan;
    CLEVER_ASSIGN(const auto project, project_(plan.project, order.stop));
    CLEVER_ASSIGN(Actor actor, project->actors.find(plan.settings.strategy_actor));
    actor.program = program_for(actor.program, plan.settings, project->world.environment);
    CLEVER_ASSIGN(const auto arguments,
                  actor_arguments(actor, arguments_for(actor, plan.settings.arguments)));
    CLEVER_ASSIGN(const auto workspace, workspaces_.copy(plan, order.lease));
    CLEVER_ASSIGN(const auto prompts, messages_.load(plan.prompts));
    AgentAccount account(order, actor.program, is_subscription(actor.program, project->world));
    const AgentOrder asked{.actor = actor,
                           .arguments = arguments,
                           .task = strategy_task(plan, prompts),
                           .place = place_of(order, *workspace, actor, "strategy", prompts.size()),
                           .servers = project->servers};
    const auto result = run_agent(order, *project, asked, *workspace, account);
    if (!result.ok()) return with_spent(actor_failure(order, result.error()), account.open_cost());
    if (!result->waiting.empty()) {
      return with_spent(
          actor_failure(order, base::permission_denied(
                                   "the agent that makes the strategy wants to " +
                                   masked(shown_ask(result->waiting.front().ask)) +
                                   ", which needs a person: choose another strategy_actor, or "
                                   "change the rule")),
          account.open_cost());
    }
    auto strategy = strategy_in(*workspace);
    if (!strategy.ok()) {
      return with_spent(actor_failure(order, strategy.error()), account.open_cost());
    }
    const plan::AgentCharged used = account.open();
    return plan::ActorStrategized{.effect = order.id,
                                  .strategy = *std::move(strategy),
                                  .model = used.model,
                                  .input_tokens = used.input_tokens,
                                  .output_tokens = used.output_tokens,
                                  .spent = used.spent};
  }

  static base::Result<model::Strategy> strategy_in(sandbox::Workspace& workspace) {
    CLEVER_ASSIGN(const git::TreePath path, git::TreePath::parse(kStrategyFile));
    const auto file = workspace.read(path);
    if (!file.ok()) {
      return base::unavailable("the agent wrote no strategy to " + std::string(kStrategyFile));
    }
    auto strategy = model::Strategy::parse(file->content);
    if (!strategy.ok()) {
      return base::unavailable("the agent's strategy does not fit: " + strategy.error().sentence());
    }
    return strategy;
  }

  [[nodiscard]] AgentPlace place_of(const EffectOrder& order, sandbox::Workspace& workspace,
                                    const Actor& actor, const std::string& step,
                                    std::size_t prompts) const {
    const plan::State& plan = *order.plan;
    const std::filesystem::path plan_files = workspace.store().folder().parent_path();
    const std::string name = folder_name(actor.name) + (step == "strategy" ? "-strategy" : "");
    return {.folder = plan_files / "agents" / plan.id.to_string() / name,
            .epoch = order.lease.epoch,
            .locks = logins_,
            .step = step,
            .tree = plan.tree,
            .prompts = static_cast<std::int64_t>(prompts),
            .answers = static_cast<std::int64_t>(plan.agent_answers.size())};
  }

  base::Result<AgentResult> run_agent(const EffectOrder& order, const ProjectParts& project,
                                      const AgentOrder& asked, sandbox::Workspace& workspace,
                                      AgentAccount& account) {
    const plan::State& plan = *order.plan;
    ShownAnswer shown(order.observer, plan.id, secrets_);
    AgentJournal journal(order, scheduler().clock(), secrets_);
    AgentTools tools(order);
    const AgentWatch watch = watch_of(order, asked.actor, account, shown, journal, tools);
    const AgentRunner agents({.clock = scheduler().clock(),
                              .commands = project.commands,
                              .launcher = project.launcher,
                              .world = project.world});
    auto result = agents.work(asked, workspace, watch, order.stop);
    account.settle(order.stop, base::Deadline::after(scheduler().clock(), kChargePatience));
    shown.finish();
    tools.end_all();
    journal.finish();
    return result;
  }

  base::Result<plan::Command> by_agent(const EffectOrder& order, const std::string& step,
                                       const ProjectParts& project, const Actor& actor,
                                       const std::map<std::string, std::string>& arguments,
                                       sandbox::Workspace& workspace) {
    const plan::State& plan = *order.plan;
    CLEVER_ASSIGN(const auto prompts, messages_.load(plan.prompts));
    CLEVER_ASSIGN(const auto guidance, messages_.load(guidance_for(plan, step)));
    AgentAccount account(order, actor.program, is_subscription(actor.program, project.world));
    AgentOrder asked{
        .actor = actor,
        .arguments = arguments,
        .task = agent_task(plan, step, prompts, guidance),
        .model = plan.settings.terms.model,
        .place = place_of(order, workspace, actor, step, prompts.size() + guidance.size()),
        .servers = project.servers};
    asked.place.follow_up = [&](const AgentSession& session) {
      return agent_follow_up(plan, step, prompts, guidance, session);
    };
    auto result = run_agent(order, project, asked, workspace, account);
    if (!result.ok()) {
      workspaces_.abandon(plan.id);
      return with_spent(actor_failure(order, result.error()), account.open_cost());
    }
    auto worked = work_outcome(order, workspace, actor.name, std::move(result->summary));
    if (!worked.ok()) return worked;
    auto& done = std::get<plan::ActorWorked>(*worked);
    const plan::AgentCharged used = account.open();
    done.model = used.model;
    done.input_tokens = used.input_tokens;
    done.output_tokens = used.output_tokens;
    done.spent = used.spent;
    done.cut_for_budget = result->cut;
    for (const AcpHeld& held : result->waiting) {
      done.waiting.push_back(
          {.id = ask_id(held.ask), .what = masked(shown_ask(held.ask)), .why = masked(held.why)});
    }
    return worked;
  }

  AgentWatch watch_of(const EffectOrder& order, const Actor& actor, AgentAccount& account,
                      ShownAnswer& shown, AgentJournal& journal, AgentTools& tools) const {
    const plan::State& plan = *order.plan;
    AgentWatch watch{
        .judge = [&plan, &actor](const AcpAsk& ask) { return verdict_on(plan, actor, ask); }};
    watch.on_refused = refusals(order);
    watch.on_text = [&shown, &journal, left = kMostShown](const std::string& text,
                                                          bool reasoning) mutable {
      if (left == 0) return;
      const bool is_last = text.size() >= left;
      shown.take(std::string(base::utf8_prefix(text, left)), reasoning);
      if (is_last) shown.take("\n… more than 8 MiB of its words are not shown\n", false);
      left -= std::min(left, text.size());
      if (!reasoning) journal.on_text(text);
    };
    watch.on_tool_end = [&journal, &tools](const AgentToolEnd& end) {
      journal.on_tool_end(end);
      tools.end(end.id);
      journal.flush();
    };
    watch.on_tick = [&journal] { journal.flush(); };
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
    watch.on_tool = [this, &journal, &tools](const AgentTool& tool) {
      journal.on_tool(tool);
      tools.begin(tool.id, masked(tool.title));
    };
    watch.on_silence = [&order](const std::string& sentence) {
      if (order.note) {
        order.note({.kind = model::DecisionKind::kResourceSelection,
                    .question = std::string(kSilenceQuestion),
                    .chosen = sentence});
      }
    };
    return watch;
  }

  // Records refusals, for the plan's decisions and its audit.
  std::function<void(const AcpAsk&, const std::string&)> refusals(const EffectOrder& order) const {
    return [this, &order, left = kMostAgentRefusals](const AcpAsk& ask,
                                                     const std::string& why) mutable {
      if (!order.note || left == 0) return;
      --left;
      order.note({.kind = model::DecisionKind::kToolInvocation,
                  .question = std::string(kRefusedQuestion),
                  .chosen = masked("refused: " + shown_ask(ask)),
                  .rationale = masked(why)});
    };
  }

  [[nodiscard]] std::string masked(const std::string& text) const {
    return secrets_ == nullptr ? text : secrets_->withhold(text);
  }

  // Failed work costs too.
  static plan::Command with_spent(plan::Command command, const model::Cost& spent) {
    if (auto* record = std::get_if<plan::RecordError>(&command)) record->spent = spent;
    if (auto* stopped = std::get_if<plan::EffectStopped>(&command)) stopped->spent = spent;
    return command;
  }

  static base::Result<plan::Command> work_outcome(const EffectOrder& order,
                                                  sandbox::Workspace& workspace,
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
  /// The folder of the logins' locks.
  const std::filesystem::path logins_;
};

}  // namespace

std::unique_ptr<Effect> make_actor_work(const EffectParts& parts) {
  return std::make_unique<ActorWorkEffect>(parts);
}

}  // namespace clever::engine::internal
