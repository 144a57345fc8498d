#pragma once
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "base/deadline.h"
#include "base/result.h"
#include "base/stop_token.h"
#include "confine/command.h"
#include "sandbox/workspace.h"

namespace clever::tool::internal {

/// The results of sandbox.setup, kept once for each base and setup text: a layer for every overlay
/// of a command, between the base and the workspace's changes. Excludes files of the base: a setup
/// prepares, it does not change the project.
///
/// Thread-safe, also between processes: the first that needs a layer makes it while the others
/// wait. A layer is used once its mark exists; one that a crash left without a mark is made again.
class SetupLayers {
 public:
  /// Runs the setup with these mounts.
  using RunSetup = std::function<base::Result<void>(const std::vector<confine::Mount>& mounts)>;

  SetupLayers(std::filesystem::path shared_folder, std::string setup)
      : folder_(std::move(shared_folder)), setup_(std::move(setup)) {}

  /// Adds the layers to the mounts; runs the setup first if needed.
  base::Result<void> add(sandbox::Workspace& workspace, std::vector<confine::Mount>& mounts,
                         const RunSetup& run, const base::StopToken& stop,
                         base::Deadline deadline) const;

 private:
  [[nodiscard]] std::string name_for(sandbox::Workspace& workspace,
                                     const std::vector<confine::Mount>& mounts) const;
  base::Result<void> make(sandbox::Workspace& workspace, const std::string& name,
                          std::vector<confine::Mount> mounts, const RunSetup& run) const;

  // Constant after construction.
  const std::filesystem::path folder_;
  const std::string setup_;
};

}  // namespace clever::tool::internal
