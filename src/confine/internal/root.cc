#include "confine/internal/root.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "confine/internal/mount_tree.h"
#include "confine/internal/not_offered.h"
#include "io/system_error.h"

namespace clever::confine::internal {
namespace {

using Path = std::filesystem::path;
using io::FileDescriptor;

// Created inside instead of shown as they are.
constexpr std::array<std::string_view, 7> kOwn = {"proc", "dev",  "tmp",       "run",
                                                  "home", "root", "lost+found"};
constexpr std::array<const char*, 6> kDevices = {"null",   "zero",    "full",
                                                 "random", "urandom", "tty"};
// Folders in which services keep data and sockets, which work through a read-only mount; and the
// kernel's own interfaces.
constexpr auto kServices = std::to_array<const char*>(
    {"/var/backups",        "/var/lib/containerd", "/var/lib/docker",      "/var/lib/incus",
     "/var/lib/kubelet",    "/var/lib/libvirt",    "/var/lib/lxd",         "/var/lib/mysql",
     "/var/lib/postgresql", "/var/lib/private",    "/var/lib/rancher",     "/var/log",
     "/var/mail",           "/var/snap",           "/var/spool",           "/sys/firmware",
     "/sys/fs/bpf",         "/sys/kernel/debug",   "/sys/kernel/security", "/sys/kernel/tracing"});
// Readable for root without any capability, and for no other user.
constexpr auto kRootsSecrets = std::to_array<const char*>(
    {"/etc/shadow", "/etc/shadow-", "/etc/gshadow", "/etc/gshadow-", "/etc/sudoers",
     "/etc/sudoers.d", "/etc/ssl/private", "/etc/krb5.keytab",
     "/etc/NetworkManager/system-connections", "/etc/wireguard", "/etc/kubernetes"});

// A mount at a place of the new root.
struct Placement {
  enum class Missing : std::uint8_t { kCreate, kSkip };
  MountTree tree;
  Path target;
  bool is_folder = true;
  Missing missing = Missing::kCreate;
  bool sealed = false;
};

struct Link {
  std::string name;
  std::string target;
};

bool is_folder(int file) {
  struct stat facts{};
  return ::fstat(file, &facts) == 0 && S_ISDIR(facts.st_mode);
}

class RootBuilder {
 public:
  explicit RootBuilder(const Command& command) : command_(command) {}

  // Everything that needs the host's paths.
  base::Result<void> gather() {
    if (::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) {
      return not_offered(errno, "mounts cannot be made private");
    }
    CLEVER_TRY(gather_host());
    CLEVER_TRY(gather_own());
    CLEVER_TRY(gather_hidden());
    for (const Mount& mount : command_.mounts) CLEVER_TRY(gather_mount(mount));
    return gather_resolver();
  }

  // Everything that needs the new paths.
  base::Result<std::vector<Path>> build() {
    CLEVER_ASSIGN(const MountTree root, MountTree::temporary(0755));
    CLEVER_TRY(pivot(root));
    for (const Link& link : links_) {
      if (::symlink(link.target.c_str(), ("/" + link.name).c_str()) != 0) {
        return io::system_error(errno, "cannot create /" + link.name);
      }
    }
    for (const Placement& placement : placements_) CLEVER_TRY(place(placement));
    CLEVER_TRY(link_devices());
    for (const Placement& placement : placements_) {
      if (placement.sealed) CLEVER_TRY(placement.tree.seal());
    }
    CLEVER_TRY(root.seal());
    return writable_;
  }

 private:
  void add(MountTree tree, Path target, bool writable) {
    const bool folder = is_folder(tree.descriptor());
    if (writable) writable_.push_back(target);
    placements_.push_back(
        {.tree = std::move(tree), .target = std::move(target), .is_folder = folder});
  }

  base::Result<void> gather_host() {
    const std::unique_ptr<DIR, int (*)(DIR*)> folder(::opendir("/"), ::closedir);
    if (folder == nullptr) return io::system_error(errno, "cannot list /");
    while (const dirent* entry = ::readdir(folder.get())) {
      CLEVER_TRY(gather_top(entry->d_name));
    }
    return {};
  }

