#pragma once
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "base/clock.h"
#include "base/result.h"
#include "base/stop_token.h"
#include "confine/confined_process.h"
#include "confine/world.h"
#include "engine/actor/acp_session.h"
#include "engine/actor/tool_actor.h"
#include "sandbox/workspace.h"
#include "tool/command_world.h"

namespace clever::engine {

/// What an external agent shows and asks while it works. Called on the thread that runs it.
struct AgentWatch {
  std::function<void(const std::string& text, bool reasoning)> on_text{};
  std::function<void(const std::string& title)> on_tool{};
  /// Of the plan's rules; none: what is confined is allowed.
  std::function<bool(const AcpAsk& ask)> allows{};
};

/// Runs external agents: programs that work on the files of a workspace, confined, by command line
/// or over the Agent Client Protocol. What they changed is in the workspace afterwards, however
/// they ended.
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
  };
  explicit AgentRunner(Options options) : options_(std::move(options)) {}

  /// `unavailable` with the end of its output if it ended otherwise than with 0, refused, or does
  /// not speak the protocol; `not_found` if there is no such program or folder; `cancelled`,
  /// `deadline_exceeded`, `resource_exhausted`.
  base::Result<ToolActorResult> work(const Actor& actor,
                                     const std::map<std::string, std::string>& arguments,
                                     const std::string& task, sandbox::Workspace& workspace,
                                     const AgentWatch& watch, const base::StopToken& stop) const;

 private:
  [[nodiscard]] base::Result<tool::WorkspaceCommand> command_of(
      const Actor& actor, const std::map<std::string, std::string>& arguments,
      const std::string& task) const;
  base::Result<void> add_folders(const Actor& actor, tool::WorkspaceCommand& command) const;
  void add_environment(const Actor& actor, tool::WorkspaceCommand& command) const;

  const Options options_;
};

}  // namespace clever::engine
