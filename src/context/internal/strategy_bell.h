#pragma once
#include <cstdint>

#include "base/monitor.h"

namespace clever::context::internal {

/// What an assembly waits for: it rings when one of its strategies has ended or may have its turn.
/// Says that something has changed, not what. Shared with those that ring it. Thread-safe.
class StrategyBell {
 public:
  void ring() {
    rings_.update([](std::uint64_t& rings) { ++rings; });
  }
  /// Before looking at what may have changed.
  [[nodiscard]] std::uint64_t heard() const {
    return rings_.read([](std::uint64_t rings) { return rings; });
  }
  /// Until it has rung since then, a stop or the deadline.
  void wait(std::uint64_t heard, const base::StopToken& stop, base::Deadline deadline) {
    (void)rings_.wait(stop, deadline, [heard](std::uint64_t rings) { return rings != heard; });
  }

 private:
  base::Monitor<std::uint64_t> rings_;
};

}  // namespace clever::context::internal
