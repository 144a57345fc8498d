#include "base/thread.h"

#include <pthread.h>

#include <csignal>
#include <utility>

#include "base/lock_rank.h"
#include "base/schedule.h"

namespace clever::base {
namespace {

// The main thread decides what they mean: it may open a terminal, and wait for them, at any time.
void block_signals_of_terminals() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGWINCH);
  sigaddset(&set, SIGHUP);
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
}

}  // namespace

Thread::Thread(std::string name, std::move_only_function<void(StopToken)> body) {
  std::move_only_function<void()> entry = [body = std::move(body),
                                           token = stop_.token()]() mutable {
    body(std::move(token));
    body = nullptr;  // destroys its captures on this thread, before join() returns
  };
#if CLEVER_TEST_HOOKS
  if (auto* scheduler = schedule::current()) {
    scheduler->start(std::move(name), this, std::move(entry));
    explored_ = true;
    return;
  }
#endif
  thread_ = std::thread([name = std::move(name), entry = std::move(entry)]() mutable {
    block_signals_of_terminals();
    pthread_setname_np(pthread_self(), name.substr(0, 15).c_str());
    entry();
  });
}

Thread::~Thread() {
  stop_.request_stop();
  join();
}

void Thread::join() {
  if (std::exchange(joined_, true)) return;
  lock_rank::require_none("joining a thread");
#if CLEVER_TEST_HOOKS
  if (explored_) return schedule::current()->join(this);
#endif
  thread_.join();
}

}  // namespace clever::base