  base::Result<void> gather_top(const std::string& name) {
    if (name == "." || name == ".." || std::ranges::find(kOwn, name) != kOwn.end()) return {};
    const Path path = Path("/") / name;
    struct stat facts{};
    if (::lstat(path.c_str(), &facts) != 0) return {};
    if (S_ISLNK(facts.st_mode)) {
      std::error_code unreadable;
      const Path target = std::filesystem::read_symlink(path, unreadable);
      if (!unreadable) links_.push_back({.name = name, .target = target.string()});
    } else if (S_ISDIR(facts.st_mode)) {
      CLEVER_ASSIGN(MountTree tree, MountTree::of_host(path, MountTree::Access::kReadOnly));
      add(std::move(tree), path, false);
    }
    return {};
  }

  base::Result<void> gather_own() {
    CLEVER_ASSIGN(MountTree processes, MountTree::processes());
    add(std::move(processes), "/proc", false);
    for (const char* place : {"/tmp", "/var/tmp"}) {
      CLEVER_ASSIGN(MountTree tree, MountTree::temporary(01777));
      add(std::move(tree), place, true);
      if (place == std::string_view("/var/tmp")) {
        placements_.back().missing = Placement::Missing::kSkip;
      }
    }
    CLEVER_ASSIGN(MountTree run, MountTree::temporary(0755));
    add(std::move(run), "/run", true);
    return gather_devices();
  }

  base::Result<void> gather_devices() {
    CLEVER_ASSIGN(MountTree folder, MountTree::temporary(0755));
    add(std::move(folder), "/dev", false);
    placements_.back().sealed = true;
    for (const char* name : kDevices) {
      const Path path = Path("/dev") / name;
      CLEVER_ASSIGN(MountTree device, MountTree::of_host(path, MountTree::Access::kDevice));
      add(std::move(device), path, false);
    }
    CLEVER_ASSIGN(MountTree terminals, MountTree::terminals());
    add(std::move(terminals), "/dev/pts", false);
    CLEVER_ASSIGN(MountTree shared, MountTree::temporary(01777));
    add(std::move(shared), "/dev/shm", true);
    return {};
  }

  base::Result<void> gather_hidden() {
    for (const char* path : {"/home", "/root"}) CLEVER_TRY(hide(path));
    for (const Path& path : command_.hidden) CLEVER_TRY(hide(path));
    for (const char* path : kServices) CLEVER_TRY(hide(path));
    struct stat facts{};
    if (::lstat("/var/run", &facts) == 0 && S_ISDIR(facts.st_mode)) CLEVER_TRY(hide("/var/run"));
    if (::geteuid() != 0) return {};
    for (const char* path : kRootsSecrets) CLEVER_TRY(hide(path));
    return hide_host_keys();
  }

  base::Result<void> hide_host_keys() {
    const std::unique_ptr<DIR, int (*)(DIR*)> folder(::opendir("/etc/ssh"), ::closedir);
    if (folder == nullptr) return {};
    while (const dirent* entry = ::readdir(folder.get())) {
      const std::string_view name = entry->d_name;
      if (name.ends_with("key")) CLEVER_TRY(hide(Path("/etc/ssh") / name));
    }
    return {};
  }

  // Puts an empty folder over a folder, an empty file over a file, nothing over nothing.
  base::Result<void> hide(const Path& path) {
    struct stat facts{};
    if (::stat(path.c_str(), &facts) != 0) return {};
    if (S_ISDIR(facts.st_mode)) {
      CLEVER_ASSIGN(MountTree empty, MountTree::temporary(0755));
      add(std::move(empty), path, false);
      placements_.back().sealed = true;
    } else {
      CLEVER_ASSIGN(MountTree empty, MountTree::of_host("/dev/null", MountTree::Access::kReadOnly));
      add(std::move(empty), path, false);
    }
    const bool top = path == "/home" || path == "/root";
    if (!top) placements_.back().missing = Placement::Missing::kSkip;
    return {};
  }

