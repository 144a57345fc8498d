#include "context/internal/strategy_clock.h"

#include <algorithm>
#include <chrono>

namespace clever::context::internal {
namespace {

constexpr base::Duration kSlice = std::chrono::milliseconds(10);

}  // namespace

void StrategyClock::close() {
  clock_.with([](base::Clock*& clock) { clock = nullptr; });
}

base::TimePoint StrategyClock::now() const {
  return clock_.with([](const base::Clock* clock) {
    return clock == nullptr ? base::TimePoint::max() : clock->now();
  });
}

base::WallTime StrategyClock::wall_now() const {
  return clock_.with([](const base::Clock* clock) {
    return clock == nullptr ? base::SystemClock().wall_now() : clock->wall_now();
  });
}

void StrategyClock::wait_until(base::CondVar& changed, base::Mutex& mutex, base::TimePoint until) {
  const base::TimePoint before = now();
  if (before >= until) return;
  changed.wait_until(mutex, base::SystemClock().now() + std::min(kSlice, until - before));
}

}  // namespace clever::context::internal
