#include "io/internal/terminal_keeper.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <utility>

#include "io/no_pipe_signal.h"
#include "io/system_error.h"

namespace clever::io::internal {
namespace {

constexpr char kDismissed = 'd';

void ignore_signals() {
  struct sigaction ignored{};
  ignored.sa_handler = SIG_IGN;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGTTOU, SIGTSTP}) {
    ::sigaction(signal, &ignored, nullptr);
  }
}

// Returns true if the line ended before a word arrived.
bool waits_until_alone(int line) {
  char word = 0;
  ssize_t count = 0;
  do {
    count = ::read(line, &word, 1);
  } while (count < 0 && errno == EINTR);
  return count == 0;
}

void close_all_but(int line, int input, int output) {
  constexpr int kAll = 1024;
  for (int number = 0; number < kAll; ++number) {
    if (number != line && number != input && number != output) ::close(number);
  }
}

/// Runs in the child: only what is safe after fork().
[[noreturn]] void keep(int line, int input, int output, const termios& shape,
                       std::string_view leave, const sigset_t& mask) {
  ::setsid();
  ignore_signals();
  ::pthread_sigmask(SIG_SETMASK, &mask, nullptr);
  close_all_but(line, input, output);
  if (waits_until_alone(line)) {
    static_cast<void>(::write(output, leave.data(), leave.size()) > 0);
    ::tcsetattr(input, TCSANOW, &shape);
  }
  ::_exit(0);
}

}  // namespace

base::Result<TerminalKeeper> TerminalKeeper::start(int input, int output, const termios& shape,
                                                   std::string_view leave) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return system_error(errno, "cannot create a pipe");
  const FileDescriptor read_end(ends[0]);
  FileDescriptor write_end(ends[1]);
  // Signals to the group must not end the keeper before it has left the group.
  sigset_t all;
  sigset_t mask;
  sigfillset(&all);
  ::pthread_sigmask(SIG_BLOCK, &all, &mask);
  const pid_t process = ::fork();
  const int problem = errno;
  if (process == 0) {
    write_end.reset();
    keep(read_end.number(), input, output, shape, leave, mask);
  }
  ::pthread_sigmask(SIG_SETMASK, &mask, nullptr);
  if (process < 0) return system_error(problem, "cannot start a process");
  return TerminalKeeper(std::move(write_end), process);
}

TerminalKeeper::TerminalKeeper(TerminalKeeper&& other) noexcept
    : line_(std::move(other.line_)), process_(std::exchange(other.process_, -1)) {}

TerminalKeeper::~TerminalKeeper() { dismiss(); }

void TerminalKeeper::dismiss() {
  if (process_ < 0) return;
  {
    // The keeper may have been killed.
    const NoPipeSignal no_pipe_signal;
    static_cast<void>(::write(line_.number(), &kDismissed, 1) > 0);
  }
  line_.reset();
  while (::waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
  }
  process_ = -1;
}

}  // namespace clever::io::internal
