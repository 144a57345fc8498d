#include "confine/internal/privileges.h"

#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>

#include "confine/internal/not_offered.h"
#include "io/system_error.h"

namespace clever::confine::internal {
namespace {

base::Result<void> empty_bounding_set() {
  // The kernel refuses the first unknown number.
  for (unsigned capability = 0;; ++capability) {
    if (::prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) != 0) {
      if (errno == EINVAL && capability > 0) return {};
      return io::system_error(errno, "cannot give up a capability");
    }
  }
}

base::Result<void> set_limit(__rlimit_resource resource, std::uint64_t soft, std::uint64_t hard) {
  rlimit present{};
  if (::getrlimit(resource, &present) != 0) return io::system_error(errno, "cannot read a limit");
  // No process here may raise a limit.
  const rlimit wanted{.rlim_cur = std::min<rlim_t>(soft, present.rlim_max),
                      .rlim_max = std::min<rlim_t>(hard, present.rlim_max)};
  if (::setrlimit(resource, &wanted) != 0) return io::system_error(errno, "cannot set a limit");
  return {};
}

base::Result<void> set_limit(__rlimit_resource resource, std::uint64_t value) {
  return value == 0 ? base::Result<void>() : set_limit(resource, value, value);
}

}  // namespace

base::Result<void> drop_privileges() {
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) {
    return not_offered(errno, "privileges cannot be dropped");
  }
  CLEVER_TRY(empty_bounding_set());
  ::prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
  __user_cap_header_struct header{.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
  const std::array<__user_cap_data_struct, 2> none{};
  if (::syscall(SYS_capset, &header, none.data()) != 0) {
    return io::system_error(errno, "cannot give up capabilities");
  }
  ::prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
  return {};
}

base::Result<void> set_limits(const Limits& limits) {
  const auto cpu = static_cast<std::uint64_t>(limits.cpu.count());
  // One second after SIGXCPU, the kernel kills.
  if (cpu > 0) CLEVER_TRY(set_limit(RLIMIT_CPU, cpu, cpu + 1));
  CLEVER_TRY(set_limit(RLIMIT_AS, limits.memory));
  CLEVER_TRY(set_limit(RLIMIT_NPROC, limits.processes));
  CLEVER_TRY(set_limit(RLIMIT_FSIZE, limits.file_size));
  CLEVER_TRY(set_limit(RLIMIT_NOFILE, limits.open_files));
  return set_limit(RLIMIT_CORE, 0, 0);
}

}  // namespace clever::confine::internal
