#include "confine/internal/mount_tree.h"

#include <fcntl.h>
#include <sys/mount.h>
#include <unistd.h>

#include <cerrno>

#include "confine/internal/not_offered.h"
#include "io/system_error.h"

namespace clever::confine::internal {
namespace {

constexpr unsigned kCautious = MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV;

unsigned attributes_of(MountTree::Access access) {
  switch (access) {
    case MountTree::Access::kReadOnly:
      return kCautious | MOUNT_ATTR_RDONLY;
    case MountTree::Access::kWritable:
      return kCautious;
    case MountTree::Access::kDevice:
      break;
  }
  return MOUNT_ATTR_NOSUID | MOUNT_ATTR_NOEXEC;
}

base::Result<void> set_attributes(int tree, unsigned attributes, unsigned flags) {
  mount_attr wanted{};
  wanted.attr_set = attributes;
  if (::mount_setattr(tree, "", AT_EMPTY_PATH | flags, &wanted, sizeof(wanted)) == 0) return {};
  return not_offered(errno, "the attributes of a mount cannot be set (Linux 5.12 can)");
}

// A folder by its descriptor's number: mount options would split a path at commas or colons.
class FolderName {
 public:
  static base::Result<FolderName> of(const std::filesystem::path& path) {
    io::FileDescriptor folder(::open(path.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
    if (!folder.valid()) return io::system_error(errno, "cannot mount " + path.string());
    return FolderName(std::move(folder));
  }
  [[nodiscard]] std::string name() const {
    return "/proc/self/fd/" + std::to_string(folder_.number());
  }

 private:
  explicit FolderName(io::FileDescriptor folder) : folder_(std::move(folder)) {}
  io::FileDescriptor folder_;
};

}  // namespace

base::Result<MountTree> MountTree::of_host(const std::filesystem::path& path, Access access) {
  io::FileDescriptor tree(
      ::open_tree(AT_FDCWD, path.c_str(),
                  OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_RECURSIVE | AT_NO_AUTOMOUNT));
  if (!tree.valid()) return io::system_error(errno, "cannot mount " + path.string());
  CLEVER_TRY(set_attributes(tree.number(), attributes_of(access), AT_RECURSIVE));
  return MountTree(std::move(tree));
}

base::Result<MountTree> MountTree::create(
    const char* type, const std::vector<std::pair<std::string, std::string>>& options,
    unsigned attributes) {
  const std::string doing = std::string("cannot mount ") + type;
  const io::FileDescriptor context(::fsopen(type, FSOPEN_CLOEXEC));
  if (!context.valid()) return not_offered(errno, doing);
  for (const auto& [name, value] : options) {
    const bool flag = value.empty();
    if (::fsconfig(context.number(), flag ? FSCONFIG_SET_FLAG : FSCONFIG_SET_STRING, name.c_str(),
                   flag ? nullptr : value.c_str(), 0) != 0) {
      return not_offered(errno, doing + " with " + name);
    }
  }
  if (::fsconfig(context.number(), FSCONFIG_CMD_CREATE, nullptr, nullptr, 0) != 0) {
    return not_offered(errno, doing);
  }
  io::FileDescriptor tree(::fsmount(context.number(), FSMOUNT_CLOEXEC, attributes));
  if (!tree.valid()) return not_offered(errno, doing);
  return MountTree(std::move(tree));
}

base::Result<MountTree> MountTree::temporary(mode_t mode) {
  std::string digits;
  for (const unsigned shift : {9U, 6U, 3U, 0U}) {
    digits.push_back(static_cast<char>('0' + ((mode >> shift) & 7U)));
  }
  return create("tmpfs", {{"mode", digits}, {"size", "25%"}}, kCautious);
}

base::Result<MountTree> MountTree::overlay(const std::vector<std::filesystem::path>& lower,
                                           const std::filesystem::path& upper,
                                           const std::filesystem::path& work) {
  std::vector<FolderName> folders;
  std::string names;
  for (const auto& path : lower) {
    CLEVER_ASSIGN(FolderName folder, FolderName::of(path));
    folders.push_back(std::move(folder));
    if (!names.empty()) names += ':';
    names += folders.back().name();
  }
  CLEVER_ASSIGN(const FolderName changes, FolderName::of(upper));
  CLEVER_ASSIGN(const FolderName kernels, FolderName::of(work));
  return create("overlay",
                {{"userxattr", ""},
                 {"lowerdir", names},
                 {"upperdir", changes.name()},
                 {"workdir", kernels.name()}},
                kCautious);
}

base::Result<MountTree> MountTree::processes() {
  // Processes with root's number could write /proc/sys without any capability; mounted read-only.
  return create("proc", {}, kCautious | MOUNT_ATTR_NOEXEC | MOUNT_ATTR_RDONLY);
}

base::Result<MountTree> MountTree::terminals() {
  return create("devpts", {{"newinstance", ""}, {"ptmxmode", "0666"}, {"mode", "0620"}},
                MOUNT_ATTR_NOSUID | MOUNT_ATTR_NOEXEC);
}

base::Result<void> MountTree::attach(const io::FileDescriptor& place) const {
  if (::move_mount(tree_.number(), "", place.number(), "",
                   MOVE_MOUNT_F_EMPTY_PATH | MOVE_MOUNT_T_EMPTY_PATH) == 0) {
    return {};
  }
  return not_offered(errno, "a mount cannot be put in its place");
}

base::Result<void> MountTree::seal() const {
  return set_attributes(tree_.number(), MOUNT_ATTR_RDONLY, 0);
}

}  // namespace clever::confine::internal
