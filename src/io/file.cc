#include "io/file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <optional>

#include "base/lock_rank.h"
#include "io/disk_fault.h"
#include "io/file_descriptor.h"
#include "io/internal/open_regular.h"
#include "io/internal/sync_folder.h"
#include "io/internal/temporary_file.h"
#include "io/internal/too_large.h"
#include "io/output.h"
#include "io/system_error.h"

namespace clever::io {
namespace {

base::Result<std::string> read_up_to(int file, const std::filesystem::path& path,
                                     std::size_t limit) {
  std::string content;
  // Reads to the end whatever size was announced: files in /proc announce 0.
  while (content.size() <= limit) {
    const std::size_t old_size = content.size();
    const std::size_t step = std::clamp<std::size_t>(old_size, 4096, 1U << 20U);
    content.resize(old_size + step);
    const ssize_t count = ::read(file, content.data() + old_size, step);
    content.resize(old_size + static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
    if (count == 0) return content;
    if (count < 0 && errno != EINTR) return system_error(errno, "cannot read", path);
  }
  return internal::too_large(path.string(), limit);
}

std::optional<struct stat> status_of(const std::filesystem::path& path) {
  struct stat status{};
  if (::stat(path.c_str(), &status) != 0) return std::nullopt;
  return status;
}

base::Result<void> keep_owner_and_mode(int descriptor, const struct stat& old,
                                       const std::filesystem::path& target) {
  // Only root can give files away; for others the copy belongs to the writer.
  if (::fchown(descriptor, old.st_uid, old.st_gid) != 0 && errno != EPERM) {
    return system_error(errno, "cannot keep the owner of", target);
  }
  if (::fchmod(descriptor, old.st_mode & 07777U) != 0) {
    return system_error(errno, "cannot keep the mode of", target);
  }
  return {};
}

base::Result<void> make_directory(const std::filesystem::path& path, mode_t mode) {
  if (!disk_fails(DiskChange::kCreate) && ::mkdir(path.c_str(), mode) == 0) return {};
  const int number = errno;
  const FileKind kind = file_kind(path);
  if (kind == FileKind::kDirectory) return {};
  if (kind != FileKind::kMissing) {
    return base::already_exists("cannot create the folder " + path.string() +
                                ": a file with that name exists");
  }
  return system_error(number, "cannot create the folder", path);
}

}  // namespace

base::Result<std::string> read_file(const std::filesystem::path& path, std::size_t limit) {
  base::lock_rank::require_none("reading a file");
  CLEVER_ASSIGN(const auto file, internal::open_regular(path, O_RDONLY, "cannot read"));
  struct stat status{};
  if (::fstat(file.number(), &status) == 0 && S_ISREG(status.st_mode) &&
      static_cast<std::size_t>(status.st_size) > limit) {
    return internal::too_large(path.string(), limit);
  }
  return read_up_to(file.number(), path, limit);
}

base::Result<std::string> read_standard_input(std::size_t limit) {
  base::lock_rank::require_none("reading the standard input");
  return read_up_to(STDIN_FILENO, "the standard input", limit);
}

base::Result<void> write_file_atomically(const std::filesystem::path& path,
                                         std::string_view content, mode_t mode) {
  base::lock_rank::require_none("writing a file");
  CLEVER_ASSIGN(const std::filesystem::path target, follow_links(path));
  CLEVER_ASSIGN(auto temporary, internal::TemporaryFile::beside(target, mode));
  if (const auto old = status_of(target)) {
    CLEVER_TRY(keep_owner_and_mode(temporary.descriptor(), *old, target));
  }
  if (disk_fails(DiskChange::kWrite)) return system_error(errno, "cannot write", target);
  CLEVER_TRY(write_all(temporary.descriptor(), content).context("writing " + target.string()));
  if (disk_fails(DiskChange::kSync) || ::fsync(temporary.descriptor()) != 0) {
    return system_error(errno, "cannot sync", target);
  }
  CLEVER_TRY(temporary.replace(target));
  return internal::sync_folder(target);
}

base::Result<void> make_directories(const std::filesystem::path& path, mode_t mode) {
  base::lock_rank::require_none("creating a folder");
  std::filesystem::path made;
  for (const std::filesystem::path& part : absolute_path(path)) {
    made /= part;
    if (part.empty() || file_kind(made) == FileKind::kDirectory) continue;
    CLEVER_TRY(make_directory(made, mode));
  }
  return {};
}

base::Result<std::filesystem::path> follow_links(const std::filesystem::path& path) {
  base::lock_rank::require_none("following a link");
  constexpr int kMostLinks = 40;
  std::filesystem::path target = path;
  for (int links = 0; links < kMostLinks; ++links) {
    std::error_code no_link;
    const std::filesystem::path next = std::filesystem::read_symlink(target, no_link);
    if (no_link) return target;
    target = target.parent_path() / next;
  }
  return system_error(ELOOP, "cannot follow", path);
}

FileKind file_kind(const std::filesystem::path& path) {
  base::lock_rank::require_none("looking at a file");
  const auto status = status_of(path);
  if (!status) return FileKind::kMissing;
  if (S_ISREG(status->st_mode)) return FileKind::kFile;
  return S_ISDIR(status->st_mode) ? FileKind::kDirectory : FileKind::kOther;
}

bool same_file(const std::filesystem::path& left, const std::filesystem::path& right) {
  base::lock_rank::require_none("comparing files");
  const auto a = status_of(left);
  const auto b = status_of(right);
  return a && b && a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

std::filesystem::path absolute_path(const std::filesystem::path& path) {
  std::error_code error;
  const std::filesystem::path absolute = std::filesystem::absolute(path, error);
  return (error ? path : absolute).lexically_normal();
}

base::Result<std::filesystem::path> working_directory() {
  base::lock_rank::require_none("asking for the working directory");
  std::error_code error;
  std::filesystem::path path = std::filesystem::current_path(error);
  if (error) return system_error(error.value(), "cannot find the working directory");
  return path;
}

}  // namespace clever::io
