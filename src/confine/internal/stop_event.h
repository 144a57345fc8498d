#pragma once
#include "base/deadline.h"
#include "base/result.h"
#include "base/stop_token.h"
#include "io/file_descriptor.h"

namespace clever::confine::internal {

/// Wakes a poll(2) on a stop: readable once a stop is requested.
class StopEvent {
 public:
  [[nodiscard]] static base::Result<io::FileDescriptor> create();
  StopEvent(io::FileDescriptor event, const base::StopToken& stop);

  [[nodiscard]] int descriptor() const noexcept { return event_.number(); }

 private:
  io::FileDescriptor event_;
  base::StopCallback callback_;
};

/// The timeout for poll(2) in milliseconds. A deadline may use another clock than the system's, so
/// it is checked at least every tenth of a second.
[[nodiscard]] int poll_timeout(const base::Deadline& deadline);

}  // namespace clever::confine::internal
