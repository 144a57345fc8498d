#include "confine/internal/system_calls.h"

#include <linux/sched.h>
#include <seccomp.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <memory>

#include "confine/internal/not_offered.h"

namespace clever::confine::internal {
namespace {

// By this machine's numbers; a call that it lacks is negative and skipped.
constexpr std::array kRefused = {
    SCMP_SYS(mount),
    SCMP_SYS(umount),
    SCMP_SYS(umount2),
    SCMP_SYS(pivot_root),
    SCMP_SYS(chroot),
    SCMP_SYS(open_tree),
    SCMP_SYS(move_mount),
    SCMP_SYS(fsopen),
    SCMP_SYS(fsconfig),
    SCMP_SYS(fsmount),
    SCMP_SYS(fspick),
    SCMP_SYS(mount_setattr),
    // Other namespaces.
    SCMP_SYS(unshare),
    SCMP_SYS(setns),
    // Other processes' memory and descriptors.
    SCMP_SYS(ptrace),
    SCMP_SYS(process_vm_readv),
    SCMP_SYS(process_vm_writev),
    SCMP_SYS(process_madvise),
    SCMP_SYS(pidfd_getfd),
    SCMP_SYS(kcmp),
    // Large and seldom needed parts of the kernel.
    SCMP_SYS(bpf),
    SCMP_SYS(perf_event_open),
    SCMP_SYS(userfaultfd),
    SCMP_SYS(io_uring_setup),
    SCMP_SYS(io_uring_enter),
    SCMP_SYS(io_uring_register),
    SCMP_SYS(lookup_dcookie),
    SCMP_SYS(fanotify_init),
    SCMP_SYS(quotactl),
    SCMP_SYS(quotactl_fd),
    SCMP_SYS(nfsservctl),
    SCMP_SYS(vmsplice),
    SCMP_SYS(modify_ldt),
    SCMP_SYS(personality),
    // Keyrings belong to the user, not to a namespace.
    SCMP_SYS(add_key),
    SCMP_SYS(request_key),
    SCMP_SYS(keyctl),
    // Files by number instead of by path.
    SCMP_SYS(open_by_handle_at),
    SCMP_SYS(name_to_handle_at),
    // The machine itself.
    SCMP_SYS(kexec_load),
    SCMP_SYS(kexec_file_load),
    SCMP_SYS(reboot),
    SCMP_SYS(swapon),
    SCMP_SYS(swapoff),
    SCMP_SYS(init_module),
    SCMP_SYS(finit_module),
    SCMP_SYS(delete_module),
    SCMP_SYS(create_module),
    SCMP_SYS(get_kernel_syms),
    SCMP_SYS(query_module),
    SCMP_SYS(acct),
    SCMP_SYS(syslog),
    SCMP_SYS(settimeofday),
    SCMP_SYS(clock_settime),
    SCMP_SYS(clock_adjtime),
    SCMP_SYS(adjtimex),
    SCMP_SYS(stime),
    SCMP_SYS(sethostname),
    SCMP_SYS(setdomainname),
    SCMP_SYS(iopl),
    SCMP_SYS(ioperm),
    SCMP_SYS(vhangup),
    SCMP_SYS(uselib),
    SCMP_SYS(_sysctl),
    SCMP_SYS(sysfs),
    SCMP_SYS(ustat),
    SCMP_SYS(move_pages),
    SCMP_SYS(migrate_pages),
};

constexpr std::array kNamespaceFlags = {CLONE_NEWUSER, CLONE_NEWNS,  CLONE_NEWPID,   CLONE_NEWIPC,
                                        CLONE_NEWUTS,  CLONE_NEWNET, CLONE_NEWCGROUP};

// Allowed socket families: others reach the kernel's administration, or hosts behind its back.
constexpr std::array kFamilies = {AF_UNSPEC, AF_UNIX, AF_INET, AF_INET6, AF_NETLINK};
constexpr int kNetlinkRoute = 0;

class Filter {
 public:
  Filter() : context_(::seccomp_init(SCMP_ACT_ALLOW), ::seccomp_release) {
    if (context_ == nullptr) failure_ = ENOMEM;
  }

