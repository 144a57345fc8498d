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
  /// From the tree that was shown to what is there now.
  std::vector<git::TreeChange> changes{};
  std::vector<std::string> skipped{};
  /// Of all files that are there and are known now.
  Signatures known{};
};

struct CaptureOptions {
  /// What the folder showed before the command ran.
  git::ObjectId shown{};
  const git::IgnoreRules& rules;
  /// Sorted; their changes are not taken.
  const std::vector<git::TreePath>& read_only;
  const git::SecretPaths& secrets;
  /// Sorted: files that the project has and the command did not see.
  const std::vector<git::TreePath>& hidden;
  std::uint64_t largest_file = 0;
};

/// What a command left in the folder. Only ever goes below it by descriptor and follows no link:
/// whatever the command put there is looked at, not walked through. Contents are put into the
/// store. New ignored files are no changes; ignored files that the tree has are. New files of names
/// that secrets have are left out.
[[nodiscard]] base::Result<DiskChanges> capture(git::ObjectStore& store, const DiskFiles& files,
                                                const CaptureOptions& options,
                                                const base::StopToken& stop);

}  // namespace clever::sandbox::internal
