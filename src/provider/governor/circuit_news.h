#pragma once
#include "base/clock.h"
#include "provider/governor/lane_key.h"

namespace clever::provider {

/// Gets each opening and closing of a circuit, for the store, where people and other processes see
/// it. A reset that reaches this process from there goes to Governor::reset().
///
/// Thread-safe; must not block. Never called under a lock.
class CircuitNews {
 public:
  virtual ~CircuitNews() = default;
  virtual void opened(const LaneKey& lane, base::TimePoint next_probe) = 0;
  virtual void closed(const LaneKey& lane) = 0;
};

}  // namespace clever::provider
