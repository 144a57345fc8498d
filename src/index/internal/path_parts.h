#pragma once
#include <string_view>

// Plain functions of a path with slashes.
namespace clever::index::internal {

/// What comes before the last slash; empty at the root.
[[nodiscard]] inline std::string_view folder_of(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? std::string_view{} : path.substr(0, slash);
}
/// What comes after the last slash.
[[nodiscard]] inline std::string_view name_of(std::string_view path) {
  return path.substr(path.rfind('/') + 1);
}

}  // namespace clever::index::internal