  void refuse(int call) { check(::seccomp_rule_add(native(), kNo, call, 0)); }
  void refuse(int call, const scmp_arg_cmp& when) {
    check(::seccomp_rule_add_array(native(), kNo, call, 1, &when));
  }
  void refuse(int call, const scmp_arg_cmp& when, const scmp_arg_cmp& also) {
    const std::array both = {when, also};
    check(::seccomp_rule_add_array(native(), kNo, call, 2, both.data()));
  }
  // Answers ENOSYS, as an old kernel would: callers then use an older call, which can be filtered.
  void unknown(int call) { check(::seccomp_rule_add(native(), SCMP_ACT_ERRNO(ENOSYS), call, 0)); }

  int load() {
    // Calls with another architecture's numbers (32-bit, x32) would pass every rule.
    check(::seccomp_attr_set(native(), SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS));
    if (failure_ == 0) check(::seccomp_load(native()));
    return failure_;
  }

 private:
  static constexpr std::uint32_t kNo = SCMP_ACT_ERRNO(EPERM);

  [[nodiscard]] scmp_filter_ctx native() const { return context_.get(); }
  void check(int answer) {
    // A call that this machine lacks needs no rule.
    if (answer < 0 && answer != -EDOM && failure_ == 0) failure_ = -answer;
  }

  std::unique_ptr<void, void (*)(scmp_filter_ctx)> context_;
  int failure_ = 0;
};

scmp_arg_cmp has_bit(unsigned argument, std::uint64_t bit) {
  return {.arg = argument, .op = SCMP_CMP_MASKED_EQ, .datum_a = bit, .datum_b = bit};
}

// The kernel reads only the lower half: a comparison of all 64 bits could be bypassed.
scmp_arg_cmp low_half_is(unsigned argument, std::uint64_t value) {
  return {.arg = argument, .op = SCMP_CMP_MASKED_EQ, .datum_a = 0xffffffffU, .datum_b = value};
}

scmp_arg_cmp above(unsigned argument, std::uint64_t value) {
  return {.arg = argument, .op = SCMP_CMP_GT, .datum_a = value, .datum_b = 0};
}

void refuse_sockets(Filter& filter) {
  constexpr int kLastFamily = AF_NETLINK;
  for (int family = 0; family <= kLastFamily; ++family) {
    const bool allowed = std::find(kFamilies.begin(), kFamilies.end(), family) != kFamilies.end();
    if (!allowed) {
      filter.refuse(SCMP_SYS(socket), low_half_is(0, static_cast<std::uint64_t>(family)));
    }
  }
  filter.refuse(SCMP_SYS(socket), above(0, kLastFamily));
  // Allows only the netlink protocol of getifaddrs(3).
  filter.refuse(SCMP_SYS(socket), low_half_is(0, AF_NETLINK), above(2, kNetlinkRoute));
}

}  // namespace

base::Result<void> filter_system_calls() {
  Filter filter;
  for (const int call : kRefused) filter.refuse(call);
  for (const int flag : kNamespaceFlags) {
    filter.refuse(SCMP_SYS(clone), has_bit(0, static_cast<std::uint64_t>(flag)));
  }
  filter.unknown(SCMP_SYS(clone3));
  for (const std::uint64_t request : {std::uint64_t{TIOCSTI}, std::uint64_t{TIOCLINUX}}) {
    filter.refuse(SCMP_SYS(ioctl), low_half_is(1, request));
  }
  refuse_sockets(filter);
  const int failure = filter.load();
  if (failure != 0) return not_offered(failure, "system calls cannot be filtered");
  return {};
}

}  // namespace clever::confine::internal
