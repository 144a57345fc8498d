#include "app/interruption.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>

#include <array>
#include <csignal>
#include <utility>

#include "io/file_descriptor.h"

namespace clever::app {
namespace {

sigset_t interrupting_signals() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  sigaddset(&set, SIGTERM);
  return set;
}

// Waits for a signal; returns false if `end` ended the wait.
bool wait_for_signal(int signals, int end) {
  std::array<pollfd, 2> both{pollfd{signals, POLLIN, 0}, pollfd{end, POLLIN, 0}};
  while (::poll(both.data(), both.size(), -1) < 0) {
  }
  return both[0].revents != 0 && both[1].revents == 0;
}

void take(const io::FileDescriptor& signals) {
  signalfd_siginfo taken{};
  static_cast<void>(::read(signals.number(), &taken, sizeof taken) > 0);
}

}  // namespace

base::StopToken Interruption::token() {
  start();
  return first_.token();
}

base::StopToken Interruption::insistence() {
  two_.with([](bool& two) { two = true; });
  start();
  return second_.token();
}

void Interruption::on_hangup(std::function<void()> note) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGHUP);
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  // Neither thread takes the other's signals.
  start();
  io::FileDescriptor signals(::signalfd(-1, &set, SFD_CLOEXEC));
  hangups_.emplace("hangups", [signals = std::move(signals),
                               note = std::move(note)](const base::StopToken& closing) {
    const io::FileDescriptor end(::eventfd(0, EFD_CLOEXEC));
    const base::StopCallback on_close(closing, [&] { ::eventfd_write(end.number(), 1); });
    while (wait_for_signal(signals.number(), end.number())) {
      take(signals);
      note();
    }
  });
}

void Interruption::start() {
  if (watcher_) return;
  const sigset_t set = interrupting_signals();
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  io::FileDescriptor signals(::signalfd(-1, &set, SFD_CLOEXEC));
  watcher_.emplace(
      "interruption", [this, signals = std::move(signals)](const base::StopToken& closing) {
        const io::FileDescriptor end(::eventfd(0, EFD_CLOEXEC));
        const base::StopCallback on_close(closing, [&] { ::eventfd_write(end.number(), 1); });
        if (!wait_for_signal(signals.number(), end.number())) return;
        take(signals);
        first_.request_stop();
        if (two_.with([](bool& two) { return two; })) {
          if (!wait_for_signal(signals.number(), end.number())) return;
          take(signals);
          second_.request_stop();
        }
        // The second signal: the user does not want to wait for the end.
        const sigset_t set = interrupting_signals();
        pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
        wait_for_signal(-1, end.number());
      });
}

}  // namespace clever::app
