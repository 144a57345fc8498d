#pragma once
#include <chrono>
#include <condition_variable>
#include <mutex>

#include "base/lock_rank.h"
#include "base/schedule.h"
#include "base/thread_annotations.h"

namespace clever::base {

/// A mutex for Clang's thread-safety analysis, with a place in the lock order, and a scheduling
/// point for the explorer. Prefer Guarded or Monitor, which cannot be misused; if related data does
/// not fit into one object, use this with CLEVER_GUARDED_BY on each field.
///
/// Thread-safe. Not recursive: taking it twice aborts in test builds (equal rank).
class CLEVER_CAPABILITY("mutex") Mutex {
 public:
  explicit Mutex(LockRank rank = LockRank::kLeaf) noexcept : rank_(rank) {}
  Mutex(const Mutex&) = delete;
  Mutex& operator=(const Mutex&) = delete;

  void lock() CLEVER_ACQUIRE() {
    lock_rank::push(rank_);
    acquire();
  }

  [[nodiscard]] bool try_lock() CLEVER_TRY_ACQUIRE(true) {
    schedule::point(schedule::Op::kTryLock, this);
    if (!mutex_.try_lock()) return false;
    lock_rank::push_unordered(rank_);
    return true;
  }

  void unlock() CLEVER_RELEASE() {
    lock_rank::pop(rank_);
    release();
  }

 private:
  friend class CondVar;

  // Without the rank: a condition variable releases and retakes the lock while its thread can do
  // nothing else.
  void acquire() {
#if CLEVER_TEST_HOOKS
    if (auto* scheduler = schedule::current()) {
      scheduler->point(schedule::Op::kLock, this);
      while (!mutex_.try_lock()) scheduler->park(schedule::Op::kLock, this, std::nullopt);
      return;
    }
#endif
    mutex_.lock();
  }

  void release() {
    mutex_.unlock();
#if CLEVER_TEST_HOOKS
    if (auto* scheduler = schedule::current()) scheduler->wake_all(this);
#endif
  }

  std::mutex mutex_;
  [[no_unique_address]] const LockRank rank_;
};

/// Holds a Mutex for a scope.
class CLEVER_SCOPED_CAPABILITY MutexLock {
 public:
  explicit MutexLock(Mutex& mutex) CLEVER_ACQUIRE(mutex) : mutex_(mutex) { mutex_.lock(); }
  ~MutexLock() CLEVER_RELEASE() { mutex_.unlock(); }
  MutexLock(const MutexLock&) = delete;
  MutexLock& operator=(const MutexLock&) = delete;

 private:
  Mutex& mutex_;
};

/// A condition variable for Mutex. Waits may wake spuriously: always wait in a loop. Monitor is the
/// safe way to use one.
///
/// Thread-safe. Notify while holding the mutex: a waiter that sees the change may destroy both.
class CondVar {
 public:
  CondVar() = default;
  CondVar(const CondVar&) = delete;
  CondVar& operator=(const CondVar&) = delete;

  void wait(Mutex& mutex) CLEVER_REQUIRES(mutex) {
    lock_rank::require_at_most_one("waiting");
#if CLEVER_TEST_HOOKS
    if (auto* scheduler = schedule::current()) {
      mutex.release();
      scheduler->park(schedule::Op::kWait, this, std::nullopt);
      mutex.acquire();
      return;
    }
#endif
    std::unique_lock lock(mutex.mutex_, std::adopt_lock);
    changed_.wait(lock);
    lock.release();
  }

  /// Returns at `until` at the latest, by the steady clock of the operating system (under the
  /// explorer: by its virtual time).
  void wait_until(Mutex& mutex, schedule::TimePoint until) CLEVER_REQUIRES(mutex) {
    lock_rank::require_at_most_one("waiting");
#if CLEVER_TEST_HOOKS
    if (auto* scheduler = schedule::current()) {
      mutex.release();
      scheduler->park(schedule::Op::kWait, this, until);
      mutex.acquire();
      return;
    }
#endif
    std::unique_lock lock(mutex.mutex_, std::adopt_lock);
    changed_.wait_until(lock, until);
    lock.release();
  }

  void notify_one() {
#if CLEVER_TEST_HOOKS
    if (auto* scheduler = schedule::current()) {
      scheduler->point(schedule::Op::kNotify, this);
      scheduler->wake_one(this);
    }
#endif
    changed_.notify_one();
  }

  void notify_all() {
#if CLEVER_TEST_HOOKS
    if (auto* scheduler = schedule::current()) {
      scheduler->point(schedule::Op::kNotify, this);
      scheduler->wake_all(this);
    }
#endif
    changed_.notify_all();
  }

 private:
  std::condition_variable changed_;
};

}  // namespace clever::base
