#include "confine/internal/stop_event.h"

#include <sys/eventfd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>

#include "io/system_error.h"

namespace clever::confine::internal {

base::Result<io::FileDescriptor> StopEvent::create() {
  io::FileDescriptor event(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!event.valid()) return io::system_error(errno, "cannot create an event");
  return event;
}

StopEvent::StopEvent(io::FileDescriptor event, const base::StopToken& stop)
    : event_(std::move(event)),
      callback_(stop, [number = event_.number()] { ::eventfd_write(number, 1); }) {}

int poll_timeout(const base::Deadline& deadline) {
  constexpr std::chrono::milliseconds kLongest{100};
  if (deadline.is_never()) return -1;
  const auto remaining = std::chrono::ceil<std::chrono::milliseconds>(
      std::min<base::Duration>(deadline.remaining(), kLongest));
  return static_cast<int>(remaining.count());
}

}  // namespace clever::confine::internal
