#pragma once
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "base/stop_token.h"
#include "confine/confined_process.h"
#include "confine/world.h"
#include "engine/actor/acp_session.h"
#include "engine/actor/tool_actor.h"
#include "engine/agents/agent_home.h"
#include "engine/agents/agent_stream.h"
#include "sandbox/workspace.h"
#include "tool/command_world.h"

namespace clever::engine {

/// The question of a decision that records what an agent asked for and was refused.
inline constexpr std::string_view kRefusedQuestion = "What was the agent not allowed?";

/// What an external agent shows and asks while it works. Called on the thread that runs it.
struct AgentWatch {
  std::function<void(const std::string& text, bool reasoning)> on_text{};
  std::function<void(const AgentTool& tool)> on_tool{};
  std::function<void(const AgentToolEnd& end)> on_tool_end{};
  /// The word of the plan's rules; none: what is confined is allowed.
  std::function<AcpVerdict(const AcpAsk& ask)> judge{};
  std::function<void(const AcpAsk& ask, const std::string& why)> on_refused{};
  /// What it used so far, whenever that is more than before, and once at its end, however it ended.
  std::function<void(const AgentUsage& usage, const std::string& model)> on_usage{};
  /// Called about once a second while it works.
  std::function<void()> on_tick{};
  /// Asked about once a second: false ends it, with what it has done.
  std::function<bool()> may_go_on{};
  /// It has written nothing for a while: a sentence.
  std::function<void(const std::string& sentence)> on_silence{};
  /// Something that a person should be able to read later: a login that was renewed, or not.
  std::function<void(const std::string& sentence)> on_login{};
  /// A value that nobody may be shown.
  std::function<void(const std::string& secret)> on_secret{};
};

/// Where an agent's home and session are kept, and what it goes on from. Without a folder it has an
/// empty home each time.
struct AgentPlace {
  /// Of this plan and actor.
  std::filesystem::path folder{};
  std::int64_t epoch = 0;
  /// Locks of logins.
  std::filesystem::path locks{};
  std::string step{};
  /// The tree of the workspace, and how many prompts the plan has.
  std::string tree{};
  std::int64_t prompts = 0;
  /// How many of its calls people have decided on.
  std::int64_t answers = 0;
  /// What it is told where its session goes on; none: the task.
  std::function<std::string(const AgentSession& session)> follow_up{};
};

/// What an external agent is asked to do. What it refers to outlives the call.
struct AgentOrder {
  const Actor& actor;
  std::map<std::string, std::string> arguments{};
  std::string task{};
  /// As the agent knows it; empty: its own choice.
  std::string model{};
  AgentPlace place{};
  /// MCP servers of the project, with their environment filled in: given to an agent that speaks
  /// the Agent Client Protocol.
  std::vector<McpServer> servers{};
};

struct AgentResult {
  std::string summary{};
  std::int64_t files = 0;
  /// may_go_on() ended it.
  bool cut = false;
  /// Calls that a person must decide; it stopped before them.
  std::vector<AcpHeld> waiting{};
};

/// Runs external agents: programs that work on the files of a workspace, confined, by command line
/// or over the Agent Client Protocol. What they changed is in the workspace afterwards, however
/// they ended. They see a home of their own, with the parts of the person's login that their actor
/// names; nothing of the person's is writable.
///
/// Thread-safe; blocks for as long as the agent works.
class AgentRunner {
 public:
  struct Options {
    base::Clock& clock;
    /// May be null: then nothing is run.
    std::shared_ptr<tool::CommandWorld> commands{};
    confine::Launcher launcher{};
    /// The user's home (for `~`), and the environment whose variables may be allowed.
    confine::WorldOptions world{};
    std::chrono::milliseconds grace{std::chrono::seconds{3}};
    std::chrono::milliseconds silence{std::chrono::minutes{2}};
  };
  explicit AgentRunner(Options options) : options_(std::move(options)) {}

  /// `unavailable` with the agent's last meaningful words if it failed; `permission_denied` with
  /// the cure where only a person can help; `not_found` if there is no such program or folder;
  /// `cancelled`, `deadline_exceeded`, `resource_exhausted`.
  base::Result<AgentResult> work(const AgentOrder& order, sandbox::Workspace& workspace,
                                 const AgentWatch& watch, const base::StopToken& stop) const;

 private:
  const Options options_;
};

/// Whether a person pays for an agent by subscription: it has a login that is renewed, and no key.
[[nodiscard]] bool is_subscription(const AgentProgram& program, const confine::WorldOptions& world);

}  // namespace clever::engine
