#include "confine/internal/children.h"

#include <poll.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>

#include "confine/internal/report.h"
#include "confine/internal/supervisor.h"
#include "io/system_error.h"

namespace clever::confine::internal {
namespace {

bool control_ended() {
  char byte = 0;
  const ssize_t count = ::recv(kControlNumber, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
  return count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR);
}

// Returns true once the program itself has ended and its end was reported.
bool reap(pid_t program) {
  int status = 0;
  for (pid_t ended = 0; (ended = ::waitpid(-1, &status, WNOHANG)) > 0;) {
    if (ended != program) continue;
    send_report(kControlNumber, {.kind = Report::Kind::kEnded, .status = status});
    return true;
  }
  return false;
}

// Returns true if it uses too much, after reporting the limit.
bool exceeds(UsageWatch& usage) {
  auto remark = usage.look();
  if (!remark) return false;
  send_report(kControlNumber,
              {.kind = Report::Kind::kEnded, .status = SIGKILL, .message = std::move(*remark)});
  return true;
}

}  // namespace

base::Result<ChildWatch> ChildWatch::create() {
  sigset_t children;
  sigemptyset(&children);
  sigaddset(&children, SIGCHLD);
  ::sigprocmask(SIG_BLOCK, &children, nullptr);
  io::FileDescriptor signals(::signalfd(-1, &children, SFD_CLOEXEC | SFD_NONBLOCK));
  if (!signals.valid()) return io::system_error(errno, "cannot watch processes");
  return ChildWatch(std::move(signals));
}

void ChildWatch::wait_for(pid_t program, UsageWatch& usage) const {
  while (!control_ended() && !reap(program)) {
    std::array<pollfd, 3> events{{
        {.fd = signals_.number(), .events = POLLIN, .revents = 0},
        {.fd = kControlNumber, .events = POLLIN | POLLRDHUP, .revents = 0},
        // poll(2) ignores a negative number.
        {.fd = usage.descriptor(), .events = POLLIN, .revents = 0},
    }};
    ::poll(events.data(), events.size(), -1);
    if (events[2].revents != 0 && exceeds(usage)) return;
    signalfd_siginfo seen{};
    while (::read(signals_.number(), &seen, sizeof(seen)) > 0) {
    }
  }
}

}  // namespace clever::confine::internal
