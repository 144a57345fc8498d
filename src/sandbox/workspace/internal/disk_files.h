#pragma once
#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "git/object_store.h"
#include "git/tree.h"
#include "io/directory.h"

namespace clever::sandbox::internal {

/// The largest file that is written into a folder.
inline constexpr std::size_t kLargestOnDisk = std::size_t{1} << 30U;

/// A file's facts when its content was known: equal facts mean equal content.
using Signatures = std::map<std::string, io::EntryFacts, std::less<>>;

/// A folder that shows a tree: all of it (a copy), or the differences from the base below it (an
/// overlay).
struct DiskFiles {
  io::Directory folder;
  bool overlay = false;
  /// The tree below an overlay.
  git::ObjectId base{};
  Signatures known{};
};

/// Makes the folder show `after` of each difference instead of `before`. Not while a command runs.
base::Result<void> show(git::ObjectStore& store, DiskFiles& files,
                        const std::vector<git::TreeDifference>& differences);

}  // namespace clever::sandbox::internal
