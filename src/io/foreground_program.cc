#include "io/foreground_program.h"

#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

#include "io/internal/pipe.h"
#include "io/internal/spawn.h"
#include "io/output.h"
#include "io/system_error.h"

namespace clever::io {
namespace {

// Returns the first standard stream that is a terminal, or -1.
int terminal_descriptor() {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::isatty(descriptor) == 1) return descriptor;
  }
  return -1;
}

// Blocks SIGTTOU, which would stop a process outside the foreground group for touching the
// terminal.
class HeldBack {
 public:
  HeldBack() {
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGTTOU);
    ::pthread_sigmask(SIG_BLOCK, &signals, &before_);
  }
  ~HeldBack() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  HeldBack(const HeldBack&) = delete;
  HeldBack& operator=(const HeldBack&) = delete;

 private:
  sigset_t before_{};
};

/// Saves the terminal's settings and foreground group, and restores them at the end.
class KeptTerminal {
 public:
  explicit KeptTerminal(int descriptor) : descriptor_(descriptor) {
    has_settings_ = descriptor >= 0 && ::tcgetattr(descriptor, &settings_) == 0;
    const pid_t front = descriptor >= 0 ? ::tcgetpgrp(descriptor) : -1;
    is_ours_ = front > 0 && front == ::getpgrp();
  }
  ~KeptTerminal() {
    const HeldBack held;
    if (is_ours_) ::tcsetpgrp(descriptor_, ::getpgrp());
    if (has_settings_) ::tcsetattr(descriptor_, TCSADRAIN, &settings_);
  }
  KeptTerminal(const KeptTerminal&) = delete;
  KeptTerminal& operator=(const KeptTerminal&) = delete;

  /// The descriptor to hand over; -1 if the terminal does not belong to this process.
  [[nodiscard]] int descriptor() const { return is_ours_ ? descriptor_ : -1; }
  void give_to(pid_t group) const {
    const HeldBack held;
    if (is_ours_) ::tcsetpgrp(descriptor_, group);
  }

 private:
  const int descriptor_;
  termios settings_{};
  bool has_settings_ = false;
  bool is_ours_ = false;
};

// No process could wake a program that stops itself, so it continues at once.
int wait_for(pid_t process, const KeptTerminal& terminal) {
  int status = 0;
  for (;;) {
    if (::waitpid(process, &status, WUNTRACED) < 0) {
      if (errno == EINTR) continue;
      return 128;
    }
    if (!WIFSTOPPED(status)) break;
    terminal.give_to(process);
    ::kill(-process, SIGCONT);
  }
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace

base::Result<int> run_in_foreground(const ForegroundProgram& program) {
  const KeptTerminal terminal(terminal_descriptor());
  internal::ChildStreams streams{
      .input = STDIN_FILENO, .output = STDOUT_FILENO, .error_output = STDERR_FILENO};
  CLEVER_ASSIGN(internal::Pipe pipe, internal::Pipe::create());
  if (program.input) streams.input = pipe.reading.number();
  CLEVER_ASSIGN(const pid_t process,
                internal::spawn({.argv = program.argv, .environment = program.environment}, streams,
                                internal::Leads::kGroup, terminal.descriptor()));
  pipe.reading.reset();
  // A reader may stop early.
  if (program.input) static_cast<void>(write_all(pipe.writing.number(), *program.input));
  pipe.writing.reset();
  return wait_for(process, terminal);
}

}  // namespace clever::io
