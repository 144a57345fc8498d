#pragma once
#include <string_view>

#include "index/internal/segment_format.h"

// What is not worth searching by content. Plain functions.
namespace clever::index::internal {

/// Whether a path lies in a folder of other people's code, or is a lock file of a package manager.
[[nodiscard]] bool is_vendored(std::string_view path) noexcept;

/// Binary: a NUL within the first 8 KiB. Generated: says so within its first lines, or is minified.
[[nodiscard]] ContentKind kind_of_content(std::string_view path, std::string_view content) noexcept;

}  // namespace clever::index::internal
