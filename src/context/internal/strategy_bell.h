#pragma once
#include <cstdint>

#include "base/monitor.h"

namespace clever::context::internal {

/// Wakes an assembly when one of its strategies has ended or may have its turn. Says that something
/// changed, not what. Shared with those that ring it. Thread-safe.
class StrategyBell {
 public:
  void ring() {
    rings_.update([](std::uint64_t& rings) { ++rings; });
  }
  /// Read before checking what may have changed.
  [[nodiscard]] std::uint64_t heard() const {
    return rings_.read([](std::uint64_t rings) { return rings; });
  }
  /// Waits until it has rung since then, a stop or the deadline.
  void wait(std::uint64_t heard, const base::StopToken& stop, base::Deadline deadline) {
    (void)rings_.wait(stop, deadline, [heard](std::uint64_t rings) { return rings != heard; });
  }

 private:
  base::Monitor<std::uint64_t> rings_;
};

}  // namespace clever::context::internal
