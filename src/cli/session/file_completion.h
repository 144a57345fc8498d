#pragma once
// Private to the module.
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/stop_token.h"
#include "git/project.h"

// @src/pa<Tab>: names of the project's files.
namespace clever::cli {

struct Completion {
  /// The text as it is then, and the cursor in it.
  std::string text{};
  std::size_t cursor = 0;
  /// What it could be, if that is not certain; sorted, some of them.
  std::vector<std::string> choices{};
  friend bool operator==(const Completion&, const Completion&) = default;
};

/// Of the word with an @ in front that ends at the cursor: files whose path begins so, else those
/// whose name does, else those that have it somewhere. As it was if there is none. `files` is
/// sorted.
[[nodiscard]] Completion complete_file(std::string_view text, std::size_t cursor,
                                       const std::vector<std::string>& files);

/// Of "/na": the commands whose names begin so. `names` is sorted.
[[nodiscard]] Completion complete_command(const std::string& text,
                                          const std::vector<std::string>& names);

/// Sorted: of a repository what is tracked or not ignored, of a folder all but what is hidden.
[[nodiscard]] base::Result<std::vector<std::string>> project_files(const git::Project& project,
                                                                   const base::StopToken& stop);

}  // namespace clever::cli
