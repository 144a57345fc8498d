#include "base/strand.h"

#include <thread>
#include <utility>
#include <vector>

#include "base/atomic.h"
#include "base/mutex.h"
#include "base/thread_pool.h"

namespace clever::base {

// scheduled_ | runner_  | meaning
// -----------+----------+----------------------------------------------------------------
// false      | none     | idle: nothing queued, no entry in the pool
// true       | none     | one entry in the pool, which will take a turn
// true       | a thread | that thread takes a turn; batch_ and cursor_ belong to it
//
// A strand may be destroyed from its own task, or while its entry waits in the pool. Then the state
// is orphaned, and the entry or the turn deletes it. No reference count, because the hand-over is
// the hot path.
class Strand::State {
 public:
  State(ThreadPool& pool, std::size_t queue_limit) : pool_(pool), queue_limit_(queue_limit) {}

  Result<void> post(Task&& task) {
    {
      const MutexLock lock(mutex_);
      if (closed_.load(std::memory_order_relaxed)) return cancelled("the strand is closed");
      if (queue_.size() >= queue_limit_) {
        return resource_exhausted("the strand's queue is full (" + std::to_string(queue_limit_) +
                                  " tasks)");
      }
      queue_.push_back(std::move(task));
      ++posted_;
      if (std::exchange(scheduled_, true)) return {};
    }
    enter_pool();
    return {};
  }

  /// Called when the strand is destroyed: drops tasks that have not started, waits for a running
  /// one, and leaves the state to its last user.
  void abandon() {
    lock_rank::require_none("destroying a strand");
    std::vector<Task> dropped;  // destroyed without the lock, as all tasks are
    std::vector<Task> dropped_batch;
    {
      const MutexLock lock(mutex_);
      closed_.store(true);
      dropped.swap(queue_);
      changed_.notify_all();
      if (runner_ == std::this_thread::get_id()) {
        orphaned_ = true;
        return;
      }
      while (runner_ != std::thread::id{}) changed_.wait(mutex_);
      dropped_batch.swap(batch_);
      cursor_ = 0;
      orphaned_ = scheduled_;
      if (orphaned_) return;
    }
    delete this;
  }

  [[nodiscard]] bool running_here() const {
    const MutexLock lock(mutex_);
    return runner_ == std::this_thread::get_id();
  }

  Result<void> drain(const StopToken& stop, Deadline deadline) {
    lock_rank::require_none("draining a strand");
    const StopCallback wake(stop, [this] {
      const MutexLock lock(mutex_);
      changed_.notify_all();
    });
    const MutexLock lock(mutex_);
    const std::uint64_t target = posted_;
    while (completed_ < target) {
      if (closed_.load(std::memory_order_relaxed)) return cancelled("the strand was closed");
      if (stop.stop_requested()) return cancelled("stopped while draining a strand");
      if (deadline.passed()) return deadline_exceeded("the strand did not drain in time");
      deadline.wait(changed_, mutex_);
    }
    return {};
  }

 private:
  enum class Next : std::uint8_t { kRun, kAnotherTurn, kIdle, kDelete };

  // After this many tasks a strand goes to the back of the pool's queue, so that others run.
  static constexpr std::size_t kTasksPerTurn = 64;

  void enter_pool() {
    pool_.post_accepted([this] { take_turn(); });
  }

  void take_turn() {
    Next next = begin_turn();
    std::size_t ran = 0;
    while (next == Next::kRun) {
      schedule::point(schedule::Op::kHandOver, this);
      const std::size_t count = run_batch(kTasksPerTurn - ran);
      ran += count;
      next = go_on(count, ran);
    }
    if (next == Next::kAnotherTurn) enter_pool();
    if (next == Next::kDelete) delete this;
  }

  Next begin_turn() {
    const MutexLock lock(mutex_);
    if (orphaned_) return Next::kDelete;
    if (cursor_ == batch_.size()) return refill_locked();
    runner_ = std::this_thread::get_id();
    return Next::kRun;
  }

  std::size_t run_batch(std::size_t limit) {
    std::size_t count = 0;
    for (; count < limit && cursor_ < batch_.size(); ++count) {
      Task task = std::move(batch_[cursor_++]);
      if (!closed_.load(std::memory_order_relaxed)) task();
    }
    return count;
  }

  Next go_on(std::size_t count, std::size_t ran) {
    const MutexLock lock(mutex_);
    completed_ += count;
    changed_.notify_all();
    if (orphaned_) return Next::kDelete;
    const bool more = cursor_ < batch_.size() || !queue_.empty();
    if (ran >= kTasksPerTurn && more) {
      runner_ = {};
      return Next::kAnotherTurn;
    }
    return refill_locked();
  }

  Next refill_locked() CLEVER_REQUIRES(mutex_) {
    batch_.clear();
    cursor_ = 0;
    batch_.swap(queue_);
    scheduled_ = !batch_.empty();
    runner_ = scheduled_ ? std::this_thread::get_id() : std::thread::id{};
    return scheduled_ ? Next::kRun : Next::kIdle;
  }

  // Constant after construction.
  ThreadPool& pool_;
  const std::size_t queue_limit_;

  // A Mutex, not a Guarded: batch_ leaves the lock for the length of a turn.
  mutable Mutex mutex_{LockRank::kStrand};
  CondVar changed_;
  std::vector<Task> queue_ CLEVER_GUARDED_BY(mutex_);
  bool scheduled_ CLEVER_GUARDED_BY(mutex_) = false;
  std::thread::id runner_ CLEVER_GUARDED_BY(mutex_);
  bool orphaned_ CLEVER_GUARDED_BY(mutex_) = false;
  std::uint64_t posted_ CLEVER_GUARDED_BY(mutex_) = 0;
  std::uint64_t completed_ CLEVER_GUARDED_BY(mutex_) = 0;
  // Publishes "start no further task"; written under the mutex, read before each task without it.
  Atomic<bool> closed_{false};

  // Owned by the turn: touched by runner_, or under the mutex while there is none.
  std::vector<Task> batch_;
  std::size_t cursor_ = 0;
};

Strand::Strand(ThreadPool& pool) : Strand(pool, Options{}) {}
Strand::Strand(ThreadPool& pool, Options options) : state_(new State(pool, options.queue_limit)) {}
Strand::~Strand() { state_->abandon(); }

Result<void> Strand::post(Task&& task) { return state_->post(std::move(task)); }
bool Strand::running_here() const { return state_->running_here(); }
Result<void> Strand::drain(const StopToken& stop, Deadline deadline) {
  return state_->drain(stop, deadline);
}

}  // namespace clever::base
