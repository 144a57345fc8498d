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

/// Runs one command to its end: confine::run, or a replacement of a test or the simulator.
using RunConfined = std::function<base::Result<confine::Output>(
    const confine::Command& command, std::string_view standard_input, std::size_t output_limit,
    const base::StopToken& stop, base::Deadline deadline)>;

/// A person's settings for the commands of a plan. A value.
struct CommandOptions {
  confine::Launcher launcher{};
  confine::WorldOptions world{};
  /// Where commands see the workspace: the project's folder as the user knows it. Dependency
  /// folders are searched there.
  std::filesystem::path project_root{};
  /// The projects of a group (git/project_group.h): the dependency folders are in their checkouts.
  std::vector<git::Project> members{};
  /// Keeps the results of sandbox.setup, for all workspaces on the same base.
  std::filesystem::path shared_folder{};
  confine::Network network = confine::Network::kOff;
  std::vector<std::string> hosts{};
  confine::Limits limits{.cpu = std::chrono::hours{1},
                         .memory = 0,
                         .processes = 4096,
                         .file_size = std::uint64_t{8} << 30U,
                         .open_files = 65'536};
  /// Ignored folders that commands need besides those that are found (sandbox.include).
  std::vector<std::string> include{};
  /// A shell command that runs before the first command on each base (sandbox.setup).
  std::string setup{};
  std::chrono::milliseconds setup_timeout{std::chrono::minutes{20}};
  /// A person passed --unconfined.
  bool unconfined = false;
  /// The kernel's features; absent: probed when this is made.
  std::optional<std::vector<confine::Feature>> features{};
  RunConfined run{};
};

/// One command in a workspace. A value.
struct WorkspaceCommand {
  std::vector<std::string> argv;
  /// As a model writes it: relative to the project, or absolute within it. Empty: the project.
  std::string working_directory{};
  std::string standard_input{};
  /// In addition to the caller's deadline.
  std::chrono::milliseconds timeout{std::chrono::minutes{2}};
  std::size_t output_limit = std::size_t{4} << 20U;
  // Of a program that a person allowed more than the settings do; see agent actors.
  std::optional<confine::Network> network{};
  /// With that network; see confine::Command.
  std::vector<std::string> hosts{};
  /// A writable folder shown as the person's home; empty: an empty one in memory.
  std::filesystem::path home{};
  /// Besides the workspace, over everything else.
  std::vector<confine::Mount> mounts{};
  /// "NAME=value", besides the clean environment.
  std::vector<std::string> environment{};
  /// See confine::Command.
  bool chosen_by_person = false;
  /// Replaces the world's own runner, to communicate with the command while it runs.
  RunConfined run{};
};

/// The result of a command: always its changes, and either its output or why it did not complete.
struct CommandReport {
  std::optional<confine::Output> output{};
  std::optional<base::Error> failure{};
  sandbox::Workspace::Captured captured{};
};

/// The environment, mounts, limits and network for the commands of a plan, determined once. Shared
/// by the tools that run commands.
///
/// Thread-safe; commands of different workspaces run in parallel. The ignored files that
/// sandbox.setup creates are kept once per base as a layer under every workspace (with overlays;
/// otherwise it runs in each workspace before its first command).
class CommandWorld {
 public:
  [[nodiscard]] static base::Result<std::shared_ptr<CommandWorld>> make(base::Clock& clock,
                                                                        CommandOptions options);
  /// The same, but probes only before the first command: that reads the names of the whole checkout
  /// and tries the kernel's features, which many plans never need.
  [[nodiscard]] static std::shared_ptr<CommandWorld> when_needed(base::Clock& clock,
                                                                 CommandOptions options);
  virtual ~CommandWorld() = default;

  /// `unavailable` if confinement is impossible (without --unconfined), or if sandbox.setup fails:
  /// then the command did not run. The report has the outcome of the command itself.
  virtual base::Result<CommandReport> run(sandbox::Workspace& workspace,
                                          const WorkspaceCommand& command,
                                          const base::StopToken& stop, base::Deadline deadline) = 0;
};

}  // namespace clever::tool
