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

/// The question of the decision that records a refused request of an agent.
inline constexpr std::string_view kRefusedQuestion = "What was the agent not allowed?";

/// The question of the note that an agent has written nothing for a while.
inline constexpr std::string_view kSilenceQuestion = "Is the agent at work?";

/// Callbacks for what an external agent shows and asks while it works. Called on the thread that
/// runs it.
struct AgentWatch {
  std::function<void(const std::string& text, bool reasoning)> on_text{};
  std::function<void(const AgentTool& tool)> on_tool{};
  std::function<void(const AgentToolEnd& end)> on_tool_end{};
  /// Applies the plan's rules; none: everything inside the sandbox is allowed.
  std::function<AcpVerdict(const AcpAsk& ask)> judge{};
  std::function<void(const AcpAsk& ask, const std::string& why)> on_refused{};
  /// Gets the usage so far whenever it grows, and once at the end, however the run ended.
  std::function<void(const AgentUsage& usage, const std::string& model)> on_usage{};
  /// Called about once a second while it works.
  std::function<void()> on_tick{};
  /// Asked about once a second: false ends the run and keeps its work.
  std::function<bool()> may_go_on{};
  /// Gets a sentence when the agent has written nothing for a while.
  std::function<void(const std::string& sentence)> on_silence{};
  /// Gets a sentence for the plan's log: a login was renewed, or could not be.
  std::function<void(const std::string& sentence)> on_login{};
  /// Gets a secret, which must never be shown.
  std::function<void(const std::string& secret)> on_secret{};
};

/// Where an agent's home and session are kept, and the state it continues from. Without a folder it
/// starts with an empty home each time.
struct AgentPlace {
  /// The folder of this plan and actor.
  std::filesystem::path folder{};
  std::int64_t epoch = 0;
  /// The folder of the logins' locks.
  std::filesystem::path locks{};
  std::string step{};
  /// The tree of the workspace, and how many prompts the plan has.
  std::string tree{};
  std::int64_t prompts = 0;
  /// How many of its calls a person has decided.
  std::int64_t answers = 0;
  /// The prompt for a continued session; none: the task.
  std::function<std::string(const AgentSession& session)> follow_up{};
};

/// The work for an external agent. Everything it refers to outlives the call.
struct AgentOrder {
  const Actor& actor;
  std::map<std::string, std::string> arguments{};
  std::string task{};
  /// The model's name, as the agent knows it; empty: the agent's choice.
  std::string model{};
  AgentPlace place{};
  /// MCP servers of the project, with their environment filled in: given to an agent that speaks
  /// the Agent Client Protocol.
  std::vector<McpServer> servers{};
};

struct AgentResult {
  std::string summary{};
  std::int64_t files = 0;
  /// True if may_go_on() ended the run.
  bool cut = false;
  /// Calls that a person must decide; the agent stopped before them.
  std::vector<AcpHeld> waiting{};
};

/// Runs external agents: confined programs that work on the files of a workspace, by command line
/// or over the Agent Client Protocol. Their changes are in the workspace afterwards, however they
/// ended. Each has its own home, with the parts of the person's login that its actor names; nothing
/// of the person's is writable.
///
/// Thread-safe. Blocks while the agent works.
class AgentRunner {
 public:
  struct Options {
    base::Clock& clock;
    /// May be null: then nothing runs.
    std::shared_ptr<tool::CommandWorld> commands{};
    confine::Launcher launcher{};
    /// The user's home (for `~`), and the environment whose variables may be allowed.
    confine::WorldOptions world{};
    std::chrono::milliseconds grace{std::chrono::seconds{3}};
    std::chrono::milliseconds silence{std::chrono::minutes{2}};
  };
  explicit AgentRunner(Options options) : options_(std::move(options)) {}

  /// Errors: `unavailable` with the agent's last meaningful words if it failed; `permission_denied`
  /// with the cure if only a person can help; `not_found` if the program or a folder is missing;
  /// `cancelled`, `deadline_exceeded`, `resource_exhausted`.
  base::Result<AgentResult> work(const AgentOrder& order, sandbox::Workspace& workspace,
                                 const AgentWatch& watch, const base::StopToken& stop) const;

 private:
  const Options options_;
};

/// Returns true if a subscription pays for the agent: it has a login that is renewed, and no key.
[[nodiscard]] bool is_subscription(const AgentProgram& program, const confine::WorldOptions& world);

}  // namespace clever::engine
