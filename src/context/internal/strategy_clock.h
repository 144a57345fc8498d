#pragma once
#include "base/clock.h"
#include "base/guarded.h"

namespace clever::context::internal {

/// The clock by which a strategy sees its deadline: the executor's, until the run is over; then the
/// end of time, so that the deadline has passed. A run that was given up thus never touches a clock
/// that its owner has destroyed meanwhile.
///
/// Thread-safe; owned by the run.
class StrategyClock final : public base::Clock {
 public:
  explicit StrategyClock(base::Clock& clock) : clock_(std::in_place, &clock) {}

  /// Once this has returned the executor's clock is not used any more.
  void close();

  [[nodiscard]] base::TimePoint now() const override;
  [[nodiscard]] base::WallTime wall_now() const override;
  /// Wakes often: nobody may be inside the executor's clock when that goes.
  void wait_until(base::CondVar& changed, base::Mutex& mutex, base::TimePoint until) override
      CLEVER_REQUIRES(mutex);

 private:
  // None: closed. Used under leaf locks (waiting reads the time), and above the clock's own.
  base::Guarded<base::Clock*, base::LockRank::kTimer> clock_;
};

}  // namespace clever::context::internal
