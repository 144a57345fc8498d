#pragma once
#include <string_view>

// Pure functions of a path with slashes.
namespace clever::index::internal {

/// The part before the last slash; empty at the root.
[[nodiscard]] inline std::string_view folder_of(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? std::string_view{} : path.substr(0, slash);
}
/// The part after the last slash.
[[nodiscard]] inline std::string_view name_of(std::string_view path) {
  return path.substr(path.rfind('/') + 1);
}

}  // namespace clever::index::internal
