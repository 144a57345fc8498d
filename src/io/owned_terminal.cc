#include "io/owned_terminal.h"

#include <sys/signalfd.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <utility>

#include "io/descriptor_wait.h"
#include "io/internal/borrowed.h"
#include "io/internal/spawn.h"
#include "io/internal/terminal_keeper.h"
#include "io/output.h"
#include "io/system_error.h"

namespace clever::io {
namespace {

using Mode = OwnedTerminal::Mode;

// Turns on bracketed paste; a full-screen view has its own screen and hides the cursor.
constexpr std::string_view kEnterScreen = "\x1b[?1049h\x1b[?25l\x1b[?2004h\x1b[2J\x1b[H";
constexpr std::string_view kLeaveScreen = "\x1b[0m\x1b[?2004l\x1b[?25h\x1b[?1049l";
constexpr std::string_view kEnterLine = "\x1b[?2004h";
constexpr std::string_view kLeaveLine = "\x1b[0m\x1b[?2004l\x1b[?25h";

std::string_view enter_of(Mode mode) { return mode == Mode::kScreen ? kEnterScreen : kEnterLine; }
std::string_view leave_of(Mode mode) { return mode == Mode::kScreen ? kLeaveScreen : kLeaveLine; }

// The terminal still converts line ends: other programs may write to it.
termios raw(termios shape) {
  shape.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO | ISIG | IEXTEN);
  shape.c_iflag &= ~static_cast<tcflag_t>(IXON | ICRNL | INLCR | ISTRIP | BRKINT);
  shape.c_cc[VMIN] = 1;
  shape.c_cc[VTIME] = 0;
  return shape;
}

// Keeps the settings, except that Ctrl-C ends no line and sends no signal.
termios quiet(termios shape) {
  shape.c_lflag &= ~static_cast<tcflag_t>(ISIG);
  return shape;
}

sigset_t awaited_signals() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGWINCH);
  sigaddset(&set, SIGHUP);
  return set;
}

/// Puts a process group into the terminal's foreground, and the old one back at the end.
class Foreground {
 public:
  Foreground(int terminal, pid_t group) : terminal_(terminal), before_(::tcgetpgrp(terminal)) {
    // A process outside the foreground would be stopped for asking.
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGTTOU);
    ::pthread_sigmask(SIG_BLOCK, &set, &mask_);
    ::tcsetpgrp(terminal_, group);
  }
  ~Foreground() {
    if (before_ > 0) ::tcsetpgrp(terminal_, before_);
    ::pthread_sigmask(SIG_SETMASK, &mask_, nullptr);
  }
  Foreground(const Foreground&) = delete;
  Foreground& operator=(const Foreground&) = delete;

 private:
  const int terminal_;
  const pid_t before_;
  sigset_t mask_{};
};

// Ends a program that stops itself (Ctrl-Z): no process would wake it.
int wait_for_end(pid_t process) {
  int status = 0;
  for (;;) {
    const pid_t ended = ::waitpid(process, &status, WUNTRACED);
    if (ended < 0 && errno == EINTR) continue;
    if (ended < 0 || !WIFSTOPPED(status)) break;
    ::kill(-process, SIGKILL);
  }
  constexpr int kOfSignals = 128;
  return WIFSIGNALED(status) ? kOfSignals + WTERMSIG(status) : WEXITSTATUS(status);
}

class SystemTerminal final : public OwnedTerminal {
 public:
  struct Parts {
    termios before{};
    sigset_t mask{};
    FileDescriptor signals;
    Bell bell;
    internal::TerminalKeeper keeper;
  };

  SystemTerminal(int input, int output, Mode mode, Parts parts)
      : input_(input), output_(output), mode_(mode), parts_(std::move(parts)) {
    take();
  }
  ~SystemTerminal() override {
    give_back();
    parts_.keeper.dismiss();
    unblock();
  }
  SystemTerminal(const SystemTerminal&) = delete;
  SystemTerminal& operator=(const SystemTerminal&) = delete;