  base::Result<void> gather_mount(const Mount& mount) {
    using Kind = Mount::Kind;
    switch (mount.kind) {
      case Kind::kHidden:
        return hide_inside(mount.target);
      case Kind::kTemporary: {
        CLEVER_ASSIGN(MountTree tree, MountTree::temporary(0755));
        add(std::move(tree), mount.target, true);
        return {};
      }
      case Kind::kOverlay: {
        CLEVER_ASSIGN(MountTree tree, MountTree::overlay(mount.lower, mount.upper, mount.work));
        add(std::move(tree), mount.target, true);
        return {};
      }
      case Kind::kReadOnly:
      case Kind::kWritable:
        break;
    }
    const bool writable = mount.kind == Kind::kWritable;
    CLEVER_ASSIGN(MountTree tree,
                  MountTree::of_host(mount.source, writable ? MountTree::Access::kWritable
                                                            : MountTree::Access::kReadOnly));
    add(std::move(tree), mount.target, writable);
    return {};
  }

  // The content is known only after the mounts before it.
  base::Result<void> hide_inside(const Path& path) {
    CLEVER_ASSIGN(MountTree empty, MountTree::temporary(0755));
    add(std::move(empty), path, false);
    placements_.back().sealed = true;
    return {};
  }

  // resolv.conf may be a link into /run, which is not shown.
  base::Result<void> gather_resolver() {
    if (command_.network != Network::kOn) return {};
    std::error_code missing;
    const Path real = std::filesystem::canonical("/etc/resolv.conf", missing);
    if (missing || !real.native().starts_with("/run/")) return {};
    CLEVER_ASSIGN(MountTree file, MountTree::of_host(real, MountTree::Access::kReadOnly));
    add(std::move(file), real, false);
    return {};
  }

  static base::Result<void> pivot(const MountTree& root) {
    // Any folder works: the host's paths are no longer needed.
    const FileDescriptor place(::open("/tmp", O_PATH | O_DIRECTORY | O_CLOEXEC));
    if (!place.valid()) return io::system_error(errno, "cannot open /tmp");
    CLEVER_TRY(root.attach(place));
    if (::fchdir(root.descriptor()) != 0 || ::syscall(SYS_pivot_root, ".", ".") != 0 ||
        ::umount2(".", MNT_DETACH) != 0 || ::chdir("/") != 0) {
      return not_offered(errno, "the root folder cannot be changed");
    }
    return {};
  }

  static base::Result<void> place(const Placement& placement) {
    FileDescriptor target(::open(placement.target.c_str(), O_PATH | O_CLOEXEC));
    if (!target.valid()) {
      if (placement.missing == Placement::Missing::kSkip) return {};
      CLEVER_TRY(create(placement));
      target = FileDescriptor(::open(placement.target.c_str(), O_PATH | O_CLOEXEC));
    }
    if (!target.valid() || is_folder(target.number()) != placement.is_folder) {
      return base::invalid_argument("cannot mount at " + placement.target.string() + ": it is " +
                                    (placement.is_folder ? "no folder" : "a folder"));
    }
    return placement.tree.attach(target).context("mounting " + placement.target.string());
  }

  static base::Result<void> create(const Placement& placement) {
    std::error_code failed;
    std::filesystem::create_directories(
        placement.is_folder ? placement.target : placement.target.parent_path(), failed);
    if (!failed && !placement.is_folder) {
      const FileDescriptor file(
          ::open(placement.target.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
      if (!file.valid()) failed = std::error_code(errno, std::generic_category());
    }
    if (!failed) return {};
    return io::system_error(failed.value(), "cannot make a place for a mount at " +
                                                placement.target.string() + " inside");
  }

  static base::Result<void> link_devices() {
    constexpr std::array<std::pair<const char*, const char*>, 5> kLinks = {{
        {"pts/ptmx", "/dev/ptmx"},
        {"/proc/self/fd", "/dev/fd"},
        {"/proc/self/fd/0", "/dev/stdin"},
        {"/proc/self/fd/1", "/dev/stdout"},
        {"/proc/self/fd/2", "/dev/stderr"},
    }};
    for (const auto& [target, name] : kLinks) {
      if (::symlink(target, name) != 0) {
        return io::system_error(errno, std::string("cannot create ") + name);
      }
    }
    return {};
  }

  const Command& command_;
  std::vector<Link> links_;
  std::vector<Placement> placements_;
  std::vector<Path> writable_;
};

}  // namespace

base::Result<std::vector<Path>> enter_root(const Command& command) {
  RootBuilder builder(command);
  CLEVER_TRY(builder.gather());
  return builder.build();
}

}  // namespace clever::confine::internal
