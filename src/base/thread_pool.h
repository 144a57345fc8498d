#pragma once
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "base/executor.h"
#include "base/mutex.h"
#include "base/ring.h"
#include "base/thread.h"

namespace clever::base {

/// A fixed number of threads that run tasks in the order of posting. The only place for CPU and
/// blocking work; owned by the composition root.
///
/// Thread-safe. The queue is bounded: when full, post() refuses. The destructor accepts nothing
/// more, runs accepted tasks, and joins; it must not be called from a task.
class ThreadPool final : public Executor {
 public:
  struct Options {
    std::string name = "pool";
    unsigned threads = 0;  // 0: one per processor
    std::size_t queue_limit = 65'536;
  };

  explicit ThreadPool(Options options);
  ~ThreadPool() override;
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  Result<void> post(Task&& task) override;

  [[nodiscard]] unsigned threads() const noexcept { return static_cast<unsigned>(threads_.size()); }

 private:
  friend class Strand;

  // Never refuses: a strand has at most one entry, for tasks that it has already accepted.
  void post_accepted(Task&& task);
  bool should_wake_locked() CLEVER_REQUIRES(mutex_);
  void work();

  // Constant after construction.
  const std::size_t queue_limit_;

  // A Mutex, not a Monitor: wakes one waiter per task, and none while another is on its way.
  Mutex mutex_{LockRank::kPool};
  CondVar ready_;
  Ring<Task> queue_ CLEVER_GUARDED_BY(mutex_);
  unsigned idle_ CLEVER_GUARDED_BY(mutex_) = 0;
  // A notified worker has not looked at the queue yet; it wakes the next one if needed.
  bool waking_ CLEVER_GUARDED_BY(mutex_) = false;
  bool closing_ CLEVER_GUARDED_BY(mutex_) = false;

  std::vector<std::unique_ptr<Thread>> threads_;
};

}  // namespace clever::base
