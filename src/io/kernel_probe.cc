#include "io/kernel_probe.h"

#include <linux/seccomp.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

#include "io/file.h"
#include "io/system_error.h"

namespace clever::io {
namespace {

// From linux/landlock.h, which older distributions lack.
constexpr unsigned kCreateRulesetVersion = 1U;

#ifndef SYS_landlock_create_ruleset
#define SYS_landlock_create_ruleset 444
#endif

int exit_status_of(pid_t child) {
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : EPERM;
}

}  // namespace

std::string kernel_name() {
  utsname names{};
  static_cast<void>(::uname(&names));
  return std::string(names.sysname) + " " + names.release + " " + names.machine;
}

int landlock_abi() {
  const long abi = ::syscall(SYS_landlock_create_ruleset, nullptr, 0, kCreateRulesetVersion);
  return abi > 0 ? static_cast<int>(abi) : 0;
}

base::Result<void> try_user_namespace() {
  const pid_t child = ::fork();
  if (child < 0) return system_error(errno, "cannot start a process to try a user namespace");
  if (child == 0) ::_exit(::unshare(CLONE_NEWUSER) == 0 ? 0 : errno);
  const int reason = exit_status_of(child);
  if (reason != 0) return system_error(reason, "cannot create a user namespace");
  return {};
}

bool has_seccomp_filters() {
  // A kernel with filters refuses one at address 0 with EFAULT, any other with EINVAL.
  return ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, nullptr, 0, 0) != 0 && errno == EFAULT;
}

std::string_view to_string(ControlGroups groups) noexcept {
  switch (groups) {
    case ControlGroups::kV1:
      return "version 1";
    case ControlGroups::kV2:
      return "version 2";
    case ControlGroups::kHybrid:
      return "version 1 with version 2 beside it";
    case ControlGroups::kNone:
      break;
  }
  return "none";
}

ControlGroups control_groups(const std::filesystem::path& root) {
  const auto there = [&root](const char* name) {
    return file_kind(root / name) != FileKind::kMissing;
  };
  if (there("cgroup.controllers")) return ControlGroups::kV2;
  if (there("unified/cgroup.controllers")) return ControlGroups::kHybrid;
  return there("memory") || there("pids") || there("cpu") ? ControlGroups::kV1
                                                          : ControlGroups::kNone;
}

}  // namespace clever::io
