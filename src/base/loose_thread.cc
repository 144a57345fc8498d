#include "base/loose_thread.h"

#include <pthread.h>

#include <utility>

#include "base/lock_rank.h"
#include "base/schedule.h"

namespace clever::base {

LooseThread::LooseThread(std::string name, std::move_only_function<void()> body) {
#if CLEVER_TEST_HOOKS
  if (auto* scheduler = schedule::current()) {
    scheduler->start(std::move(name), this, std::move(body));
    explored_ = true;
    return;
  }
#endif
  thread_ = std::thread([name = std::move(name), body = std::move(body)]() mutable {
    pthread_setname_np(pthread_self(), name.substr(0, 15).c_str());
    body();
  });
}

LooseThread::~LooseThread() {
  if (is_let_go_) return;
  lock_rank::require_none("joining a thread");
#if CLEVER_TEST_HOOKS
  if (explored_) {
    schedule::current()->join(this);
    return;
  }
#endif
  thread_.join();
}

void LooseThread::let_go() {
  if (std::exchange(is_let_go_, true)) return;
#if CLEVER_TEST_HOOKS
  if (explored_) return;
#endif
  thread_.detach();
}

}  // namespace clever::base
