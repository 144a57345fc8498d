#pragma once
#include "base/clock.h"
#include "base/deadline.h"
#include "base/stop_token.h"

namespace clever::apply::internal {

/// Waits between two looks at something that only others can change: longer each time, up to 16 ms.
/// Owned by one waiter.
class Pause {
 public:
  /// Over once `patience` has passed, whatever the deadline says.
  Pause(base::Duration patience, const base::StopToken& stop, base::Deadline deadline);

  /// False if there is no time left, or a stop was asked for.
  bool again();

 private:
  base::SystemClock clock_;
  base::StopToken stop_;
  base::Deadline end_;
  base::Deadline callers_;
  base::Duration next_;
};

}  // namespace clever::apply::internal
