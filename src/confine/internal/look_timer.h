#pragma once
#include <chrono>

#include "base/result.h"
#include "io/file_descriptor.h"

namespace clever::confine::internal {

/// When to look again at what a command uses: a descriptor for poll(2), which is readable once the
/// pause is over. One thread.
class LookTimer {
 public:
  /// Never due.
  LookTimer() = default;
  [[nodiscard]] static base::Result<LookTimer> create(std::chrono::nanoseconds first_pause);

  /// -1 if it is never due, which poll(2) passes over.
  [[nodiscard]] int descriptor() const noexcept { return timer_.number(); }
  /// True once for each pause that is over.
  [[nodiscard]] bool due() const;
  void set(std::chrono::nanoseconds pause) const;

 private:
  explicit LookTimer(io::FileDescriptor timer) : timer_(std::move(timer)) {}

  io::FileDescriptor timer_;
};

}  // namespace clever::confine::internal
