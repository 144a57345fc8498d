#include "base/stop_token.h"

#include <algorithm>
#include <thread>
#include <vector>

#include "base/atomic.h"
#include "base/mutex.h"

namespace clever::base {
namespace internal {

class StopState {
 public:
  [[nodiscard]] bool stopped() const { return stopped_.load(); }

  bool request_stop() {
    lock_rank::require_none("requesting a stop runs callbacks");
    mutex_.lock();
    if (stopped_.load()) {
      mutex_.unlock();
      return false;
    }
    stopped_.store(true);
    stopping_thread_ = std::this_thread::get_id();
    while (!callbacks_.empty()) {
      StopCallback* callback = callbacks_.back();
      callbacks_.pop_back();
      running_ = callback;
      mutex_.unlock();
      callback->function_();  // may destroy *callback; not touched again
      mutex_.lock();
      running_ = nullptr;
      finished_.notify_all();
    }
    mutex_.unlock();
    return true;
  }

  /// Returns false if the stop came first: then the caller runs the function itself.
  bool add(StopCallback* callback) {
    const MutexLock lock(mutex_);
    if (stopped_.load()) return false;
    callbacks_.push_back(callback);
    return true;
  }

  void remove(StopCallback* callback) {
    const MutexLock lock(mutex_);
    if (std::erase(callbacks_, callback) > 0) return;
    if (stopping_thread_ == std::this_thread::get_id()) return;
    while (running_ == callback) finished_.wait(mutex_);
  }

 private:
  Mutex mutex_{LockRank::kStop};
  CondVar finished_;
  // Publishes "stop was requested"; written once, under the mutex, read without it.
  Atomic<bool> stopped_{false};
  std::vector<StopCallback*> callbacks_ CLEVER_GUARDED_BY(mutex_);
  StopCallback* running_ CLEVER_GUARDED_BY(mutex_) = nullptr;
  std::thread::id stopping_thread_ CLEVER_GUARDED_BY(mutex_);
};

}  // namespace internal

bool StopToken::stop_requested() const { return state_ != nullptr && state_->stopped(); }

StopSource::StopSource() : state_(std::make_shared<internal::StopState>()) {}

StopSource::StopSource(const StopToken& parent) : StopSource() {
  if (!parent.can_stop()) return;
  link_to_parent_ =
      std::make_unique<StopCallback>(parent, [state = state_] { state->request_stop(); });
}

StopSource::~StopSource() = default;

bool StopSource::request_stop() { return state_->request_stop(); }
bool StopSource::stop_requested() const { return state_->stopped(); }
StopToken StopSource::token() const { return StopToken(state_); }

StopCallback::StopCallback(StopToken token, std::move_only_function<void()> function)
    : token_(std::move(token)), function_(std::move(function)) {
  if (token_.state_ == nullptr) return;
  if (!token_.state_->add(this)) {
    lock_rank::require_none("a stop callback runs at once");
    function_();
  }
}

StopCallback::~StopCallback() {
  if (token_.state_ != nullptr) token_.state_->remove(this);
}

}  // namespace clever::base
