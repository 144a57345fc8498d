#include "confine/internal/tunnel.h"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <string>

#include "base/deadline.h"
#include "confine/internal/stop_event.h"

namespace clever::confine::internal {
namespace {

constexpr std::chrono::minutes kLongestSilence{10};
constexpr std::size_t kBufferSize = std::size_t{64} << 10U;

// One direction: reads when nothing is left to write. Treats a failure like the end of its input,
// because the other direction may still carry an answer.
class Lane {
 public:
  Lane(const io::FileDescriptor& from, const io::FileDescriptor& to, std::string_view first)
      : from_(from.number()), to_(to.number()), buffer_(first) {}

  [[nodiscard]] short wants_to_read() const { return !ended_ && buffer_.empty() ? POLLIN : 0; }
  [[nodiscard]] short wants_to_write() const { return buffer_.empty() ? 0 : POLLOUT; }
  [[nodiscard]] bool done() const { return ended_ && buffer_.empty(); }

  void advance(bool source_is_ready, bool target_is_ready) {
    if (target_is_ready && wants_to_write() != 0) {
      write();
    } else if (source_is_ready && wants_to_read() != 0) {
      read();
    }
  }

 private:
  static bool failed() { return errno != EAGAIN && errno != EINTR; }

  void read() {
    std::array<char, kBufferSize> bytes;
    const ssize_t count = ::recv(from_, bytes.data(), bytes.size(), 0);
    if (count > 0) {
      buffer_.assign(bytes.data(), static_cast<std::size_t>(count));
    } else if (count == 0 || failed()) {
      end();
    }
  }

  void write() {
    const ssize_t count = ::send(to_, buffer_.data(), buffer_.size(), MSG_NOSIGNAL);
    if (count >= 0) {
      buffer_.erase(0, static_cast<std::size_t>(count));
    } else if (failed()) {
      buffer_.clear();
      end();
    }
  }

  void end() {
    ended_ = true;
    ::shutdown(to_, SHUT_WR);
  }

  const int from_;
  const int to_;
  std::string buffer_;
  bool ended_ = false;
};

// Watching a closed side without wanting anything would wake this thread forever.
pollfd watch(const io::FileDescriptor& file, const Lane& from_it, const Lane& to_it) {
  const auto wanted = static_cast<short>(from_it.wants_to_read() | to_it.wants_to_write());
  return {.fd = wanted == 0 ? -1 : file.number(), .events = wanted, .revents = 0};
}

}  // namespace

void pass_both_ways(const io::FileDescriptor& client, const io::FileDescriptor& server,
                    std::string_view for_server, int stop_event, base::Clock& clock) {
  Lane there(client, server, for_server);
  Lane back(server, client, {});
  auto silence = base::Deadline::after(clock, kLongestSilence);
  while (!back.done()) {
    std::array<pollfd, 3> events{{watch(client, there, back),
                                  watch(server, back, there),
                                  {.fd = stop_event, .events = POLLIN, .revents = 0}}};
    ::poll(events.data(), events.size(), poll_timeout(silence));
    if (events[2].revents != 0 || silence.passed()) return;
    const bool at_client = events[0].revents != 0;
    const bool at_server = events[1].revents != 0;
    if (at_client || at_server) silence = base::Deadline::after(clock, kLongestSilence);
    there.advance(at_client, at_server);
    back.advance(at_server, at_client);
  }
}

}  // namespace clever::confine::internal
