#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "git/git_command.h"
#include "git/internal/private_index.h"
#include "git/tree_path.h"

namespace clever::git::internal {

using ContentOf = std::function<base::Result<std::string>(std::string_view path)>;
/// Whether an attribute file mentions filters at all; `content_of` reads those among the paths.
[[nodiscard]] bool any_filter(const Project& project, const std::vector<std::string_view>& paths,
                              const ContentOf& content_of);

enum class Attributes : std::uint8_t { kOfWorkingTree, kOfIndex };
/// The paths for which git's attributes name a filter: their content in a tree is not what a person
/// sees.
[[nodiscard]] base::Result<std::vector<TreePath>> filtered_paths(
    const PrivateIndex& index, const std::vector<std::string_view>& paths, Attributes attributes,
    const GitCommandOptions& options);

}  // namespace clever::git::internal
