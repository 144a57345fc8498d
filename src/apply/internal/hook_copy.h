#pragma once
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "apply/apply.h"
#include "apply/internal/repository.h"
#include "base/deadline.h"
#include "base/result.h"
#include "base/stop_token.h"
#include "confine/command.h"
#include "git/git_command.h"
#include "io/directory.h"

namespace clever::apply::internal {

/// A copy of the project as it would be committed, in which hooks run: HEAD with the changes, all
/// staged, in its own repository that borrows the project's objects.
///
/// A hook may write anything into the copy and its .git, so git outside is only run with another
/// repository's settings (`trusted`), which no hook sees. Used by one thread; the caller removes
/// the folder.
class HookCopy {
 public:
  HookCopy(const Request& request, std::filesystem::path folder, const base::StopToken& stop,
           base::Deadline deadline);

  base::Result<void> make();
  /// Mounts the copy in the project's place, with what commands need. `hooks`: the folder of the
  /// hooks.
  [[nodiscard]] base::Result<std::vector<confine::Mount>> mounts(
      const std::filesystem::path& hooks) const;
  /// The path of the hooks' folder inside.
  [[nodiscard]] std::filesystem::path hooks_inside(const std::filesystem::path& hooks) const;

  base::Result<void> write_message(const std::string& message) const;
  [[nodiscard]] base::Result<std::string> message() const;
  /// What would be committed now, if it changed; `all`: with unstaged changes.
  [[nodiscard]] base::Result<std::optional<std::vector<model::NetChange>>> changed(bool all) const;

 private:
  [[nodiscard]] base::Result<std::string> git(std::vector<std::string> arguments,
                                              std::string input = {}) const;
  base::Result<void> make_repositories();
  base::Result<void> write_settings() const;
  base::Result<void> write_objects() const;
  base::Result<void> stage_changes() const;
  [[nodiscard]] base::Result<Entries> entries() const;
  [[nodiscard]] base::Result<std::optional<model::FileState>> state_of(
      const Entries& entries, const std::string& path) const;

  const Request& request_;
  std::filesystem::path folder_;
  std::filesystem::path copy_;
  git::GitCommandOptions options_;
  std::string head_{};
  Entries expected_{};
};

}  // namespace clever::apply::internal
