#include "git/git_command.h"

#include <algorithm>
#include <array>

#include "git/tree_path.h"
#include "io/environment.h"

namespace clever::git {
namespace {

constexpr std::size_t kLongestComplaint = 2000;

// Keeps variables that say who commits, where git and its settings are, and which folders are
// unsafe. Every other GIT_ variable would change what a command means.
bool is_kept(std::string_view name) {
  static constexpr auto kKept = std::to_array<std::string_view>(
      {"GIT_AUTHOR_", "GIT_COMMITTER_", "GIT_CEILING_DIRECTORIES", "GIT_CONFIG_COUNT",
       "GIT_CONFIG_GLOBAL", "GIT_CONFIG_KEY_", "GIT_CONFIG_NOSYSTEM", "GIT_CONFIG_SYSTEM",
       "GIT_CONFIG_VALUE_", "GIT_DISCOVERY_ACROSS_FILESYSTEM", "GIT_EXEC_PATH",
       "GIT_TEST_ASSUME_DIFFERENT_OWNER"});
  if (!name.starts_with("GIT_")) return name != "LC_ALL" && name != "LANGUAGE";
  return std::ranges::any_of(kKept, [&](std::string_view kept) { return name.starts_with(kept); });
}

std::vector<std::string> environment_for(const GitCommandOptions& options) {
  std::vector<std::string> environment;
  for (const auto& [name, value] : io::Environment::of_process().entries()) {
    if (is_kept(name)) environment.push_back(name + "=" + value);
  }
  for (const char* setting :
       {"GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0", "GIT_PAGER=cat", "LC_ALL=C"}) {
    environment.emplace_back(setting);
  }
  if (!options.remotes) {
    // Allows no protocol: a partial clone must not fetch into the user's repository.
    environment.insert(environment.end(), {"GIT_ALLOW_PROTOCOL=none", "GIT_NO_LAZY_FETCH=1"});
  }
  environment.insert(environment.end(), options.environment.begin(), options.environment.end());
  return environment;
}

std::vector<std::string> command_line(const std::filesystem::path& folder,
                                      std::vector<std::string> arguments, bool hooks) {
  std::vector<std::string> argv = {"git", "-C", folder.string(), "-c", "core.fsmonitor=false"};
  if (!hooks) argv.insert(argv.end(), {"-c", "core.hooksPath=/dev/null"});
  std::ranges::move(arguments, std::back_inserter(argv));
  return argv;
}

std::string_view without_prefix(std::string_view line) {
  for (const std::string_view prefix : {"fatal: ", "error: "}) {
    if (line.starts_with(prefix)) return line.substr(prefix.size());
  }
  return line;
}

base::Error failure(const io::ProcessResult& result, const std::string& command) {
  const std::string complaint = git_complaint(result);
  if (complaint.contains("dubious ownership") || complaint.contains("unsafe repository")) {
    return base::permission_denied(
        complaint + "; if you trust it: git config --global --add safe.directory FOLDER");
  }
  return base::internal_error("git " + command + " failed: " + complaint);
}

}  // namespace

std::string git_complaint(const io::ProcessResult& result) {
  std::string complaint;
  std::string_view rest = result.error_output;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (line.empty() || line.starts_with("hint: ") || line.starts_with('\t')) continue;
    if (!complaint.empty()) complaint += "; ";
    complaint += printable(without_prefix(line));
  }
  if (complaint.size() > kLongestComplaint) complaint.resize(kLongestComplaint);
  if (complaint.empty()) complaint = "exit code " + std::to_string(result.exit_code);
  return complaint;
}

base::Result<io::ProcessResult> run_git(const std::filesystem::path& folder,
                                        std::vector<std::string> arguments,
                                        const GitCommandOptions& options) {
  auto result = io::run_process({.argv = command_line(folder, std::move(arguments), options.hooks),
                                 .environment = environment_for(options),
                                 .standard_input = options.standard_input,
                                 .deadline = options.deadline,
                                 .stop = options.stop,
                                 .output_limit = options.output_limit});
  return std::move(result).context("running git");
}

base::Result<std::string> git_output(const std::filesystem::path& folder,
                                     std::vector<std::string> arguments,
                                     const GitCommandOptions& options) {
  const std::string command = arguments.empty() ? "" : arguments.front();
  CLEVER_ASSIGN(auto result, run_git(folder, std::move(arguments), options));
  if (!result.succeeded()) return failure(result, command);
  if (result.truncated) {
    return base::resource_exhausted("git " + command + " wrote more than " +
                                    std::to_string(options.output_limit) + " bytes");
  }
  return std::move(result.output);
}

}  // namespace clever::git
