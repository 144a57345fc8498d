#include "io/internal/folder_names.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>
#include <memory>

#include "io/internal/beneath.h"

namespace clever::io::internal {
namespace {

struct CloseFolder {
  void operator()(DIR* folder) const noexcept { ::closedir(folder); }
};

mode_t type_of(int folder, const dirent& entry) {
  if (entry.d_type != DT_UNKNOWN) return static_cast<mode_t>(DTTOIF(entry.d_type));
  struct stat status{};
  const int found = ::fstatat(folder, entry.d_name, &status, AT_SYMLINK_NOFOLLOW);
  return found == 0 ? status.st_mode & S_IFMT : mode_t{0};
}

}  // namespace

base::Result<void> visit_names(FileDescriptor folder, std::string_view path,
                               const std::function<bool(std::string_view, mode_t)>& visit) {
  const int number = folder.number();
  const std::unique_ptr<DIR, CloseFolder> stream(::fdopendir(number));
  if (stream == nullptr) return beneath_error(errno, "cannot list", path);
  static_cast<void>(folder.release());
  while (true) {
    errno = 0;
    const dirent* entry = ::readdir(stream.get());
    if (entry == nullptr && errno != 0) return beneath_error(errno, "cannot list", path);
    if (entry == nullptr) return {};
    const std::string_view name(entry->d_name);
    if (name == "." || name == "..") continue;
    if (!visit(name, type_of(number, *entry))) return {};
  }
}

}  // namespace clever::io::internal
