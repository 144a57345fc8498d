#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/stop_token.h"
#include "git/object_store.h"
#include "io/directory.h"
#include "io/file_lock.h"

namespace clever::sandbox::internal {

/// Writes all files of the tree into an empty folder. Files that the user has at the same path get
/// their modification time, so that the user's build trees stay as fresh or stale as they are; all
/// others get a constant one. Leaves out files above 1 GiB.
base::Result<void> check_out(git::ObjectStore& store, const git::ObjectId& tree,
                             const io::Directory& target, const std::filesystem::path& user_root,
                             const base::StopToken& stop);

/// A folder with a tree, and the right to read it: while this lives, no cleanup removes it.
struct SharedCheckout {
  std::filesystem::path folder;
  io::FileLock use;
};

/// The checkout of this tree below `shared`, the folder for all checkouts of one project, with the
/// times that the user's files have now. One for all processes, made when it is missing: the
/// files that it has in common with the one used last are linked, the rest is written. Never
/// incomplete, since it is renamed into place at the end; not trusted after a reboot, since it is
/// not synced. Read-only by convention.
///
///   shared/TREE-TIMES          the files
///   shared/TREE-TIMES.whole    the boot in which they were completed; its time is the last use
///   shared/TREE-TIMES.files    their names, ids, modes and times
///   shared/TREE-TIMES.lock     shared by readers, exclusive for who makes or removes it
[[nodiscard]] base::Result<SharedCheckout> shared_checkout(git::ObjectStore& store,
                                                           const git::ObjectId& tree,
                                                           const std::filesystem::path& shared,
                                                           const std::filesystem::path& user_root,
                                                           const base::StopToken& stop);

/// The names of the checkouts in such a folder, complete or not.
[[nodiscard]] std::vector<std::string> checkouts_in(const std::filesystem::path& shared);
/// When it was last asked for, in nanoseconds since 1970; 0: it is not complete.
[[nodiscard]] std::int64_t checkout_used_at(const std::filesystem::path& folder);
/// Whether a process reads or makes it.
[[nodiscard]] bool is_checkout_used(const std::filesystem::path& folder);
/// Removes it with all that belongs to it; `conflict` while it is used.
base::Result<void> remove_checkout(const std::filesystem::path& folder);

}  // namespace clever::sandbox::internal
