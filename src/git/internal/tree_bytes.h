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

/// What the content of one tree object may hold.
inline constexpr std::size_t kLargestFolder = std::size_t{256} << 20U;

struct TreeEntryView {
  std::string_view name;
  Node node;
};

/// Reads entry after entry without copying; the content must outlive it.
class TreeBytes {
 public:
  explicit TreeBytes(std::string_view content) : rest_(content) {}

  /// Nothing at the end; `corruption` for what is no tree.
  [[nodiscard]] base::Result<std::optional<TreeEntryView>> next();

 private:
  std::string_view rest_;
};

/// Git's order: as if the names of folders ended in a slash.
[[nodiscard]] bool comes_before(std::string_view left, bool left_is_folder, std::string_view right,
                                bool right_is_folder) noexcept;

/// `entries` in any order. `invalid_argument` for a name that is there twice or that no folder can
/// hold.
[[nodiscard]] base::Result<std::string> tree_content(std::vector<TreeEntry> entries);

}  // namespace clever::git::internal
