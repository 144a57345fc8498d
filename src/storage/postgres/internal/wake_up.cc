#include "storage/postgres/internal/wake_up.h"

#include <sys/eventfd.h>

namespace clever::storage::postgres {

base::Result<WakeUp> WakeUp::create() {
  const int descriptor = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (descriptor < 0) return base::resource_exhausted("no more file descriptors (eventfd)");
  return WakeUp(descriptor);
}

// Both calls fail only if there is nothing to do: the event is signalled, or cleared, already.
void WakeUp::signal() const noexcept {
  [[maybe_unused]] const int failed = ::eventfd_write(event_.number(), 1);
}

void WakeUp::clear() const noexcept {
  eventfd_t count = 0;
  [[maybe_unused]] const int failed = ::eventfd_read(event_.number(), &count);
}

}  // namespace clever::storage::postgres
