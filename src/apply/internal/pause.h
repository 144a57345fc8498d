#pragma once
#include "base/clock.h"
#include "base/deadline.h"
#include "base/stop_token.h"

namespace clever::apply::internal {

/// Waits between two checks of something that only others can change: increasingly long, up to 16
/// ms. Owned by one waiter.
class Pause {
 public:
  /// Ends once `patience` has passed, even before the deadline.
  Pause(base::Duration patience, const base::StopToken& stop, base::Deadline deadline);

  /// False if no time is left, or a stop was requested.
  bool again();

 private:
  base::SystemClock clock_;
  base::StopToken stop_;
  base::Deadline end_;
  base::Deadline callers_;
  base::Duration next_;
};

}  // namespace clever::apply::internal
