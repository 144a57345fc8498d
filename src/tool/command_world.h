#pragma once
#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/deadline.h"
#include "base/result.h"
#include "base/stop_token.h"
#include "confine/command.h"
#include "confine/confined_process.h"
#include "confine/support.h"
#include "confine/world.h"
#include "sandbox/workspace.h"

namespace clever::tool {

/// Runs one command to its end; confine::run unless a test or the simulator has its own.
using RunConfined = std::function<base::Result<confine::Output>(
    const confine::Command& command, std::string_view standard_input, std::size_t output_limit,
    const base::StopToken& stop, base::Deadline deadline)>;

/// What a person's settings say about the commands of a plan. A value.
struct CommandOptions {
  confine::Launcher launcher{};
  confine::WorldOptions world{};
  /// Where commands see the workspace: the project's folder as the user knows it. Dependency
  /// folders are found there.
  std::filesystem::path project_root{};
  /// Of a group (git/project_group.h): its projects, in whose checkouts they are found instead.
  std::vector<git::Project> members{};
  /// What sandbox.setup made is kept in here, for all workspaces on the same base.
  std::filesystem::path shared_folder{};
  confine::Network network = confine::Network::kOff;
  std::vector<std::string> hosts{};
  confine::Limits limits{.cpu = std::chrono::hours{1},
                         .memory = 0,
                         .processes = 4096,
                         .file_size = std::uint64_t{8} << 30U,
                         .open_files = 65'536};
  /// Ignored folders that commands need beside those that are found (sandbox.include).
  std::vector<std::string> include{};
  /// A shell command that runs before the first command on each base (sandbox.setup).
  std::string setup{};
  std::chrono::milliseconds setup_timeout{std::chrono::minutes{20}};
  /// A person said --unconfined.
  bool unconfined = false;
  /// What the kernel offers; absent: tried when the world is made.
  std::optional<std::vector<confine::Feature>> features{};
  RunConfined run{};
};

/// One command in a workspace. A value.
struct WorkspaceCommand {
  std::vector<std::string> argv;
  /// As a model writes it: relative to the project, or absolute within it. Empty: the project.
  std::string working_directory{};
  std::string standard_input{};
  /// Beside the caller's deadline.
  std::chrono::milliseconds timeout{std::chrono::minutes{2}};
  std::size_t output_limit = std::size_t{4} << 20U;
  // Of a program that a person allowed more than the settings do; see agent actors.
  std::optional<confine::Network> network{};
  /// With that network; see confine::Command.
  std::vector<std::string> hosts{};
  /// A folder of its own that it sees as the person's home, writable; empty: an empty one in
  /// memory.
  std::filesystem::path home{};
  /// Beside the workspace, over all else.
  std::vector<confine::Mount> mounts{};
  /// "NAME=value", beside the clean environment.
  std::vector<std::string> environment{};
  /// See confine::Command.
  bool chosen_by_person = false;
  /// Who runs it, if not the world's own: for talking with it while it runs.
  RunConfined run{};
};

/// What came of it: always what it changed, and either its output or why it did not come to its
/// end.
struct CommandReport {
  std::optional<confine::Output> output{};
  std::optional<base::Error> failure{};
  sandbox::Workspace::Captured captured{};
};

/// The world in which the commands of a plan run: environment, mounts, limits and network, found
/// out once. Shared by the tools that run commands.
///
/// Thread-safe; commands of different workspaces run beside each other. What sandbox.setup leaves
/// in ignored files is kept once per base as a layer under every workspace (where the kernel has
/// overlays; else it runs in each workspace before its first command).
class CommandWorld {
 public:
  [[nodiscard]] static base::Result<std::shared_ptr<CommandWorld>> make(base::Clock& clock,
                                                                        CommandOptions options);
  /// The same, looking around only when the first command runs: that reads the names of the whole
  /// checkout and tries what the kernel offers, which many plans never need.
  [[nodiscard]] static std::shared_ptr<CommandWorld> when_needed(base::Clock& clock,
                                                                 CommandOptions options);
  virtual ~CommandWorld() = default;

  /// `unavailable` if confinement is not (and nobody said --unconfined), or if sandbox.setup fails:
  /// the command did not run. Whatever happens to the command itself is in the report.
  virtual base::Result<CommandReport> run(sandbox::Workspace& workspace,
                                          const WorkspaceCommand& command,
                                          const base::StopToken& stop, base::Deadline deadline) = 0;
};

}  // namespace clever::tool
