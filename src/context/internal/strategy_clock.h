#pragma once
#include "base/clock.h"
#include "base/guarded.h"

namespace clever::context::internal {

/// The clock of a strategy's deadline: the executor's, until the run ends; then the end of time, so
/// that the deadline has passed. So an abandoned run never touches a clock that its owner has
/// destroyed.
///
/// Thread-safe; owned by the run.
class StrategyClock final : public base::Clock {
 public:
  explicit StrategyClock(base::Clock& clock) : clock_(std::in_place, &clock) {}

  /// After it returns the executor's clock is not used any more.
  void close();

  [[nodiscard]] base::TimePoint now() const override;
  [[nodiscard]] base::WallTime wall_now() const override;
  /// Wakes often, because no thread may be inside the executor's clock at its destruction.
  void wait_until(base::CondVar& changed, base::Mutex& mutex, base::TimePoint until) override
      CLEVER_REQUIRES(mutex);

 private:
  // None: closed. Used under leaf locks (waiting reads the time), and above the clock's own lock.
  base::Guarded<base::Clock*, base::LockRank::kTimer> clock_;
};

}  // namespace clever::context::internal
