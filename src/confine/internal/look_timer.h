#pragma once
#include <chrono>

#include "base/result.h"
#include "io/file_descriptor.h"

namespace clever::confine::internal {

/// When to check a command's usage again: a descriptor for poll(2), readable after the pause. One
/// thread.
class LookTimer {
 public:
  /// Never due.
  LookTimer() = default;
  [[nodiscard]] static base::Result<LookTimer> create(std::chrono::nanoseconds first_pause);

  /// -1 if it is never due, which poll(2) ignores.
  [[nodiscard]] int descriptor() const noexcept { return timer_.number(); }
  /// True once after each pause.
  [[nodiscard]] bool due() const;
  void set(std::chrono::nanoseconds pause) const;

 private:
  explicit LookTimer(io::FileDescriptor timer) : timer_(std::move(timer)) {}

  io::FileDescriptor timer_;
};

}  // namespace clever::confine::internal
