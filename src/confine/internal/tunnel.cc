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

// One way: reads when there is nothing left to write.
class Lane {
 public:
  Lane(int from, int to, std::string_view first) : from_(from), to_(to), buffer_(first) {}

  [[nodiscard]] short wants_to_read() const { return !ended_ && buffer_.empty() ? POLLIN : 0; }
  [[nodiscard]] short wants_to_write() const { return buffer_.empty() ? 0 : POLLOUT; }
  [[nodiscard]] bool done() const { return ended_ && buffer_.empty(); }
  [[nodiscard]] bool failed() const { return failed_; }

  void read() {
    std::array<char, kBufferSize> bytes;
    const ssize_t count = ::recv(from_, bytes.data(), bytes.size(), 0);
    if (count > 0) {
      buffer_.assign(bytes.data(), static_cast<std::size_t>(count));
    } else if (count == 0) {
      ended_ = true;
      ::shutdown(to_, SHUT_WR);
    } else {
      failed_ = errno != EAGAIN && errno != EINTR;
    }
  }

  void write() {
    const ssize_t count = ::send(to_, buffer_.data(), buffer_.size(), MSG_NOSIGNAL);
    if (count >= 0) {
      buffer_.erase(0, static_cast<std::size_t>(count));
    } else {
      failed_ = errno != EAGAIN && errno != EINTR;
    }
  }

 private:
  int from_;
  int to_;
  std::string buffer_;
  bool ended_ = false;
  bool failed_ = false;
};

}  // namespace

void pass_both_ways(const io::FileDescriptor& first, const io::FileDescriptor& second,
                    std::string_view for_second, int stop_event, base::Clock& clock) {
  Lane there(first.number(), second.number(), for_second);
  Lane back(second.number(), first.number(), {});
  auto silence = base::Deadline::after(clock, kLongestSilence);
  while (!(there.done() && back.done()) && !there.failed() && !back.failed()) {
    const auto events_of = [](const Lane& in, const Lane& out) {
      return static_cast<short>(in.wants_to_read() | out.wants_to_write());
    };
    std::array<pollfd, 3> events{
        {{.fd = first.number(), .events = events_of(there, back), .revents = 0},
         {.fd = second.number(), .events = events_of(back, there), .revents = 0},
         {.fd = stop_event, .events = POLLIN, .revents = 0}}};
    // A closed lane without anything to say would wake this thread for ever.
    for (std::size_t i : {0U, 1U}) {
      if (events[i].events == 0) events[i].fd = -1;
    }
    ::poll(events.data(), events.size(), poll_timeout(silence));
    if (events[2].revents != 0 || silence.passed()) return;
    const short at_first = events[0].revents;
    const short at_second = events[1].revents;
    if (at_first != 0 || at_second != 0) silence = base::Deadline::after(clock, kLongestSilence);
    if (at_second != 0 && there.wants_to_write() != 0)
      there.write();
    else if (at_first != 0 && there.wants_to_read() != 0)
      there.read();
    if (at_first != 0 && back.wants_to_write() != 0)
      back.write();
    else if (at_second != 0 && back.wants_to_read() != 0)
      back.read();
  }
}

}  // namespace clever::confine::internal
