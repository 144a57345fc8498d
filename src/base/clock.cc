#include "base/clock.h"

#include <algorithm>
#include <thread>

namespace clever::base {

TimePoint SystemClock::now() const {
#if CLEVER_TEST_HOOKS
  if (auto* scheduler = schedule::current()) return scheduler->now();
#endif
  return std::chrono::steady_clock::now();
}

WallTime SystemClock::wall_now() const { return std::chrono::system_clock::now(); }

void SystemClock::wait_until(CondVar& changed, Mutex& mutex, TimePoint until) {
  changed.wait_until(mutex, until);
}

SimulatedClock::SimulatedClock(WallTime start) : wall_(start) {}

TimePoint SimulatedClock::now() const {
  const MutexLock lock(mutex_);
  return now_;
}

WallTime SimulatedClock::wall_now() const {
  const MutexLock lock(mutex_);
  return wall_;
}

std::size_t SimulatedClock::waiters() const {
  const MutexLock lock(mutex_);
  return waiters_.size();
}

void SimulatedClock::set_wall(WallTime wall) {
  const MutexLock lock(mutex_);
  wall_ = wall;
}

void SimulatedClock::wait_until(CondVar& changed, Mutex& mutex, TimePoint until) {
  Waiter waiter{until, &changed, &mutex};
  {
    const MutexLock lock(mutex_);
    if (now_ >= until) return;
    waiters_.push_back(&waiter);
  }
  changed.wait(mutex);
  const MutexLock lock(mutex_);
  std::erase(waiters_, &waiter);
}

void SimulatedClock::advance(Duration by) {
  lock_rank::require_none("advancing a simulated clock");
  {
    const MutexLock lock(mutex_);
    now_ += by;
    wall_ += std::chrono::duration_cast<WallTime::duration>(by);
  }
  while (!wake_due()) {
    schedule::point(schedule::Op::kYield, this);
    std::this_thread::yield();
  }
}

bool SimulatedClock::wake_due() {
  const MutexLock lock(mutex_);
  bool all = true;
  for (Waiter* waiter : waiters_) {
    if (waiter->until > now_ || waiter->changed == nullptr) continue;
    // The waiter registered under its mutex, and gives it up only by waiting: holding the mutex
    // means that it waits, so no notification is lost. Trying the lock keeps the lock order.
    Mutex& mutex = *waiter->mutex;
    if (!mutex.try_lock()) {
      all = false;
      continue;
    }
    waiter->changed->notify_all();
    waiter->changed = nullptr;
    mutex.unlock();
  }
  return all;
}

}  // namespace clever::base
