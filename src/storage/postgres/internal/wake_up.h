#pragma once
#include "base/result.h"
#include "io/file_descriptor.h"

namespace clever::storage::postgres {

/// Wakes a poll(2) from another thread: its descriptor is readable from signal() to clear().
/// Thread-safe.
class WakeUp {
 public:
  [[nodiscard]] static base::Result<WakeUp> create();

  [[nodiscard]] int descriptor() const noexcept { return event_.number(); }
  void signal() const noexcept;
  void clear() const noexcept;

 private:
  explicit WakeUp(int descriptor) noexcept : event_(descriptor) {}
  io::FileDescriptor event_;
};

}  // namespace clever::storage::postgres
