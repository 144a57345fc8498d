#pragma once
#include <filesystem>

#include "base/result.h"
#include "base/stop_token.h"
#include "git/object_store.h"
#include "io/directory.h"

namespace clever::sandbox::internal {

/// Writes all files of the tree into an empty folder. Those that the user has under the same path
/// get the time of change they have there, so that build trees of the user stay as fresh or stale
/// as they are; all others get one that never changes. Files above 1 GiB are left out.
base::Result<void> check_out(git::ObjectStore& store, const git::ObjectId& tree,
                             const io::Directory& target, const std::filesystem::path& user_root,
                             const base::StopToken& stop);

/// The folder that holds this tree, checked out once below `shared` for whoever asks, in whatever
/// process: never half, since it gets its name when it is whole; not trusted after a reboot, since
/// it is not synced. Nobody writes into it.
[[nodiscard]] base::Result<std::filesystem::path> shared_checkout(
    git::ObjectStore& store, const git::ObjectId& tree, const std::filesystem::path& shared,
    const std::filesystem::path& user_root, const base::StopToken& stop);

}  // namespace clever::sandbox::internal
