#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "git/tree_entry.h"

// The content of a tree object: entries in git's order. Pure.
namespace clever::git::internal {

/// The size limit of one tree object.
inline constexpr std::size_t kLargestFolder = std::size_t{256} << 20U;

struct TreeEntryView {
  std::string_view name;
  Node node;
};

/// Reads entry by entry without copying; the content must outlive it.
class TreeBytes {
 public:
  explicit TreeBytes(std::string_view content) : rest_(content) {}

  /// Nothing at the end; `corruption` if it is not a tree.
  [[nodiscard]] base::Result<std::optional<TreeEntryView>> next();

 private:
  std::string_view rest_;
};

/// Git's order: as if folder names ended in a slash.
[[nodiscard]] bool comes_before(std::string_view left, bool left_is_folder, std::string_view right,
                                bool right_is_folder) noexcept;

/// `entries` in any order. `invalid_argument` for a duplicate or invalid name.
[[nodiscard]] base::Result<std::string> tree_content(std::vector<TreeEntry> entries);

}  // namespace clever::git::internal
