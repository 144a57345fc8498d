#include "confine/internal/channel.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "io/system_error.h"

namespace clever::confine::internal {
namespace {

// dup2(2) moves a child's descriptors to the numbers below, which must not be in use.
constexpr int kFirstFree = 10;

base::Result<io::FileDescriptor> lifted(int number) {
  io::FileDescriptor low(number);
  if (number >= kFirstFree) return low;
  io::FileDescriptor high(::fcntl(number, F_DUPFD_CLOEXEC, kFirstFree));
  // EINVAL: the limit excludes even the first of those numbers.
  if (!high.valid())
    return io::system_error(errno == EINVAL ? EMFILE : errno, "cannot create a pipe");
  return high;
}

base::Error closed() { return base::unavailable("the other side closed the connection"); }

}  // namespace

base::Result<Ends> make_pipe() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return io::system_error(errno, "cannot create a pipe");
  auto reading = lifted(ends[0]);
  auto writing = lifted(ends[1]);
  if (!reading.ok()) return std::move(reading).error();
  if (!writing.ok()) return std::move(writing).error();
  return Ends{.reading = std::move(reading).value(), .writing = std::move(writing).value()};
}

base::Result<Sockets> make_socket_pair() {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
    return io::system_error(errno, "cannot create a socket");
  }
  auto ours = lifted(ends[0]);
  auto theirs = lifted(ends[1]);
  if (!ours.ok()) return std::move(ours).error();
  if (!theirs.ok()) return std::move(theirs).error();
  return Sockets{.ours = std::move(ours).value(), .theirs = std::move(theirs).value()};
}

base::Result<void> make_nonblocking(const io::FileDescriptor& file) {
  const int flags = ::fcntl(file.number(), F_GETFL);
  if (flags < 0 || ::fcntl(file.number(), F_SETFL, flags | O_NONBLOCK) != 0) {
    return io::system_error(errno, "cannot set up a pipe");
  }
  return {};
}

base::Result<void> send_all(int socket, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (count >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(count));
    } else if (errno == EPIPE || errno == ECONNRESET) {
      return closed();
    } else if (errno != EINTR) {
      return io::system_error(errno, "cannot write to a socket");
    }
  }
  return {};
}

base::Result<std::string> receive_exactly(int socket, std::size_t count,
                                          std::chrono::milliseconds patience) {
  std::string bytes(count, '\0');
  for (std::size_t have = 0; have < count;) {
    pollfd event{.fd = socket, .events = POLLIN, .revents = 0};
    const int ready = ::poll(&event, 1, static_cast<int>(patience.count()));
    if (ready == 0) return base::unavailable("the other side does not answer");
    const ssize_t read = ready < 0 ? -1 : ::read(socket, bytes.data() + have, count - have);
    if (read > 0) {
      have += static_cast<std::size_t>(read);
    } else if (read == 0 || errno == ECONNRESET) {
      return closed();
    } else if (errno != EINTR) {
      return io::system_error(errno, "cannot read from a socket");
    }
  }
  return bytes;
}

}  // namespace clever::confine::internal
