#include "io/directory.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <vector>

#include "base/lock_rank.h"
#include "io/disk_fault.h"
#include "io/internal/beneath.h"
#include "io/internal/folder_names.h"
#include "io/internal/remove_tree.h"
#include "io/internal/too_large.h"
#include "io/output.h"
#include "io/system_error.h"

namespace clever::io {
namespace {

using internal::beneath_error;
using internal::Place;

EntryFacts::Kind kind_of(mode_t mode) {
  if (S_ISREG(mode)) return EntryFacts::Kind::kFile;
  if (S_ISDIR(mode)) return EntryFacts::Kind::kDirectory;
  return S_ISLNK(mode) ? EntryFacts::Kind::kLink : EntryFacts::Kind::kOther;
}

std::int64_t to_nanoseconds(const timespec& time) {
  constexpr std::int64_t kSecond = 1'000'000'000;
  return std::int64_t{time.tv_sec} * kSecond + time.tv_nsec;
}

EntryFacts facts_of(const struct stat& status) {
  return {.kind = kind_of(status.st_mode),
          .mode = status.st_mode & 07777U,
          .size = static_cast<std::uint64_t>(status.st_size),
          .device = status.st_dev,
          .inode = status.st_ino,
          .modified = to_nanoseconds(status.st_mtim),
          .changed = to_nanoseconds(status.st_ctim)};
}

base::Error no_file(std::string_view path, EntryFacts::Kind kind) {
  const std::string name(path);
  if (kind == EntryFacts::Kind::kLink) return base::permission_denied(name + " is a link");
  if (kind == EntryFacts::Kind::kDirectory) return base::invalid_argument(name + " is a folder");
  return base::invalid_argument(name + " is a device, fifo or socket, not a file");
}

base::Result<void> require_file(const struct stat& status, std::string_view path) {
  const EntryFacts::Kind kind = kind_of(status.st_mode);
  if (kind == EntryFacts::Kind::kFile) return {};
  return no_file(path, kind);
}

base::Result<std::string> read_to_end(const FileDescriptor& file, std::string_view path,
                                      std::size_t announced, std::size_t limit) {
  // One byte more than the announced size, so that the end is found without growing.
  std::string content(announced + 1, '\0');
  std::size_t used = 0;
  while (used <= limit) {
    if (used == content.size()) content.resize(content.size() + 65536);
    const ssize_t count = ::read(file.number(), content.data() + used, content.size() - used);
    if (count < 0 && errno != EINTR) return beneath_error(errno, "cannot read", path);
    used += static_cast<std::size_t>(std::max<ssize_t>(count, 0));
    if (count == 0) break;
  }
  content.resize(used);
  if (used > limit) return internal::too_large(std::string(path), limit);
  return content;
}

base::Result<FileDescriptor> open_folder(int folder, std::string_view path, int flags,
                                         std::string_view doing) {
  if (!path.empty()) CLEVER_TRY(internal::check_relative(path));
  internal::Opened opened = internal::open_beneath(folder, std::string(path), flags | O_DIRECTORY);
  if (!opened.file.valid()) return beneath_error(opened.error, doing, path);
  return std::move(opened.file);
}

base::Result<void> sync(const FileDescriptor& file, std::string_view path) {
  // Some file systems have nothing to sync in a folder, and answer EINVAL.
  const bool fails = disk_fails(DiskChange::kSync);
  if (!fails && (::fsync(file.number()) == 0 || errno == EINVAL)) return {};
  return beneath_error(errno, "cannot sync", path);
}

base::Result<void> fill(const FileDescriptor& file, std::string_view content, mode_t mode,
                        std::string_view path) {
  if (disk_fails(DiskChange::kWrite)) return beneath_error(errno, "cannot write", path);
  CLEVER_TRY(write_all(file.number(), content).context("writing " + std::string(path)));
  if (::fchmod(file.number(), mode) != 0)
    return beneath_error(errno, "cannot set the mode of", path);
  return {};
}

base::Result<void> rename_below(int folder, std::string_view from, std::string_view to,
                                unsigned how, std::string_view doing) {
  CLEVER_ASSIGN(const Place source, Place::find(folder, from, doing));
  CLEVER_ASSIGN(const Place target, Place::find(folder, to, doing));
  const bool fails = disk_fails(DiskChange::kMove);
  if (!fails &&
      ::renameat2(source.folder(), source.name(), target.folder(), target.name(), how) == 0) {
    return {};
  }
  const int number = errno;
  const std::string both = std::string(from) + " and " + std::string(to);
  if (number == EXDEV) {
    return base::unavailable(std::string(doing) + " " + both + ": they are on two file systems");
  }
  if (number == EINVAL) {
    return base::unavailable(std::string(doing) + " " + both +
                             ": the file system cannot do it, or one contains the other");
  }
  return beneath_error(number, doing, both);
}

// Checks what exists where a folder was to be created.
base::Result<void> require_folder(const FileDescriptor& found, int error, std::string_view path) {
  if (found.valid()) return {};
  if (error != ENOTDIR) return beneath_error(error, "cannot create the folder", path);
  return base::already_exists("cannot create the folder " + std::string(path) +
                              ": a file with that name exists");
}

}  // namespace

base::Result<Directory> Directory::open(const std::filesystem::path& path) {
  base::lock_rank::require_none("opening a folder");
  FileDescriptor folder(::open(path.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!folder.valid()) return system_error(errno, "cannot open the folder", path);
  return Directory(std::move(folder));
}

base::Result<Directory> Directory::open_below(std::string_view path) const {
  base::lock_rank::require_none("opening a folder");
  CLEVER_ASSIGN(FileDescriptor folder,
                open_folder(descriptor(), path, O_PATH, "cannot open the folder"));
  return Directory(std::move(folder));
}

base::Result<EntryFacts> Directory::facts(std::string_view path) const {
  base::lock_rank::require_none("looking at a file");
  struct stat status{};
  if (path.empty()) {
    if (::fstat(descriptor(), &status) != 0) return beneath_error(errno, "cannot look at", ".");
    return facts_of(status);
  }
  CLEVER_ASSIGN(const Place place, Place::find(descriptor(), path, "cannot look at"));
  if (::fstatat(place.folder(), place.name(), &status, AT_SYMLINK_NOFOLLOW) != 0) {
    return beneath_error(errno, "cannot look at", path);
  }
  return facts_of(status);
}

base::Result<std::string> Directory::read_file(std::string_view path, std::size_t limit) const {
  CLEVER_ASSIGN(const FileDescriptor file, open_file(path));
  struct stat status{};
  if (::fstat(file.number(), &status) != 0) return beneath_error(errno, "cannot read", path);
  const auto size = static_cast<std::size_t>(status.st_size);
  if (size > limit) return internal::too_large(std::string(path), limit);
  return read_to_end(file, path, size, limit);
}

base::Result<base::Sha256Digest> Directory::hash_file(std::string_view path) const {
  CLEVER_ASSIGN(const FileDescriptor file, open_file(path));
  base::Sha256 hash;
  std::string piece(std::size_t{1} << 16U, '\0');
  while (true) {
    const ssize_t count = ::read(file.number(), piece.data(), piece.size());
    if (count < 0 && errno != EINTR) return beneath_error(errno, "cannot read", path);
    if (count == 0) return hash.finish();
    if (count > 0) hash.update({piece.data(), static_cast<std::size_t>(count)});
  }
}

base::Result<bool> Directory::is_being_written(std::string_view path) const {
  CLEVER_ASSIGN(const FileDescriptor file, open_file(path));
  // The kernel grants a read lease only while no process has the file open for writing.
  if (::fcntl(file.number(), F_SETLEASE, F_RDLCK) != 0) return errno == EAGAIN;
  ::fcntl(file.number(), F_SETLEASE, F_UNLCK);
  return false;
}

base::Result<std::string> Directory::read_link(std::string_view path) const {
  base::lock_rank::require_none("reading a link");
  CLEVER_ASSIGN(const Place place, Place::find(descriptor(), path, "cannot read the link"));
  std::string target(256, '\0');
  while (true) {
    const ssize_t length = ::readlinkat(place.folder(), place.name(), target.data(), target.size());
    if (length < 0) return beneath_error(errno, "cannot read the link", path);
    if (static_cast<std::size_t>(length) < target.size()) {
      target.resize(static_cast<std::size_t>(length));
      return target;
    }
    target.resize(target.size() * 2);
  }
}

base::Result<FileDescriptor> Directory::open_file(std::string_view path) const {
  base::lock_rank::require_none("opening a file");
  CLEVER_ASSIGN(const Place place, Place::find(descriptor(), path, "cannot read"));
  struct stat status{};
  if (::fstatat(place.folder(), place.name(), &status, AT_SYMLINK_NOFOLLOW) != 0) {
    return beneath_error(errno, "cannot read", path);
  }
  CLEVER_TRY(require_file(status, path));
  // Checked again, without blocking: a fifo may have replaced it in between.
  FileDescriptor file(::openat(place.folder(), place.name(),
                               O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
  if (!file.valid()) return beneath_error(errno, "cannot read", path);
  if (::fstat(file.number(), &status) != 0) return beneath_error(errno, "cannot read", path);
  CLEVER_TRY(require_file(status, path));
  return file;
}

base::Result<void> Directory::list(
    std::string_view path,
    const std::function<bool(std::string_view, EntryFacts::Kind)>& visit) const {
  base::lock_rank::require_none("listing a folder");
  CLEVER_ASSIGN(FileDescriptor folder, open_folder(descriptor(), path, O_RDONLY, "cannot list"));
  return internal::visit_names(std::move(folder), path, [&](std::string_view name, mode_t type) {
    return visit(name, kind_of(type));
  });
}

base::Result<void> Directory::create_file(std::string_view path, std::string_view content,
                                          mode_t mode) const {
  base::lock_rank::require_none("creating a file");
  CLEVER_ASSIGN(const Place place, Place::find(descriptor(), path, "cannot create"));
  if (disk_fails(DiskChange::kCreate)) return beneath_error(errno, "cannot create", path);
  const FileDescriptor file(::openat(place.folder(), place.name(),
                                     O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!file.valid()) return beneath_error(errno, "cannot create", path);
  auto filled = fill(file, content, mode, path);
  if (!filled.ok()) ::unlinkat(place.folder(), place.name(), 0);
  return filled;
}

base::Result<void> Directory::create_link(std::string_view path, std::string_view target) const {
  base::lock_rank::require_none("creating a link");
  if (target.contains('\0')) return base::invalid_argument("a link's target cannot hold a NUL");
  CLEVER_ASSIGN(const Place place, Place::find(descriptor(), path, "cannot create the link"));
  const bool fails = disk_fails(DiskChange::kCreate);
  if (!fails && ::symlinkat(std::string(target).c_str(), place.folder(), place.name()) == 0) {
    return {};
  }
  return beneath_error(errno, "cannot create the link", path);
}

base::Result<void> Directory::add_name_of(const Directory& other, std::string_view name) const {
  base::lock_rank::require_none("linking a file");
  CLEVER_ASSIGN(const Place from, Place::find(other.descriptor(), name, "cannot link"));
  CLEVER_ASSIGN(const Place to, Place::find(descriptor(), name, "cannot link"));
  const bool fails = disk_fails(DiskChange::kCreate);
  if (!fails && ::linkat(from.folder(), from.name(), to.folder(), to.name(), 0) == 0) return {};
  return beneath_error(errno, "cannot link", name);
}

base::Result<void> Directory::make_directories(std::string_view path, mode_t mode) const {
  base::lock_rank::require_none("creating a folder");
  CLEVER_TRY(internal::check_relative(path));
  FileDescriptor above;
  while (true) {
    const int here = above.valid() ? above.number() : descriptor();
    const std::size_t slash = path.find('/');
    const std::string name(path.substr(0, slash));
    const bool fails = disk_fails(DiskChange::kCreate);
    if (fails || (::mkdirat(here, name.c_str(), mode) != 0 && errno != EEXIST)) {
      return beneath_error(errno, "cannot create the folder", name);
    }
    internal::Opened made = internal::open_beneath(here, name, O_PATH | O_DIRECTORY);
    CLEVER_TRY(require_folder(made.file, made.error, name));
    if (slash == std::string_view::npos) return {};
    above = std::move(made.file);
    path.remove_prefix(slash + 1);
  }
}

base::Result<void> Directory::set_mode(std::string_view path, mode_t mode) const {
  base::lock_rank::require_none("setting a mode");
  CLEVER_ASSIGN(const Place place, Place::find(descriptor(), path, "cannot set the mode of"));
  const bool fails = disk_fails(DiskChange::kWrite);
  if (!fails && ::fchmodat(place.folder(), place.name(), mode, AT_SYMLINK_NOFOLLOW) == 0) {
    return {};
  }
  const int number = errno == EOPNOTSUPP ? ELOOP : errno;  // links have none
  return beneath_error(number, "cannot set the mode of", path);
}

base::Result<void> Directory::exchange(std::string_view one, std::string_view other) const {
  base::lock_rank::require_none("exchanging files");
  return rename_below(descriptor(), one, other, RENAME_EXCHANGE, "cannot exchange");
}

base::Result<void> Directory::move_new(std::string_view from, std::string_view to) const {
  base::lock_rank::require_none("moving a file");
  return rename_below(descriptor(), from, to, RENAME_NOREPLACE, "cannot move");
}

base::Result<void> Directory::remove_file(std::string_view path) const {
  base::lock_rank::require_none("removing a file");
  CLEVER_ASSIGN(const Place place, Place::find(descriptor(), path, "cannot remove"));
  const bool fails = disk_fails(DiskChange::kRemove);
  if (!fails && ::unlinkat(place.folder(), place.name(), 0) == 0) return {};
  return beneath_error(errno, "cannot remove", path);
}

base::Result<void> Directory::remove_directory(std::string_view path) const {
  base::lock_rank::require_none("removing a folder");
  constexpr std::string_view kDoing = "cannot remove the folder";
  CLEVER_ASSIGN(const Place place, Place::find(descriptor(), path, kDoing));
  const bool fails = disk_fails(DiskChange::kRemove);
  if (!fails && ::unlinkat(place.folder(), place.name(), AT_REMOVEDIR) == 0) return {};
  if (errno == ENOTEMPTY || errno == EEXIST) {
    return base::conflict("the folder " + std::string(path) + " is not empty");
  }
  if (errno == ENOTDIR) return base::invalid_argument(std::string(path) + " is not a folder");
  return beneath_error(errno, kDoing, path);
}

base::Result<void> Directory::remove_all(std::string_view path) const {
  base::lock_rank::require_none("removing a folder");
  CLEVER_ASSIGN(const Place place, Place::find(descriptor(), path, "cannot remove"));
  auto removed = internal::remove_tree(place.folder(), place.name(), path);
  if (!removed.ok() && removed.error().code() == base::ErrorCode::kNotFound) return {};
  return removed;
}

base::Result<void> Directory::sync_file(std::string_view path) const {
  CLEVER_ASSIGN(const FileDescriptor file, open_file(path));
  return sync(file, path);
}

base::Result<void> Directory::sync_directory(std::string_view path) const {
  base::lock_rank::require_none("syncing a folder");
  CLEVER_ASSIGN(const FileDescriptor folder,
                open_folder(descriptor(), path, O_RDONLY, "cannot sync"));
  return sync(folder, path);
}

}  // namespace clever::io
