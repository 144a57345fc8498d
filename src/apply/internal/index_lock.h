#pragma once
#include <optional>
#include <string>

#include "apply/internal/journal.h"
#include "base/deadline.h"
#include "base/result.h"
#include "base/stop_token.h"
#include "git/project.h"
#include "io/directory.h"

namespace clever::apply::internal {

/// git's own lock on the index of a working tree, held by us: while it exists, no other git changes
/// the index. Created under our own name first, so that the journal knows its inode before it is a
/// lock: recovery removes this lock and no other.
///
/// A value that names the lock; taking and releasing are explicit, since a crash leaves it behind
/// anyway. Used by one thread, which holds the project's lock.
class IndexLock {
 public:
  [[nodiscard]] static base::Result<IndexLock> at(const git::Project& project,
                                                  const Beginning& beginning);

  /// Creates the file; not a lock yet.
  [[nodiscard]] base::Result<LockFile> prepare() const;
  /// Waits until no other git is at work; `unavailable` if one holds the lock for too long.
  base::Result<void> wait_until_free(const base::StopToken& stop, base::Deadline deadline) const;
  /// The same, and takes it.
  base::Result<void> take(const base::StopToken& stop, base::Deadline deadline) const;
  [[nodiscard]] bool is_ours(const LockFile& lock) const;
  /// Succeeds if it does not exist, or is not ours.
  base::Result<void> release(const std::optional<LockFile>& lock) const;

  /// Prepares a new index: `change` edits a copy of the index.
  template <class Change>
  base::Result<void> prepare_index(Change change) const {
    CLEVER_TRY(copy_index());
    CLEVER_TRY(change(folder_path_ / copy_name()));
    return folder_.sync_file(copy_name());
  }
  /// Puts the prepared index in place: one rename.
  base::Result<void> install_index() const;

 private:
  IndexLock(io::Directory folder, std::filesystem::path path, std::string id)
      : folder_(std::move(folder)), folder_path_(std::move(path)), id_(std::move(id)) {}
  [[nodiscard]] std::string prepared_name() const { return "cleveragents-lock-" + id_; }
  [[nodiscard]] std::string copy_name() const { return "cleveragents-index-" + id_; }
  [[nodiscard]] std::string content() const { return "cleveragents " + id_ + "\n"; }
  base::Result<void> copy_index() const;
  [[nodiscard]] base::Error held_by_another(const base::StopToken& stop) const;

  io::Directory folder_;
  std::filesystem::path folder_path_;
  std::string id_;
};

}  // namespace clever::apply::internal
