#pragma once
#include <string_view>

#include "index/internal/segment_format.h"

// Detects files that are not worth searching by content. Pure functions.
namespace clever::index::internal {

/// Whether a path is in a folder of third-party code, or is a package manager's lock file.
[[nodiscard]] bool is_vendored(std::string_view path) noexcept;

/// Binary: a NUL within the first 8 KiB. Generated: a remark in the first lines, or minified.
[[nodiscard]] ContentKind kind_of_content(std::string_view path, std::string_view content) noexcept;

}  // namespace clever::index::internal
