#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "cli/render.h"
#include "diff/tree_diff.h"

namespace clever::cli {

/// The narrowest terminal in which two columns of code are readable.
inline constexpr std::size_t kLeastForSides = 60;

/// Shows old lines on the left and new ones on the right, with line numbers; long lines continue in
/// the next row. Fits into `width` columns, at least kLeastForSides. A pure function. Private to
/// the module.
[[nodiscard]] std::string side_by_side(const std::vector<diff::FileDiff>& files, std::size_t width,
                                       const Look& look);

}  // namespace clever::cli
