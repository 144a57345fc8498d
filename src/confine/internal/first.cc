#include <fcntl.h>
#include <net/if.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "confine/internal/channel.h"
#include "confine/internal/children.h"
#include "confine/internal/forwarder.h"
#include "confine/internal/not_offered.h"
#include "confine/internal/privileges.h"
#include "confine/internal/program.h"
#include "confine/internal/report.h"
#include "confine/internal/root.h"
#include "confine/internal/start_outcome.h"
#include "confine/internal/streams.h"
#include "confine/internal/supervisor.h"
#include "confine/internal/user_map.h"
#include "io/system_error.h"

namespace clever::confine::internal {
namespace {

// Tests connect to themselves over the loopback device, which is down in a new namespace.
base::Result<void> raise_loopback() {
  const io::FileDescriptor socket(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  ifreq request{};
  std::memcpy(request.ifr_name, "lo", 3);
  request.ifr_flags = IFF_UP | IFF_RUNNING;
  if (socket.valid() && ::ioctl(socket.number(), SIOCSIFFLAGS, &request) == 0) return {};
  return not_offered(errno, "the loopback device cannot be used");
}

// RLIMIT_NPROC does not count root's processes. Since Linux 6.14 a process namespace has its own
// largest number; before, this file belongs to the whole machine. The kernel does not reuse numbers
// below 300, so a small limit is raised by that many; UsageWatch counts processes exactly.
void limit_roots_processes(std::uint64_t most) {
  constexpr std::uint64_t kReserved = 300;
  constexpr std::uint64_t kOwn = 2;  // this process, and the first number that is not given
  utsname names{};
  int major = 0;
  int minor = 0;
  if (most == 0 || ::geteuid() != 0 || ::uname(&names) != 0) return;
  if (std::sscanf(names.release, "%d.%d", &major, &minor) != 2) return;
  if (std::pair(major, minor) < std::pair(6, 14)) return;
  const io::FileDescriptor file(::open("/proc/sys/kernel/pid_max", O_WRONLY | O_CLOEXEC));
  const std::string text = std::to_string(most + (most < 2 * kReserved ? kReserved : kOwn));
  // Above the kernel's largest number there is nothing to limit.
  if (file.valid()) static_cast<void>(::write(file.number(), text.data(), text.size()));
}

base::Result<pid_t> start_program(const Command& command,
                                  const std::vector<std::filesystem::path>& writable) {
  CLEVER_ASSIGN(Ends failure, make_pipe());
  const pid_t program = ::fork();
  if (program < 0) return io::system_error(errno, "cannot start a process");
  if (program == 0) {
    tell_failure(failure.writing, become_confined(command, writable));
    ::_exit(127);
  }
  failure.writing.reset();
  forget_standard_streams();
  // Without a proxy this number belongs to another file.
  if (command.network == Network::kHosts) ::close(kProxyNumber);
  CLEVER_TRY(drop_privileges());
  CLEVER_TRY(start_outcome(failure.reading));
  return program;
}

base::Result<pid_t> start_confined(Command command, const User& user) {
  CLEVER_TRY(map_user(user));
  limit_roots_processes(command.limits.processes);
  CLEVER_ASSIGN(const auto writable, enter_root(command));
  if (command.network != Network::kOn) CLEVER_TRY(raise_loopback());
  if (command.network == Network::kHosts) CLEVER_TRY(start_forwarder(command));
  return start_program(command, writable);
}

}  // namespace

void run_as_first(const Command& command, const User& user) {
  // In addition to the socket, in case the supervisor outside is killed alone.
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  auto children = ChildWatch::create();
  auto program =
      children.ok() ? start_confined(command, user) : base::Result<pid_t>(children.error());
  auto usage =
      program.ok() ? UsageWatch::create(command) : base::Result<UsageWatch>(program.error());
  if (!usage.ok()) {
    send_report(kControlNumber, failure_report(usage.error()));
    ::_exit(1);
  }
  send_report(kControlNumber, {.kind = Report::Kind::kStarted});
  children->wait_for(*program, *usage);
  ::_exit(0);
}

}  // namespace clever::confine::internal
