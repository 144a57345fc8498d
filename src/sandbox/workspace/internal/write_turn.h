#pragma once
#include <utility>

#include "base/monitor.h"

namespace clever::sandbox::internal {

/// Runs writers one after another, without a lock: the holder of the turn may read, compute and
/// store objects before the next begins. Retrying instead of waiting would be cheaper for single
/// edits, but a long change (a moved folder, a capture of a command's files) would never finish
/// beside busy short ones.
///
/// Thread-safe. A turn ends with its Hold, and waits for nothing else.
class WriteTurn {
 public:
  class Hold {
   public:
    explicit Hold(WriteTurn& turn) : turn_(&turn) {}
    Hold(Hold&& other) noexcept : turn_(std::exchange(other.turn_, nullptr)) {}
    Hold& operator=(Hold&&) = delete;
    ~Hold() {
      if (turn_ != nullptr) turn_->taken_.update([](bool& taken) { taken = false; });
    }

   private:
    WriteTurn* turn_;
  };

  [[nodiscard]] Hold take() {
    taken_.update_when(
              {}, [](bool taken) { return !taken; }, [](bool& taken) { taken = true; })
        .value();
    return Hold(*this);
  }

 private:
  base::Monitor<bool> taken_;
};

}  // namespace clever::sandbox::internal
