#pragma once
#include "base/clock.h"

namespace clever::base {

/// A time on a certain clock after which a caller no longer wants the answer. Passed down
/// unchanged, so that nested calls share it. A small value; the clock must outlive it.
class Deadline {
 public:
  [[nodiscard]] static Deadline never() noexcept { return {}; }
  [[nodiscard]] static Deadline after(Clock& clock, Duration duration) {
    const TimePoint now = clock.now();
    // Saturates at the end of time.
    if (duration > TimePoint::max() - now) return never();
    return {clock, now + duration};
  }
  [[nodiscard]] static Deadline at(Clock& clock, TimePoint at) noexcept { return {clock, at}; }

  [[nodiscard]] bool is_never() const noexcept { return clock_ == nullptr; }
  [[nodiscard]] bool passed() const { return clock_ != nullptr && clock_->now() >= at_; }
  /// Zero once passed; Duration::max() if it never comes.
  [[nodiscard]] Duration remaining() const {
    if (clock_ == nullptr) return Duration::max();
    const TimePoint now = clock_->now();
    return now >= at_ ? Duration::zero() : at_ - now;
  }
  /// The earlier of two deadlines of one clock.
  [[nodiscard]] Deadline earlier(const Deadline& other) const noexcept {
    if (is_never()) return other;
    return other.is_never() || at_ <= other.at_ ? *this : other;
  }

  /// Waits on a condition variable until notified or passed; may wake early.
  void wait(CondVar& changed, Mutex& mutex) const CLEVER_REQUIRES(mutex) {
    if (clock_ == nullptr) {
      changed.wait(mutex);
    } else {
      clock_->wait_until(changed, mutex, at_);
    }
  }

 private:
  Deadline() = default;
  Deadline(Clock& clock, TimePoint at) noexcept : clock_(&clock), at_(at) {}

  Clock* clock_ = nullptr;
  TimePoint at_{};
};

}  // namespace clever::base