  base::Result<TerminalInput> wait(std::optional<std::chrono::milliseconds> patience) override {
    const int timeout = patience ? static_cast<int>(patience->count()) : -1;
    std::array<Awaited, 3> all{Awaited{.file = &input_.file()}, Awaited{.file = &parts_.signals},
                               Awaited{.file = &parts_.bell.descriptor()}};
    CLEVER_TRY(wait_for_any(all, timeout));
    TerminalInput input;
    if (all[2].ready) parts_.bell.silence();
    input.woken = all[2].ready;
    if (all[1].ready) take_signals(input);
    if (all[0].ready) read_keys(input);
    return input;
  }

  void wake() const override { parts_.bell.ring(); }
  [[nodiscard]] TerminalSize size() const override { return terminal_size(output_); }
  base::Result<void> write(std::string_view bytes) override { return write_all(output_, bytes); }

  void suspend() override {
    static_cast<void>(write(leave_of(mode_)).ok());
    shape(quiet(parts_.before));
  }
  void resume() override { take(); }

  base::Result<int> run(const std::vector<std::string>& argv,
                        const std::filesystem::path& folder) override {
    give_back();
    auto code = run_in_front(argv, folder);
    take();
    return code;
  }

 private:
  void shape(const termios& wanted) const {
    while (::tcsetattr(input_.file().number(), TCSADRAIN, &wanted) != 0 && errno == EINTR) {
    }
  }
  void take() {
    shape(raw(parts_.before));
    static_cast<void>(write(enter_of(mode_)).ok());
  }
  void give_back() {
    static_cast<void>(write(leave_of(mode_)).ok());
    shape(parts_.before);
  }

  // Keeps signals blocked that others blocked meanwhile.
  void unblock() const {
    sigset_t ours;
    sigemptyset(&ours);
    for (const int signal : {SIGWINCH, SIGHUP}) {
      if (sigismember(&parts_.mask, signal) == 0) sigaddset(&ours, signal);
    }
    ::pthread_sigmask(SIG_UNBLOCK, &ours, nullptr);
  }

  void take_signals(TerminalInput& input) const {
    signalfd_siginfo signal{};
    while (::read(parts_.signals.number(), &signal, sizeof signal) > 0) {
      input.resized = input.resized || signal.ssi_signo == SIGWINCH;
      input.ended = input.ended || signal.ssi_signo == SIGHUP;
    }
  }

  // A hung-up terminal reports an error or nothing.
  void read_keys(TerminalInput& input) const {
    std::array<char, 4096> buffer{};
    const auto count = read_some(input_.file(), buffer);
    if (!count.ok() || *count == std::size_t{0}) {
      input.ended = true;
    } else if (*count) {
      input.bytes.assign(buffer.data(), **count);
    }
  }

  base::Result<int> run_in_front(const std::vector<std::string>& argv,
                                 const std::filesystem::path& folder) const {
    const int terminal = input_.file().number();
    CLEVER_ASSIGN(const pid_t process,
                  internal::spawn({.argv = argv, .working_directory = folder},
                                  {.input = terminal, .output = output_, .error_output = output_},
                                  internal::Leads::kGroup));
    const Foreground foreground(terminal, process);
    // The program may have asked for keys before it was in the foreground.
    ::kill(-process, SIGCONT);
    return wait_for_end(process);
  }

  const internal::Borrowed input_;
  const int output_;
  const Mode mode_;
  Parts parts_;
};

}  // namespace

base::Result<std::unique_ptr<OwnedTerminal>> OwnedTerminal::open(int input, int output, Mode mode) {
  termios before{};
  if (!is_terminal(output) || ::tcgetattr(input, &before) != 0) {
    return base::invalid_argument("this command needs a terminal; run it in one");
  }
  CLEVER_ASSIGN(Bell bell, Bell::create());
  // Started before the signals are blocked: the keeper blocks what it needs itself.
  CLEVER_ASSIGN(auto keeper,
                internal::TerminalKeeper::start(input, output, before, leave_of(mode)));
  const sigset_t awaited = awaited_signals();
  sigset_t mask;
  ::pthread_sigmask(SIG_BLOCK, &awaited, &mask);
  FileDescriptor signals(::signalfd(-1, &awaited, SFD_CLOEXEC | SFD_NONBLOCK));
  if (!signals.valid()) return system_error(errno, "cannot wait for signals");
  return std::make_unique<SystemTerminal>(
      input, output, mode,
      SystemTerminal::Parts{before, mask, std::move(signals), std::move(bell), std::move(keeper)});
}

}  // namespace clever::io
