#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "git/internal/remarks.h"
#include "git/internal/status_list.h"
#include "git/tree.h"
#include "io/directory.h"

namespace clever::git::internal {

/// The entries of a working tree, sorted by what has to be read.
struct Candidates {
  /// Files and links that differ from the index, and submodules that moved.
  std::vector<StatusEntry> to_read;
  /// Entries that need no read: staged, deleted, or unchanged from the index.
  std::vector<StatusEntry> known;
  /// Untracked folders that are separate repositories.
  std::vector<std::string> repositories;
};

inline constexpr std::uint64_t kLargestFile = std::uint64_t{1} << 30U;
/// The limit for all files to read together.
inline constexpr std::uint64_t kLargestTotal = std::uint64_t{8} << 30U;

/// Leaves out, with a remark, files that are too large, cannot be read, or whose name is not a
/// TreePath. In `known`, `staged` is the tree's future content: nothing for a tracked file that was
/// deleted or became a device, socket … `resource_exhausted` for more than kLargestTotal bytes.
[[nodiscard]] base::Result<Candidates> sort_out(std::vector<StatusEntry> entries,
                                                const io::Directory& root, Remarks& remarks);

}  // namespace clever::git::internal
