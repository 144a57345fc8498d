#include "io/output.h"

#include <poll.h>
#include <unistd.h>

#include <cerrno>

#include "base/lock_rank.h"
#include "io/no_pipe_signal.h"
#include "io/system_error.h"

namespace clever::io {
namespace {

void wait_until_writable(int descriptor) {
  pollfd entry{.fd = descriptor, .events = POLLOUT, .revents = 0};
  ::poll(&entry, 1, -1);
}

}  // namespace

base::Result<void> write_all(int descriptor, std::string_view text) {
  base::lock_rank::require_none("writing output");
  const NoPipeSignal no_pipe_signal;
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written >= 0) {
      text.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno == EAGAIN) {
      wait_until_writable(descriptor);
    } else if (errno != EINTR) {
      return system_error(errno, "cannot write output");
    }
  }
  return {};
}

}  // namespace clever::io
