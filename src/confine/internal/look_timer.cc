#include "confine/internal/look_timer.h"

#include <sys/timerfd.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>

#include "io/system_error.h"

namespace clever::confine::internal {

base::Result<LookTimer> LookTimer::create(std::chrono::nanoseconds first_pause) {
  LookTimer made(io::FileDescriptor(::timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK)));
  if (!made.timer_.valid()) return io::system_error(errno, "cannot watch what a command uses");
  made.set(first_pause);
  return made;
}

bool LookTimer::due() const {
  std::uint64_t count = 0;
  return ::read(timer_.number(), &count, sizeof(count)) > 0;
}

void LookTimer::set(std::chrono::nanoseconds pause) const {
  const auto seconds = std::chrono::floor<std::chrono::seconds>(pause);
  const itimerspec when{
      .it_interval = {},
      .it_value = {.tv_sec = seconds.count(), .tv_nsec = (pause - seconds).count()}};
  ::timerfd_settime(timer_.number(), 0, &when, nullptr);
}

}  // namespace clever::confine::internal
