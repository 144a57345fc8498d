#pragma once
#include <functional>
#include <memory>

namespace clever::base {

class StopCallback;
class StopSource;

namespace internal {
class StopState;
}

/// Tells whether to stop. Copies refer to the same StopSource; a default-constructed one never
/// stops. Thread-safe.
class StopToken {
 public:
  StopToken() = default;
  [[nodiscard]] bool stop_requested() const;
  /// False without a source: no stop can ever be requested.
  [[nodiscard]] bool can_stop() const noexcept { return state_ != nullptr; }

 private:
  friend class StopCallback;
  friend class StopSource;
  explicit StopToken(std::shared_ptr<internal::StopState> state) : state_(std::move(state)) {}
  std::shared_ptr<internal::StopState> state_;
};

/// Requests a stop, once and for good, from all holders of its tokens and from the sources below
/// it. Unlike std::stop_source the explorer can see into it. Thread-safe.
class StopSource {
 public:
  StopSource();
  /// Stops when `parent` does.
  explicit StopSource(const StopToken& parent);
  ~StopSource();
  StopSource(const StopSource&) = delete;
  StopSource& operator=(const StopSource&) = delete;

  /// Returns true for the first call. Runs the callbacks on the caller's thread; do not hold a
  /// lock.
  bool request_stop();
  [[nodiscard]] bool stop_requested() const;
  [[nodiscard]] StopToken token() const;

 private:
  std::shared_ptr<internal::StopState> state_;
  std::unique_ptr<StopCallback> link_to_parent_;
};

/// Calls a function when a stop is requested: at once if it already was, else on the requesting
/// thread. After the destructor returns the function is not running and will not run (unless the
/// function itself destroys it). Register without holding a lock.
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
