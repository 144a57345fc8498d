#pragma once
#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/deadline.h"
#include "base/result.h"
#include "base/stop_token.h"
#include "io/process.h"

// Runs the program `git`. Plain functions, safe from any thread; each blocks its thread until git
// has ended.
namespace clever::git {

struct GitCommandOptions {
  /// "NAME=value" each, added to the environment (GIT_INDEX_FILE=… and the like).
  std::vector<std::string> environment{};
  std::string standard_input{};
  /// Whether the user's hooks run.
  bool hooks = false;
  /// Whether git may talk to remotes, with the person's own ssh and credential helpers.
  bool remotes = false;
  std::size_t output_limit = std::size_t{64} << 20U;
  base::StopToken stop{};
  base::Deadline deadline = base::Deadline::never();
};

/// Runs git in a folder (absolute) and returns its output, for any exit code.
///
/// The environment is this process's own without variables that redirect git (GIT_DIR,
/// GIT_INDEX_FILE, …). Git takes no optional lock, prompts for nothing, talks to no remote, starts
/// no pager, file-system monitor or hook, and speaks English, unless the options say otherwise.
/// `not_found` if git is not installed.
[[nodiscard]] base::Result<io::ProcessResult> run_git(const std::filesystem::path& folder,
                                                      std::vector<std::string> arguments,
                                                      const GitCommandOptions& options = {});

/// Returns git's standard output. An exit code other than 0 is an error with git's message:
/// `permission_denied` for a repository of another owner, else `internal`; output beyond the limit
/// is `resource_exhausted`.
[[nodiscard]] base::Result<std::string> git_output(const std::filesystem::path& folder,
                                                   std::vector<std::string> arguments,
                                                   const GitCommandOptions& options = {});

/// Git's error message for a person: without "fatal:" and its hints.
[[nodiscard]] std::string git_complaint(const io::ProcessResult& result);

}  // namespace clever::git
