#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/stop_token.h"
#include "git/ignore_rules.h"
#include "git/secret_paths.h"
#include "git/tree.h"
#include "sandbox/workspace/internal/disk_files.h"

namespace clever::sandbox::internal {

struct DiskChanges {
  /// From the shown tree to the present files.
  std::vector<git::TreeChange> changes{};
  std::vector<std::string> skipped{};
  /// The signatures of all present and known files.
  Signatures known{};
};

struct CaptureOptions {
  /// The tree that the folder showed before the command.
  git::ObjectId shown{};
  const git::IgnoreRules& rules;
  /// Sorted; their changes are ignored.
  const std::vector<git::TreePath>& read_only;
  const git::SecretPaths& secrets;
  /// Sorted: the project's files that the command did not see.
  const std::vector<git::TreePath>& hidden;
  std::uint64_t largest_file = 0;
};

/// Captures what a command left in the folder. Goes below it by descriptor only and follows no
/// link: whatever the command created is inspected, never walked through. Stores contents. Ignores
/// new ignored files, but not ignored files of the tree. Leaves out new files with names of
/// secrets.
[[nodiscard]] base::Result<DiskChanges> capture(git::ObjectStore& store, const DiskFiles& files,
                                                const CaptureOptions& options,
                                                const base::StopToken& stop);

}  // namespace clever::sandbox::internal
