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

/// What of a working tree has to be read, sorted out by what it is on the disk.
struct Candidates {
  /// Files and links that differ from the index, and submodules that moved.
  std::vector<StatusEntry> to_read;
  /// What is known without reading: staged, gone, or left as it is in the index.
  std::vector<StatusEntry> known;
  /// Untracked folders that are repositories of their own.
  std::vector<std::string> repositories;
};

inline constexpr std::uint64_t kLargestFile = std::uint64_t{1} << 30U;
/// Of all files together that have to be read.
inline constexpr std::uint64_t kLargestTotal = std::uint64_t{8} << 30U;

/// Leaves out, with a remark, what is too large, cannot be read, or whose name is no TreePath. In
/// `known`, `staged` is what the tree is to hold: nothing for a tracked file that is gone or became
/// a device, socket … `resource_exhausted` for more than kLargestTotal bytes.
[[nodiscard]] base::Result<Candidates> sort_out(std::vector<StatusEntry> entries,
                                                const io::Directory& root, Remarks& remarks);

}  // namespace clever::git::internal
