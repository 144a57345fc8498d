#include "base/thread_pool.h"

#include <algorithm>
#include <thread>
#include <utility>

namespace clever::base {
namespace {

unsigned thread_count(unsigned wanted) {
  return wanted != 0 ? wanted : std::max(1U, std::thread::hardware_concurrency());
}

}  // namespace

ThreadPool::ThreadPool(Options options) : queue_limit_(options.queue_limit) {
  for (unsigned i = 0; i < thread_count(options.threads); ++i) {
    threads_.push_back(std::make_unique<Thread>(options.name + "-" + std::to_string(i),
                                                [this](const StopToken&) { work(); }));
  }
}

ThreadPool::~ThreadPool() {
  {
    const MutexLock lock(mutex_);
    closing_ = true;
    ready_.notify_all();
  }
  for (const auto& thread : threads_) thread->join();
}

bool ThreadPool::should_wake_locked() {
  if (idle_ == 0 || waking_ || queue_.empty()) return false;
  waking_ = true;
  return true;
}

Result<void> ThreadPool::post(Task&& task) {
  bool wake = false;
  {
    const MutexLock lock(mutex_);
    if (closing_) return cancelled("the thread pool is closing");
    if (queue_.size() >= queue_limit_) {
      return resource_exhausted("the thread pool's queue is full (" + std::to_string(queue_limit_) +
                                " tasks)");
    }
    queue_.push(std::move(task));
    wake = should_wake_locked();
  }
  if (wake) ready_.notify_one();
  return {};
}

void ThreadPool::post_accepted(Task&& task) {
  bool wake = false;
  {
    const MutexLock lock(mutex_);
    queue_.push(std::move(task));
    wake = should_wake_locked();
  }
  if (wake) ready_.notify_one();
}

void ThreadPool::work() {
  mutex_.lock();
  while (true) {
    while (queue_.empty() && !closing_) {
      ++idle_;
      ready_.wait(mutex_);
      --idle_;
      waking_ = false;
    }
    if (queue_.empty()) break;
    Task task = queue_.pop();
    const bool wake = should_wake_locked();
    mutex_.unlock();
    if (wake) ready_.notify_one();
    schedule::point(schedule::Op::kHandOver, this);
    task();
    task = nullptr;  // destroys its captures without the lock
    mutex_.lock();
  }
  mutex_.unlock();
}

}  // namespace clever::base
