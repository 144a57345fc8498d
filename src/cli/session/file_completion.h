#pragma once
// Private to the module.
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/stop_token.h"
#include "git/project.h"

// Completes @src/pa<Tab> to names of the project's files.
namespace clever::cli {

struct Completion {
  /// The text after completion, and the cursor in it.
  std::string text{};
  std::size_t cursor = 0;
  /// If there are several possibilities: some of them, sorted.
  std::vector<std::string> choices{};
  friend bool operator==(const Completion&, const Completion&) = default;
};

/// Completes the word that begins with @ and ends at the cursor: to files whose path begins so,
/// else whose name does, else that contain it. Unchanged if there is none. `files` is sorted.
[[nodiscard]] Completion complete_file(std::string_view text, std::size_t cursor,
                                       const std::vector<std::string>& files);

/// Completes "/na" to the commands that begin so. `names` is sorted.
[[nodiscard]] Completion complete_command(const std::string& text,
                                          const std::vector<std::string>& names);

/// Returns a repository's tracked and untracked files without ignored ones, or a folder's files
/// without hidden ones; sorted.
[[nodiscard]] base::Result<std::vector<std::string>> project_files(const git::Project& project,
                                                                   const base::StopToken& stop);

}  // namespace clever::cli
