#pragma once
#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace clever::engine::internal {

/// The files of a project that the words of a command name: whole words, and what blanks, quotes
/// and the shell's signs separate in them. What is no file counts for nothing; what leads out of
/// the project, though it looks as if it were in it, is refused.
///
/// Used by one thread.
class NamedFiles {
 public:
  /// `root`: the project's real path.
  explicit NamedFiles(std::filesystem::path root) : root_(std::move(root)) {}

  /// `invalid_argument`: a link or `..` leads out of the project.
  base::Result<void> add_path(std::string_view path);
  base::Result<void> add_words(std::string_view text);

  /// Relative to the project, by name.
  [[nodiscard]] std::vector<std::string> names() &&;

 private:
  // Constant after construction.
  const std::filesystem::path root_;

  std::set<std::string> names_;
};

}  // namespace clever::engine::internal
