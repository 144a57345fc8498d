#pragma once
#include <functional>
#include <memory>

namespace clever::base {

class StopCallback;
class StopSource;

namespace internal {
class StopState;
}

/// Asks "should I stop?". Copies refer to the same StopSource; a default-constructed one never
/// stops. Thread-safe.
class StopToken {
 public:
  StopToken() = default;
  [[nodiscard]] bool stop_requested() const;
  /// False if no source is attached: nobody can ever ask for a stop.
  [[nodiscard]] bool can_stop() const noexcept { return state_ != nullptr; }

 private:
  friend class StopCallback;
  friend class StopSource;
  explicit StopToken(std::shared_ptr<internal::StopState> state) : state_(std::move(state)) {}
  std::shared_ptr<internal::StopState> state_;
};

/// Says "stop", once and for good, to everybody who holds a token of it, and to the sources made
/// below it. Unlike std::stop_source the explorer sees into it. Thread-safe.
class StopSource {
 public:
  StopSource();
  /// Stops by itself when `parent` does.
  explicit StopSource(const StopToken& parent);
  ~StopSource();
  StopSource(const StopSource&) = delete;
  StopSource& operator=(const StopSource&) = delete;

  /// True for the call that made the difference. Runs the callbacks on the caller's thread; do not
  /// hold a lock.
  bool request_stop();
  [[nodiscard]] bool stop_requested() const;
  [[nodiscard]] StopToken token() const;

 private:
  std::shared_ptr<internal::StopState> state_;
  std::unique_ptr<StopCallback> link_to_parent_;
};

/// Calls a function when a stop is requested: at once if it already was, else on the thread that
/// requests it. After the destructor has returned the function is not running and will not run
/// (unless it is destroyed by the function itself). Register without holding a lock.
class StopCallback {
 public:
  StopCallback(StopToken token, std::move_only_function<void()> function);
  ~StopCallback();
  StopCallback(const StopCallback&) = delete;
  StopCallback& operator=(const StopCallback&) = delete;

 private:
  friend class internal::StopState;
  StopToken token_;
  std::move_only_function<void()> function_;
};

}  // namespace clever::base
