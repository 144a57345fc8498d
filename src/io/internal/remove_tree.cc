#include "io/internal/remove_tree.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "io/disk_fault.h"
#include "io/file_descriptor.h"
#include "io/internal/beneath.h"
#include "io/internal/folder_names.h"

namespace clever::io::internal {
namespace {

constexpr int kFolderFlags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;

struct Name {
  std::string name;
  bool folder = false;
};

// Empties one folder and removes it.
class TreeRemoval {
 public:
  TreeRemoval(int above, const char* name, std::string_view path)
      : above_(above), name_(name), path_(path) {}

  base::Result<void> run() {
    CLEVER_ASSIGN(top_, open_folder(above_, name_));
    while (true) {
      CLEVER_ASSIGN(const std::vector<Name> names, names_in(top_));
      if (names.empty()) break;
      for (const Name& entry : names)
        CLEVER_TRY(entry.folder ? flatten(entry) : unlink(top_, entry));
    }
    // The folder is not empty if another process keeps adding files: report that.
    if (::unlinkat(above_, name_, AT_REMOVEDIR) != 0) return failed();
    return {};
  }

 private:
  [[nodiscard]] base::Error failed() const { return beneath_error(errno, "cannot remove", path_); }

  // Works for any mode: emptying needs read, write and search permission.
  [[nodiscard]] base::Result<FileDescriptor> open_folder(int parent, const char* name) const {
    struct stat status{};
    if (::fstatat(parent, name, &status, AT_SYMLINK_NOFOLLOW) != 0) return failed();
    if ((status.st_mode & 0700U) != 0700U &&
        ::fchmodat(parent, name, 0700, AT_SYMLINK_NOFOLLOW) != 0) {
      return failed();
    }
    FileDescriptor folder(::openat(parent, name, kFolderFlags));
    if (!folder.valid()) return failed();
    return folder;
  }

  [[nodiscard]] base::Result<std::vector<Name>> names_in(const FileDescriptor& folder) const {
    FileDescriptor again(::openat(folder.number(), ".", kFolderFlags));
    if (!again.valid()) return failed();
    std::vector<Name> names;
    CLEVER_TRY(visit_names(std::move(again), path_, [&](std::string_view name, mode_t type) {
      names.emplace_back(std::string(name), type == S_IFDIR);
      return true;
    }));
    return names;
  }

  [[nodiscard]] base::Result<void> unlink(const FileDescriptor& folder, const Name& entry) const {
    if (::unlinkat(folder.number(), entry.name.c_str(), 0) == 0 || errno == ENOENT) return {};
    return failed();
  }

  // Removes a subfolder; its own subfolders move up to the top folder.
  base::Result<void> flatten(const Name& entry) {
    if (remove_empty(top_, entry)) return {};
    CLEVER_ASSIGN(const FileDescriptor folder, open_folder(top_.number(), entry.name.c_str()));
    CLEVER_ASSIGN(const std::vector<Name> names, names_in(folder));
    for (const Name& inner : names)
      CLEVER_TRY(inner.folder ? lift(folder, inner) : unlink(folder, inner));
    static_cast<void>(remove_empty(top_, entry));  // on failure, the next round does it
    return {};
  }

  [[nodiscard]] static bool remove_empty(const FileDescriptor& folder, const Name& entry) {
    return ::unlinkat(folder.number(), entry.name.c_str(), AT_REMOVEDIR) == 0;
  }

  base::Result<void> lift(const FileDescriptor& from, const Name& entry) {
    if (remove_empty(from, entry)) return {};
    // Moving a folder writes its `..`; opening it makes it writable.
    CLEVER_TRY(open_folder(from.number(), entry.name.c_str()));
    while (true) {
      const std::string name = "removed" + std::to_string(next_++);
      if (::renameat(from.number(), entry.name.c_str(), top_.number(), name.c_str()) == 0)
        return {};
      if (errno != ENOTEMPTY && errno != EEXIST && errno != ENOTDIR) return failed();
    }
  }

  int above_;
  const char* name_;
  std::string_view path_;
  FileDescriptor top_;
  std::uint64_t next_ = 0;
};

}  // namespace

base::Result<void> remove_tree(int above, const char* name, std::string_view path) {
  if (disk_fails(DiskChange::kRemove)) return beneath_error(errno, "cannot remove", path);
  if (::unlinkat(above, name, 0) == 0) return {};
  // Linux answers EISDIR for a folder; other file systems answer EPERM, as in POSIX.
  if (errno != EISDIR && errno != EPERM) return beneath_error(errno, "cannot remove", path);
  return TreeRemoval(above, name, path).run();
}

}  // namespace clever::io::internal
