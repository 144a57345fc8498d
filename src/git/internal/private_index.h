#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"
#include "git/git_command.h"
#include "git/project.h"

namespace clever::git::internal {

/// Lets git inspect a working tree without touching the user's files: with a copy of the project's
/// index, and a second, initially empty index into which changed files are read; their objects go
/// into a separate folder. A plain folder gets an empty private repository. The destructor removes
/// it all.
///
/// The copy keeps the original's time stamp, by which git knows which recorded file times to trust.
class PrivateIndex {
 public:
  /// Creates it in a new folder inside `place`.
  [[nodiscard]] static base::Result<PrivateIndex> make(const Project& project,
                                                       const std::filesystem::path& place);
  PrivateIndex(PrivateIndex&& other) noexcept;
  PrivateIndex& operator=(PrivateIndex&&) = delete;
  ~PrivateIndex();

  /// The copy; missing if the project has no index yet.
  [[nodiscard]] std::filesystem::path file() const { return folder_ / "index"; }
  /// The folder for objects that git writes with kChanges.
  [[nodiscard]] std::filesystem::path objects() const { return folder_ / "objects"; }

  /// The index of a command. With kChanges git sees only the objects in objects(): it would update
  /// the time stamps of the user's objects if it found them.
  enum class Which : std::uint8_t { kCopy, kChanges };
  [[nodiscard]] base::Result<io::ProcessResult> run(Which which, std::vector<std::string> arguments,
                                                    GitCommandOptions options) const;
  /// The same for commands that must succeed.
  [[nodiscard]] base::Result<std::string> output(Which which, std::vector<std::string> arguments,
                                                 GitCommandOptions options) const;

 private:
  PrivateIndex(const Project& project, std::filesystem::path folder)
      : project_(project), folder_(std::move(folder)) {}
  [[nodiscard]] base::Result<void> fill() const;
  [[nodiscard]] base::Result<void> copy_index() const;
  [[nodiscard]] base::Result<void> make_repository() const;
  void prepare(Which which, std::vector<std::string>& arguments, GitCommandOptions& options) const;

  Project project_;
  std::filesystem::path folder_;  // empty once moved from
};

}  // namespace clever::git::internal
