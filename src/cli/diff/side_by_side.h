#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "cli/render.h"
#include "diff/tree_diff.h"

namespace clever::cli {

/// The narrowest terminal in which two columns of code can be read.
inline constexpr std::size_t kLeastForSides = 60;

/// What was on the left, what is on the right, each with its line numbers; long lines go on below
/// themselves. Within `width` columns, at least kLeastForSides. A pure function. Private to the
/// module.
[[nodiscard]] std::string side_by_side(const std::vector<diff::FileDiff>& files, std::size_t width,
                                       const Look& look);

}  // namespace clever::cli
