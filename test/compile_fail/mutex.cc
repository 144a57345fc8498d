// What Clang's thread-safety analysis refuses.
#include "base/mutex.h"

#include "base/atomic.h"
#include "base/task_group.h"

namespace {

using clever::base::CondVar;
using clever::base::Mutex;
using clever::base::MutexLock;

class Counter {
 public:
  int read() {
#if defined(CLEVER_CASE_read_without_lock)
    return count_;
#endif
    const MutexLock lock(mutex_);
    return count_;
  }

  void write() {
#if defined(CLEVER_CASE_write_without_lock)
    count_ = 3;
#elif defined(CLEVER_CASE_helper_without_lock)
    add_locked(3);
#elif defined(CLEVER_CASE_forgotten_unlock)
    mutex_.lock();
#elif defined(CLEVER_CASE_wait_without_lock)
    changed_.wait(mutex_);
#else
    const MutexLock lock(mutex_);
#if defined(CLEVER_CASE_lock_twice)
    const MutexLock again(mutex_);
#endif
    add_locked(3);
    changed_.wait(mutex_);
#endif
  }

 private:
  void add_locked(int amount) CLEVER_REQUIRES(mutex_) { count_ += amount; }

  Mutex mutex_;
  CondVar changed_;
  int count_ CLEVER_GUARDED_BY(mutex_) = 0;
};

#if defined(CLEVER_CASE_atomic_copy)
clever::base::Atomic<int> copy(const clever::base::Atomic<int>& atomic) { return atomic; }
#elif defined(CLEVER_CASE_task_group_copy)
clever::base::TaskGroup copy(const clever::base::TaskGroup& group) { return group; }
#endif

}  // namespace

int compile_fail_mutex() {
  Counter counter;
  counter.write();
  return counter.read();
}
