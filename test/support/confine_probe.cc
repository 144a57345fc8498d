// Tries, from inside a confined command, what a shell cannot: one trick per argument. Prints for
// each its name and what came of it, and ends with the number of those that worked.
#include <fcntl.h>
#include <linux/bpf.h>
#include <linux/filter.h>
#include <linux/io_uring.h>
#include <linux/keyctl.h>
#include <linux/netlink.h>
#include <linux/perf_event.h>
#include <linux/sched.h>
#include <net/if.h>
#include <netinet/in.h>
#include <pty.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <string>

namespace {

// Whether it worked; errno otherwise.
using Trick = std::function<bool()>;

template <class... A>
bool call(long number, A... arguments) {
  return ::syscall(number, arguments...) >= 0;
}

bool open_socket(int family, int type, int protocol) {
  return ::socket(family, type, protocol) >= 0;
}

bool fork_with(unsigned long flags) {
  const long child = ::syscall(SYS_clone, flags | SIGCHLD, nullptr, nullptr, nullptr, nullptr);
  if (child == 0) ::_exit(0);
  if (child > 0) ::waitpid(static_cast<pid_t>(child), nullptr, 0);
  return child >= 0;
}

bool push_input() {
  int master = -1;
  int slave = -1;
  if (::openpty(&master, &slave, nullptr, nullptr, nullptr) != 0) {
    std::puts("no terminal to push input into");
    return true;
  }
  const bool pushed = ::ioctl(slave, TIOCSTI, "x") == 0;
  const int reason = errno;
  ::close(master);
  ::close(slave);
  errno = reason;
  return pushed;
}

// A number of a system call that means another one to 32-bit programs; the filter kills for it.
bool old_numbers() {
#if defined(__x86_64__)
  const pid_t child = ::fork();
  if (child == 0) {
    long answer = 20;  // getpid of i386
    asm volatile("int $0x80" : "+a"(answer) : : "memory");
    ::_exit(0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  errno = EPERM;
  return !(WIFSIGNALED(status) && (WTERMSIG(status) == SIGSYS || WTERMSIG(status) == SIGSEGV));
#else
  errno = ENOSYS;
  return false;
#endif
}

bool trace_first() { return ::ptrace(PTRACE_ATTACH, 1, nullptr, nullptr) == 0; }

bool read_memory_of_first() {
  char byte = 0;
  iovec here{.iov_base = &byte, .iov_len = 1};
  iovec there{.iov_base = &byte, .iov_len = 1};
  return ::process_vm_readv(1, &here, 1, &there, 1, 0) >= 0;
}

bool kill_first() {
  // Allowed to be sent, and without effect: process 1 has no handler for it.
  return ::kill(1, SIGKILL) == 0 && ::kill(1, 0) != 0;
}

bool any_capability() {
  for (int capability = 0; capability < 64; ++capability) {
    if (::prctl(PR_CAPBSET_READ, capability, 0, 0, 0) == 1) return true;
  }
  errno = EPERM;
  return false;
}

bool connect_abstract(const std::string& name) {
  const int socket = ::socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path + 1, name.data(), name.size());
  return ::connect(socket, reinterpret_cast<const sockaddr*>(&address),
                   static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size())) == 0;
}

bool connect_port(int port) {
  const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return ::connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0;
}

bool open_descriptors() {
  for (int number = 3; number < 1024; ++number) {
    if (::fcntl(number, F_GETFD) >= 0) return true;
  }
  errno = EBADF;
  return false;
}

bool controlling_terminal() { return ::open("/dev/tty", O_RDWR) >= 0; }

std::map<std::string, Trick> tricks() {
  static std::array<char, 4096> zeros{};
  return {
      {"mount", [] { return ::mount("none", "/tmp", "tmpfs", 0, nullptr) == 0; }},
      {"remount", [] { return ::mount("", "/usr", "", MS_REMOUNT | MS_BIND, nullptr) == 0; }},
      {"umount", [] { return ::umount2("/tmp", MNT_DETACH) == 0; }},
      {"fsopen", [] { return call(SYS_fsopen, "tmpfs", 0); }},
      {"open_tree", [] { return call(SYS_open_tree, AT_FDCWD, "/", OPEN_TREE_CLONE); }},
      {"mount_setattr", [] { return call(SYS_mount_setattr, AT_FDCWD, "/", 0, zeros.data(), 32); }},
      {"pivot_root", [] { return call(SYS_pivot_root, "/tmp", "/tmp"); }},
      {"chroot", [] { return ::chroot("/tmp") == 0; }},
      {"unshare user", [] { return ::unshare(CLONE_NEWUSER) == 0; }},
      {"unshare mounts", [] { return ::unshare(CLONE_NEWNS) == 0; }},
      {"clone user", [] { return fork_with(CLONE_NEWUSER); }},
      {"clone network", [] { return fork_with(CLONE_NEWNET); }},
      {"clone3", [] { return call(SYS_clone3, zeros.data(), sizeof(clone_args)); }},
      {"setns", [] { return ::setns(::open("/proc/1/ns/mnt", O_RDONLY), 0) == 0; }},
      {"ptrace", trace_first},
      {"process_vm_readv", read_memory_of_first},
      {"kill 1", kill_first},
      {"bpf", [] { return call(SYS_bpf, BPF_MAP_CREATE, zeros.data(), 64); }},
      {"perf_event_open", [] { return call(SYS_perf_event_open, zeros.data(), 0, -1, -1, 0); }},
      {"userfaultfd", [] { return call(SYS_userfaultfd, 1); }},
      {"io_uring", [] { return call(SYS_io_uring_setup, 1, zeros.data()); }},
      {"keyctl", [] { return call(SYS_keyctl, KEYCTL_GET_KEYRING_ID, KEY_SPEC_USER_KEYRING, 1); }},
      {"add_key", [] { return call(SYS_add_key, "user", "x", "x", 1, KEY_SPEC_USER_KEYRING); }},
      {"request_key", [] { return call(SYS_request_key, "user", "x", nullptr, 0); }},
      {"init_module", [] { return call(SYS_init_module, zeros.data(), 1, ""); }},
      {"finit_module", [] { return call(SYS_finit_module, 0, "", 0); }},
      {"kexec_load", [] { return call(SYS_kexec_load, 0, 0, nullptr, 0); }},
      {"swapon", [] { return call(SYS_swapon, "/tmp", 0); }},
      {"open_by_handle_at", [] { return call(SYS_open_by_handle_at, 0, zeros.data(), 0); }},
      {"name_to_handle_at",
       [] { return call(SYS_name_to_handle_at, AT_FDCWD, "/", zeros.data(), zeros.data(), 0); }},
      {"settimeofday", [] { return call(SYS_settimeofday, zeros.data(), nullptr); }},
      {"sethostname", [] { return ::sethostname("x", 1) == 0; }},
      {"syslog", [] { return call(SYS_syslog, 3, zeros.data(), 10); }},
      {"packet socket", [] { return open_socket(AF_PACKET, SOCK_RAW, 0); }},
      {"vsock", [] { return open_socket(AF_VSOCK, SOCK_STREAM, 0); }},
      {"crypto socket", [] { return open_socket(AF_ALG, SOCK_SEQPACKET, 0); }},
      {"audit", [] { return open_socket(AF_NETLINK, SOCK_RAW, NETLINK_AUDIT); }},
      {"raw socket", [] { return open_socket(AF_INET, SOCK_RAW, IPPROTO_ICMP); }},
      {"TIOCSTI", push_input},
      {"32-bit calls", old_numbers},
      {"device", [] { return ::mknod("/tmp/disk", S_IFBLK | 0600, makedev(8, 0)) == 0; }},
      {"memory device", [] { return ::mknod("/tmp/mem", S_IFCHR | 0600, makedev(1, 1)) == 0; }},
      {"capabilities", any_capability},
      {"setuid", [] { return ::setuid(12345) == 0; }},
      {"setgroups", [] { return call(SYS_setgroups, 0, nullptr); }},
      {"terminal", controlling_terminal},
      {"descriptors", open_descriptors},
  };
}

bool try_one(const std::string& name, const Trick& trick) {
  errno = 0;
  const bool worked = trick();
  std::printf("%s: %s\n", name.c_str(), worked ? "WORKED" : std::strerror(errno));
  return worked;
}

}  // namespace

int main(int argc, char** argv) {
  int worked = 0;
  const auto known = tricks();
  for (int i = 1; i < argc; ++i) {
    const std::string name = argv[i];
    if (name.starts_with("abstract:")) {
      worked += try_one(name, [&] { return connect_abstract(name.substr(9)); }) ? 1 : 0;
    } else if (name.starts_with("port:")) {
      worked += try_one(name, [&] { return connect_port(std::atoi(name.c_str() + 5)); }) ? 1 : 0;
    } else if (name == "all") {
      for (const auto& [each, trick] : known) worked += try_one(each, trick) ? 1 : 0;
    } else if (known.contains(name)) {
      worked += try_one(name, known.at(name)) ? 1 : 0;
    } else {
      std::printf("no trick is called %s\n", name.c_str());
      return 99;
    }
  }
  return worked;
}
