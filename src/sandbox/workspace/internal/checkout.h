#pragma once
#include <filesystem>

#include "base/result.h"
#include "base/stop_token.h"
#include "git/object_store.h"
#include "io/directory.h"

namespace clever::sandbox::internal {

/// Writes all files of the tree into an empty folder. Files that the user has at the same path get
/// their modification time, so that the user's build trees stay as fresh or stale as they are; all
/// others get a constant one. Leaves out files above 1 GiB.
base::Result<void> check_out(git::ObjectStore& store, const git::ObjectId& tree,
                             const io::Directory& target, const std::filesystem::path& user_root,
                             const base::StopToken& stop);

/// The folder with this tree, checked out once below `shared` for all processes. Never incomplete,
/// since it is renamed into place at the end; not trusted after a reboot, since it is not synced.
/// Read-only by convention.
[[nodiscard]] base::Result<std::filesystem::path> shared_checkout(
    git::ObjectStore& store, const git::ObjectId& tree, const std::filesystem::path& shared,
    const std::filesystem::path& user_root, const base::StopToken& stop);

}  // namespace clever::sandbox::internal
