#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"
#include "git/git_command.h"
#include "git/project.h"

namespace clever::git::internal {

/// Lets git look at a working tree without touching anything of the user's: with a copy of the
/// project's index, and a second index, empty at first, into which changed files are read; their
/// objects go into a folder of its own. A plain folder gets a private repository without anything
/// in it. Removed with its object.
///
/// The copy keeps the original's time: by it git knows which of the recorded file times to trust.
class PrivateIndex {
 public:
  /// In a new folder inside `place`.
  [[nodiscard]] static base::Result<PrivateIndex> make(const Project& project,
                                                       const std::filesystem::path& place);
  PrivateIndex(PrivateIndex&& other) noexcept;
  PrivateIndex& operator=(PrivateIndex&&) = delete;
  ~PrivateIndex();

  /// The copy; missing if the project has no index yet.
  [[nodiscard]] std::filesystem::path file() const { return folder_ / "index"; }
  /// Where git puts the objects that it writes with kChanges.
  [[nodiscard]] std::filesystem::path objects() const { return folder_ / "objects"; }

  /// Which index a command works on. With kChanges it sees no object but those in objects(): it
  /// would set the times of the user's when it finds them.
  enum class Which : std::uint8_t { kCopy, kChanges };
  [[nodiscard]] base::Result<io::ProcessResult> run(Which which, std::vector<std::string> arguments,
                                                    GitCommandOptions options) const;
  /// The same for what must succeed.
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
