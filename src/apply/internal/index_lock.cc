#include "apply/internal/index_lock.h"

#include <chrono>

#include "apply/internal/pause.h"
#include "base/crash_point.h"

namespace clever::apply::internal {
namespace {

using base::ErrorCode;

constexpr const char* kLock = "index.lock";
constexpr const char* kIndex = "index";
constexpr mode_t kMode = 0644;
constexpr std::size_t kIndexLimit = std::size_t{4} << 30U;
// Longer than any git command holds it, unless it was killed.
constexpr base::Duration kLockPatience = std::chrono::seconds{10};

base::Result<void> fine_if_missing(base::Result<void> result) {
  if (!result.ok() && result.error().code() == ErrorCode::kNotFound) return {};
  return result;
}

}  // namespace

base::Result<IndexLock> IndexLock::at(const git::Project& project, const Beginning& beginning) {
  CLEVER_ASSIGN(io::Directory folder, io::Directory::open(project.git_folder));
  return IndexLock(std::move(folder), project.git_folder, beginning.id);
}

base::Result<LockFile> IndexLock::prepare() const {
  CLEVER_TRY(folder_.create_file(prepared_name(), content(), kMode));
  CLEVER_ASSIGN(const io::EntryFacts facts, folder_.facts(prepared_name()));
  return LockFile{facts.device, facts.inode};
}

base::Result<void> IndexLock::take(const base::StopToken& stop, base::Deadline deadline) const {
  Pause pause(kLockPatience, stop, deadline);
  while (true) {
    auto moved = folder_.move_new(prepared_name(), kLock);
    if (moved.ok() || moved.error().code() != ErrorCode::kAlreadyExists) return moved;
    if (!pause.again()) return held_by_another(stop);
  }
}

base::Result<void> IndexLock::wait_until_free(const base::StopToken& stop,
                                              base::Deadline deadline) const {
  Pause pause(kLockPatience, stop, deadline);
  while (folder_.facts(kLock).ok()) {
    if (!pause.again()) return held_by_another(stop);
  }
  return {};
}

base::Error IndexLock::held_by_another(const base::StopToken& stop) const {
  if (stop.stop_requested()) return base::cancelled("stopped while git's index was locked");
  return base::unavailable(
      "another git command is running in this repository: " + (folder_path_ / kLock).string() +
      " exists. If no git is running, a crashed one left it: remove it");
}

bool IndexLock::is_ours(const LockFile& lock) const {
  const auto facts = folder_.facts(kLock);
  if (!facts.ok() || facts->device != lock.device || facts->inode != lock.inode) return false;
  const auto text = folder_.read_file(kLock, content().size());
  return text.ok() && *text == content();
}

base::Result<void> IndexLock::release(const std::optional<LockFile>& lock) const {
  CLEVER_TRY(fine_if_missing(folder_.remove_file(copy_name())));
  CLEVER_TRY(fine_if_missing(folder_.remove_file(copy_name() + ".lock")));
  CLEVER_TRY(fine_if_missing(folder_.remove_file(prepared_name())));
  if (!lock || !is_ours(*lock)) return {};
  return fine_if_missing(folder_.remove_file(kLock));
}

base::Result<void> IndexLock::copy_index() const {
  CLEVER_TRY(fine_if_missing(folder_.remove_file(copy_name())));
  CLEVER_TRY(fine_if_missing(folder_.remove_file(copy_name() + ".lock")));
  auto bytes = folder_.read_file(kIndex, kIndexLimit);
  if (!bytes.ok() && bytes.error().code() == ErrorCode::kNotFound) return {};  // no commit yet
  if (!bytes.ok()) return std::move(bytes).error();
  return folder_.create_file(copy_name(), *bytes, kMode);
}

base::Result<void> IndexLock::install_index() const {
  auto moved = folder_.move_new(copy_name(), kIndex);
  if (!moved.ok() && moved.error().code() == ErrorCode::kAlreadyExists) {
    CLEVER_ASSIGN(const io::EntryFacts old, folder_.facts(kIndex));
    CLEVER_TRY(folder_.set_mode(copy_name(), old.mode));
    moved = folder_.exchange(copy_name(), kIndex);
  }
  CLEVER_TRY(std::move(moved));
  base::crash_point("apply.index_installed");
  return folder_.sync_directory("");
}

}  // namespace clever::apply::internal
