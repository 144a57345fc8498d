#include "io/internal/open_regular.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <string>

#include "io/system_error.h"

namespace clever::io::internal {
namespace {

// null, zero, full, urandom; see mem(4).
bool never_blocks(dev_t device) {
  constexpr unsigned kMemory = 1;
  constexpr std::array<unsigned, 4> kMinors{3, 5, 7, 9};
  return major(device) == kMemory && std::ranges::find(kMinors, minor(device)) != kMinors.end();
}

std::string_view kind_of(mode_t mode) {
  if (S_ISFIFO(mode)) return "a FIFO";
  if (S_ISSOCK(mode)) return "a socket";
  return "a device";
}

base::Result<void> require_regular(const struct stat& status, const std::filesystem::path& path,
                                   std::string_view doing) {
  if (S_ISREG(status.st_mode) || S_ISDIR(status.st_mode)) return {};
  if (S_ISCHR(status.st_mode) && never_blocks(status.st_rdev)) return {};
  return base::invalid_argument(std::string(doing) + " " + path.string() + ": it is " +
                                std::string(kind_of(status.st_mode)) +
                                "; only regular files are accepted here");
}

}  // namespace

base::Result<FileDescriptor> open_regular(const std::filesystem::path& path, int flags,
                                          std::string_view doing, mode_t mode) {
  struct stat status{};
  // Checked first, because opening some devices has effects.
  if (::stat(path.c_str(), &status) == 0) CLEVER_TRY(require_regular(status, path, doing));
  FileDescriptor file(::open(path.c_str(), flags | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, mode));
  if (!file.valid()) return system_error(errno, doing, path);
  // Checked again: the file may have been replaced in between.
  if (::fstat(file.number(), &status) != 0) return system_error(errno, doing, path);
  CLEVER_TRY(require_regular(status, path, doing));
  return file;
}

}  // namespace clever::io::internal
