#include "sandbox/workspace/internal/overlay_marks.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/xattr.h>

#include <array>
#include <cerrno>
#include <optional>
#include <system_error>

#include "io/file_descriptor.h"

namespace clever::sandbox::internal {
namespace {

// An overlay mounted without `userxattr` writes the second one.
constexpr std::array kOpaque = {"user.overlay.opaque", "trusted.overlay.opaque"};

base::Error system_failure(const char* doing, const std::string& name) {
  const int number = errno;
  return base::unavailable(std::string(doing) + " " + name + ": " +
                           std::generic_category().message(number));
}

std::optional<struct stat> status_of(const io::Directory& folder, const std::string& name) {
  struct stat status{};
  if (::fstatat(folder.descriptor(), name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) {
    return std::nullopt;
  }
  return status;
}

// A Directory's descriptor was opened with O_PATH, which gives no access to attributes.
io::FileDescriptor readable(const io::Directory& folder) {
  return io::FileDescriptor(::openat(folder.descriptor(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
}

}  // namespace

bool is_whiteout(const io::Directory& folder, const std::string& name) {
  const auto status = status_of(folder, name);
  return status && S_ISCHR(status->st_mode) && status->st_rdev == makedev(0, 0);
}

base::Result<void> make_whiteout(const io::Directory& folder, const std::string& name) {
  if (::mknodat(folder.descriptor(), name.c_str(), S_IFCHR, makedev(0, 0)) == 0) return {};
  return system_failure("cannot hide", name);
}

bool is_opaque(const io::Directory& folder) {
  const io::FileDescriptor file = readable(folder);
  if (!file.valid()) return false;
  for (const char* name : kOpaque) {
    char value = '\0';
    if (::fgetxattr(file.number(), name, &value, 1) == 1 && value == 'y') return true;
  }
  return false;
}

base::Result<void> make_opaque(const io::Directory& folder) {
  const io::FileDescriptor file = readable(folder);
  if (file.valid() && ::fsetxattr(file.number(), kOpaque[0], "y", 1, 0) == 0) return {};
  return system_failure("cannot hide what lies under", "a folder");
}

std::string special_kind(const io::Directory& folder, const std::string& name) {
  const auto status = status_of(folder, name);
  if (status && S_ISSOCK(status->st_mode)) return "a socket";
  if (status && S_ISFIFO(status->st_mode)) return "a fifo";
  return "a device";
}

void set_modified(const io::Directory& folder, const std::string& name, std::int64_t modified) {
  constexpr std::int64_t kSecond = 1'000'000'000;
  const timespec time{.tv_sec = modified / kSecond, .tv_nsec = modified % kSecond};
  const std::array<timespec, 2> times = {time, time};
  // Only helps build tools: nothing depends on it.
  [[maybe_unused]] const int ignored =
      ::utimensat(folder.descriptor(), name.c_str(), times.data(), AT_SYMLINK_NOFOLLOW);
}

}  // namespace clever::sandbox::internal
