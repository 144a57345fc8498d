#include "service/commands/agent.h"

#include <algorithm>

#include "base/task_group.h"
#include "base/thread_pool.h"
#include "engine/actor/tool_actor.h"
#include "engine/agents/agent_check.h"
#include "io/environment.h"
#include "service/commands/commands.h"
#include "service/definitions/definitions.h"

namespace clever::service {
namespace {

using engine::Actor;
using engine::ActorCatalog;
using engine::AgentFound;

constexpr unsigned kAskedAtOnce = 4;

base::Result<ActorCatalog> load_agents(Context& context) {
  CLEVER_ASSIGN(const DefinitionFolders folders, definition_folders(context, "actors"));
  auto catalog = ActorCatalog::load({folders.home});
  if (!catalog.ok()) return blame_file(catalog.error());
  return catalog;
}

engine::AgentSurroundings surroundings(Context& context) {
  return {.clock = context.clock(),
          .world = {.home = io::user_home(context.environment()),
                    .own_home = context.home(),
                    .environment = context.environment_lines()},
          .environment = context.environment()};
}

std::string joined_lines(const std::vector<std::string>& sentences) {
  std::string text;
  for (const std::string& sentence : sentences) text += (text.empty() ? "" : "\n") + sentence;
  return text;
}

Document agent_document(const Actor& agent, const AgentFound& found) {
  return Document::map()
      .set("name", short_actor_name(agent.name))
      .set("actor", agent.name)
      .set("description", agent.description)
      .set("program", found.program.string())
      .set("version", found.version)
      .set("login", found.login)
      .set("acp", found.acp.string())
      .set("hosts", Document::texts(agent.program.hosts))
      .set("ready", found.missing.empty())
      .set("missing", Document::texts(found.missing))
      .set("install", agent.program.install);
}

base::Result<Report> list_agents(const Invocation&, Context& context) {
  CLEVER_ASSIGN(const auto agents, look_for_agents(context));
  Report report;
  Document list = Document::list();
  Table table{"", {"agent", "version", "login", "what is missing"}, {}};
  for (const auto& [name, agent, found] : agents) {
    list.push(agent_document(agent, found));
    const bool ready = found.missing.empty();
    table.rows.push_back(
        {{name, ready ? Tone::kAccent : Tone::kDim},
         {found.version.empty() ? "-" : found.version},
         {found.login.empty() ? "-" : found.login},
         {ready ? "nothing" : joined_lines(found.missing), ready ? Tone::kGood : Tone::kDim}});
  }
  report.data.set("agents", std::move(list));
  report.view.emplace_back(std::move(table));
  return report;
}

base::Result<Report> test_agent(const Invocation& invocation, Context& context) {
  CLEVER_ASSIGN(const ActorCatalog catalog, load_agents(context));
  CLEVER_ASSIGN(const Actor agent, catalog.find(invocation.word(0)));
  if (agent.type != engine::ActorType::kAgent) {
    return base::invalid_argument("the actor " + agent.name +
                                  " is not an external agent; `agents agent list` lists them");
  }
  const engine::AgentSurroundings around = surroundings(context);
  const AgentFound found = look_for_agent(agent, around, context.stop());
  if (!found.missing.empty()) return base::unavailable(joined_lines(found.missing));
  CLEVER_ASSIGN(const std::string version,
                start_confined(agent, around, context.launcher(), context.stop()));
  Report report;
  report.data = agent_document(agent, found);
  report.view.emplace_back(Prose{
      {{{short_actor_name(agent.name), Tone::kStrong},
        {" works: " + version + " starts in the sandbox, with the login of " + found.login}},
       {{"agents run --agent " + short_actor_name(agent.name) + " \"TASK\"", Tone::kAccent}}}});
  return report;
}

}  // namespace

base::Result<std::vector<KnownAgent>> look_for_agents(Context& context) {
  CLEVER_ASSIGN(const ActorCatalog catalog, load_agents(context));
  std::vector<KnownAgent> agents;
  for (const Actor& agent : catalog.all()) {
    if (agent.type != engine::ActorType::kAgent) continue;
    agents.push_back({short_actor_name(agent.name), agent, {}});
  }
  // Some take seconds to start, so that they are asked beside each other.
  const engine::AgentSurroundings around = surroundings(context);
  base::ThreadPool pool({.name = "agents", .threads = kAskedAtOnce});
  base::TaskGroup asking(pool, context.stop());
  for (KnownAgent& each : agents) {
    CLEVER_TRY(asking.spawn([&each, &around](const base::StopToken& stop) {
      each.found = look_for_agent(each.actor, around, stop);
      return base::Result<void>();
    }));
  }
  CLEVER_TRY(asking.wait(context.stop()));
  return agents;
}

Command agent_command() {
  return {.name = "agent",
          .summary = "External agents: claude, codex, opencode, gemini, qwen, goose and your own",
          .description =
              "`agents run --agent NAME \"TASK\"` runs a task with an agent that you have "
              "installed: confined, next to others, and with its changes for review. To add an "
              "agent of your own, write an actor of type agent (docs/use/agents.md).",
          .examples = {{"agents agent list", "Which are installed, and what they lack"},
                       {"agents run --agent claude \"Fix the tests\"", "Run one"}},
          .subcommands = {
              {.name = "list",
               .aliases = {"ls"},
               .summary = "Show which agents are installed and logged in, and what is missing",
               .examples = {{"agents agent list", "For people"},
                            {"agents agent list --format json", "For programs"}},
               .handler = list_agents},
              {.name = "test",
               .summary = "Check that an agent is logged in and starts in the sandbox",
               .description = "Starts it confined and asks for its version; no model is called.",
               .positionals = {{.name = "AGENT",
                                .summary = "Its name: claude, codex, …",
                                .completes = Completes::kAgent}},
               .examples = {{"agents agent test claude", "Before the first run"}},
               .handler = test_agent}}};
}

}  // namespace clever::service
