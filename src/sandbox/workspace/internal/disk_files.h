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

/// What a file of a tree may hold to be written into a folder.
inline constexpr std::size_t kLargestOnDisk = std::size_t{1} << 30U;

/// What a file looked like when its content was known: if it looks the same, it is the same.
using Signatures = std::map<std::string, io::EntryFacts, std::less<>>;

/// A folder that shows a tree: all of it (a copy), or what differs from the base that the kernel
/// lays beneath it (an overlay).
struct DiskFiles {
  io::Directory folder;
  bool overlay = false;
  /// What lies beneath an overlay.
  git::ObjectId base{};
  Signatures known{};
};

/// Makes the folder show `after` of each difference instead of `before`. Not while a command runs.
base::Result<void> show(git::ObjectStore& store, DiskFiles& files,
                        const std::vector<git::TreeDifference>& differences);

}  // namespace clever::sandbox::internal
