#pragma once
#include "base/clock.h"
#include "base/guarded.h"

namespace clever::test {

/// The system's clocks, of which the wall clock jumps when a test says so, as when an administrator
/// sets it. Thread-safe.
class JumpingClock final : public base::Clock {
 public:
  void jump(base::Duration by) {
    jumped_.with([by](base::Duration& jumped) { jumped += by; });
  }

  [[nodiscard]] base::TimePoint now() const override { return clock_.now(); }
  [[nodiscard]] base::WallTime wall_now() const override {
    const auto jumped = jumped_.with([](const base::Duration& by) { return by; });
    return clock_.wall_now() + std::chrono::duration_cast<base::WallTime::duration>(jumped);
  }
  void wait_until(base::CondVar& changed, base::Mutex& mutex, base::TimePoint until) override
      CLEVER_REQUIRES(mutex) {
    clock_.wait_until(changed, mutex, until);
  }

 private:
  base::SystemClock clock_;
  base::Guarded<base::Duration> jumped_;
};

}  // namespace clever::test
