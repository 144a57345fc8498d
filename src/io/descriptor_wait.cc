#include "io/descriptor_wait.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <tuple>
#include <vector>

#include "base/lock_rank.h"
#include "io/internal/pipe.h"
#include "io/no_pipe_signal.h"
#include "io/system_error.h"

namespace clever::io {

base::Result<void> make_nonblocking(const FileDescriptor& file) {
  return internal::make_nonblocking(file);
}

base::Result<std::optional<std::size_t>> read_some(const FileDescriptor& file,
                                                   std::span<char> buffer) {
  base::lock_rank::require_none("reading a pipe");
  ssize_t count = 0;
  do {
    count = ::read(file.number(), buffer.data(), buffer.size());
  } while (count < 0 && errno == EINTR);
  if (count >= 0) return std::optional(static_cast<std::size_t>(count));
  if (errno == EAGAIN) return std::optional<std::size_t>{};
  return system_error(errno, "cannot read a pipe");
}

base::Result<std::size_t> write_some(const FileDescriptor& file, std::string_view bytes) {
  base::lock_rank::require_none("writing to a pipe");
  const NoPipeSignal no_pipe_signal;
  ssize_t count = 0;
  do {
    count = ::write(file.number(), bytes.data(), bytes.size());
  } while (count < 0 && errno == EINTR);
  if (count >= 0) return static_cast<std::size_t>(count);
  if (errno == EAGAIN) return std::size_t{0};
  return system_error(errno, "cannot write to a pipe");
}

base::Result<Bell> Bell::create() {
  FileDescriptor descriptor(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!descriptor.valid()) return system_error(errno, "cannot create an eventfd");
  return Bell(std::move(descriptor));
}

void Bell::ring() const {
  const std::uint64_t one = 1;
  // A failed write means that the counter is full, so the bell is rung.
  std::ignore = ::write(descriptor_.number(), &one, sizeof(one));
}

void Bell::silence() const {
  std::uint64_t count = 0;
  std::ignore = ::read(descriptor_.number(), &count, sizeof(count));
}

base::Result<void> wait_for_any(std::span<Awaited> files, int timeout_ms) {
  base::lock_rank::require_none("waiting for descriptors");
  std::vector<pollfd> entries;
  for (const Awaited& awaited : files) {
    const int number = awaited.file == nullptr ? -1 : awaited.file->number();
    entries.push_back({.fd = number,
                       .events = static_cast<short>(awaited.to_write ? POLLOUT : POLLIN),
                       .revents = 0});
  }
  const int count = ::poll(entries.data(), entries.size(), timeout_ms);
  if (count < 0 && errno != EINTR) return system_error(errno, "cannot wait for pipes");
  for (std::size_t at = 0; at < files.size(); ++at) {
    files[at].ready = count > 0 && entries[at].revents != 0;
  }
  return {};
}

}  // namespace clever::io
