#include "io/internal/beneath.h"

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

#include "io/system_error.h"

namespace clever::io::internal {
namespace {

base::Error refused(std::string_view path, std::string_view why) {
  return base::permission_denied(std::string(path) + " " + std::string(why));
}

base::Result<void> check_name(std::string_view name, std::string_view path) {
  if (name == "..") return refused(path, "leads out of the folder");
  if (name.empty() || name == ".") {
    return base::invalid_argument("'" + std::string(path) +
                                  "' is not a path of plain names joined by single slashes");
  }
  return {};
}

bool is_link(int folder, const char* name) {
  struct stat status{};
  return ::fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(status.st_mode);
}

Opened open_name(int folder, const std::string& name, int flags) {
  FileDescriptor file(::openat(folder, name.c_str(), flags | O_NOFOLLOW | O_CLOEXEC));
  if (file.valid()) return {std::move(file)};
  const int number = errno;
  // A link in place of a folder counts as "not a directory" here.
  if (number == ENOTDIR && is_link(folder, name.c_str())) return {{}, ELOOP};
  return {{}, number};
}

}  // namespace

base::Result<void> check_relative(std::string_view path) {
  if (path.contains('\0')) return base::invalid_argument("a path cannot hold a NUL");
  if (path.starts_with('/')) return refused(path, "is absolute: write it relative to the folder");
  while (true) {
    const std::size_t slash = path.find('/');
    CLEVER_TRY(check_name(path.substr(0, slash), path));
    if (slash == std::string_view::npos) return {};
    path.remove_prefix(slash + 1);
  }
}

Opened open_beneath(int folder, const std::string& path, int flags) {
  if (path.empty()) return open_name(folder, ".", flags);
  open_how how{};
  how.flags = static_cast<unsigned>(flags | O_NOFOLLOW | O_CLOEXEC);
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS;
  const long number = ::syscall(SYS_openat2, folder, path.c_str(), &how, sizeof how);
  if (number >= 0) return {FileDescriptor(static_cast<int>(number))};
  // Filters of old container hosts answer EPERM for unknown calls. ENOTDIR does not distinguish a
  // link at the end from a file: the walk does.
  if (errno == ENOSYS || errno == EPERM || errno == ENOTDIR)
    return walk_beneath(folder, path, flags);
  return {{}, errno};
}

Opened walk_beneath(int folder, std::string_view path, int flags) {
  FileDescriptor above;
  while (true) {
    const int here = above.valid() ? above.number() : folder;
    const std::size_t slash = path.find('/');
    const std::string name(path.substr(0, slash));
    if (slash == std::string_view::npos) return open_name(here, name, flags);
    Opened next = open_name(here, name, O_PATH | O_DIRECTORY);
    if (!next.file.valid()) return next;
    above = std::move(next.file);
    path.remove_prefix(slash + 1);
  }
}

base::Error beneath_error(int number, std::string_view doing, std::string_view path) {
  const std::string what = std::string(doing) + " " + std::string(path);
  if (number == ELOOP) return base::permission_denied(what + ": a part of the path is a link");
  if (number == EXDEV) return base::permission_denied(what + ": it leads out of the folder");
  return system_error(number, what);
}

base::Result<Place> Place::find(int folder, std::string_view path, std::string_view doing) {
  CLEVER_TRY(check_relative(path));
  const std::size_t slash = path.rfind('/');
  if (slash == std::string_view::npos) return Place({}, folder, std::string(path));
  Opened above = open_beneath(folder, std::string(path.substr(0, slash)), O_PATH | O_DIRECTORY);
  if (!above.file.valid()) return beneath_error(above.error, doing, path);
  const int number = above.file.number();
  return Place(std::move(above.file), number, std::string(path.substr(slash + 1)));
}

}  // namespace clever::io::internal
