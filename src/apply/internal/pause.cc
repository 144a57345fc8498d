#include "apply/internal/pause.h"

#include <algorithm>
#include <chrono>

#include "base/monitor.h"

namespace clever::apply::internal {
namespace {

constexpr base::Duration kFirst = std::chrono::milliseconds{1};
constexpr base::Duration kLongest = std::chrono::milliseconds{16};

}  // namespace

Pause::Pause(base::Duration patience, const base::StopToken& stop, base::Deadline deadline)
    : stop_(stop),
      end_(base::Deadline::after(clock_, patience)),
      callers_(deadline),
      next_(kFirst) {}

bool Pause::again() {
  if (stop_.stop_requested() || callers_.passed() || end_.passed()) return false;
  const base::Duration pause = std::min({next_, end_.remaining(), callers_.remaining()});
  next_ = std::min(next_ * 2, kLongest);
  base::Monitor<bool> nothing;
  const auto woken = nothing.wait(stop_, base::Deadline::after(clock_, pause),
                                  [](bool happened) { return happened; });
  static_cast<void>(woken);
  return true;
}

}  // namespace clever::apply::internal
