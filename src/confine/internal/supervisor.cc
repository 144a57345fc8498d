#include "confine/internal/supervisor.h"

#include <poll.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>

#include "confine/internal/not_offered.h"
#include "confine/internal/report.h"
#include "confine/internal/streams.h"
#include "confine/internal/user_map.h"
#include "io/file_descriptor.h"

namespace clever::confine::internal {
namespace {

unsigned long namespaces(const Command& command) {
  unsigned long flags =
      CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWCGROUP;
  if (command.network != Network::kOn) flags |= CLONE_NEWNET;
  return flags;
}

void wait_for(pid_t process) {
  while (::waitpid(process, nullptr, 0) < 0 && errno == EINTR) {
  }
}

}  // namespace

int supervise_confined(const Command& command) {
  int watch = -1;
  const User user{.number = ::geteuid(), .group = ::getegid()};
  const pid_t first = fork_into(namespaces(command), watch);
  if (first < 0) {
    send_report(kControlNumber, failure_report(not_offered(errno, "namespaces are refused")));
    return 1;
  }
  if (first == 0) run_as_first(command, user);
  const io::FileDescriptor ended(watch);
  // A reader of the command's output must see its end when the command ends.
  forget_standard_streams();
  // Without a proxy this number belongs to another file.
  if (command.network == Network::kHosts) ::close(kProxyNumber);
  std::array<pollfd, 2> events{{
      {.fd = ended.number(), .events = POLLIN, .revents = 0},
      {.fd = kControlNumber, .events = POLLIN | POLLRDHUP, .revents = 0},
  }};
  while (::poll(events.data(), events.size(), -1) < 0 && errno == EINTR) {
  }
  // Its end kills every process of its namespace, and returns after all of them ended.
  ::kill(first, SIGKILL);
  wait_for(first);
  return 0;
}

}  // namespace clever::confine::internal
