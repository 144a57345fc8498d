#pragma once
#include "base/deadline.h"
#include "base/result.h"
#include "base/stop_token.h"
#include "io/file_descriptor.h"

namespace clever::confine::internal {

/// Lets a stop end a poll(2): readable once a stop is requested.
class StopEvent {
 public:
  [[nodiscard]] static base::Result<io::FileDescriptor> create();
  StopEvent(io::FileDescriptor event, const base::StopToken& stop);

  [[nodiscard]] int descriptor() const noexcept { return event_.number(); }

 private:
  io::FileDescriptor event_;
  base::StopCallback callback_;
};

/// What poll(2) may wait, in milliseconds. A deadline may lie on a clock that is not the system's:
/// it is looked at again at least every tenth of a second.
[[nodiscard]] int poll_timeout(const base::Deadline& deadline);

}  // namespace clever::confine::internal
