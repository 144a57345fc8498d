#include "http/internal/client.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>

#include <cerrno>
#include <string_view>

namespace clever::http::internal {
namespace {

bool would_block(int error) { return error == EAGAIN || error == EWOULDBLOCK || error == EINTR; }

}  // namespace

void Client::give_up_after(std::chrono::milliseconds time) {
  if (peer_.unix_socket) return;
  const auto milliseconds = static_cast<unsigned>(time.count());
  static_cast<void>(
      ::setsockopt(number(), IPPROTO_TCP, TCP_USER_TIMEOUT, &milliseconds, sizeof milliseconds));
}

void Client::read(std::string& buffer, base::TimePoint now) {
  const ssize_t size = ::recv(number(), buffer.data(), buffer.size(), 0);
  if (size > 0) {
    session_.receive(std::string_view(buffer).substr(0, static_cast<std::size_t>(size)), now);
  } else if (size == 0) {
    session_.receive_end(now);
  } else if (!would_block(errno)) {
    session_.abandon(StreamEnd::kPeerGone, now);
  }
}

void Client::write(base::TimePoint now) {
  while (!is_over() && !session_.connection().output().empty()) {
    const std::string_view output = session_.connection().output();
    const ssize_t size = ::send(number(), output.data(), output.size(), MSG_NOSIGNAL);
    if (size > 0) {
      session_.sent(static_cast<std::size_t>(size), now);
    } else if (would_block(errno)) {
      break;
    } else {
      session_.abandon(StreamEnd::kPeerGone, now);
    }
  }
  if (session_.connection().wants_shutdown() && !shut_) {
    shut_ = true;
    ::shutdown(number(), SHUT_WR);
  }
}

std::uint32_t Client::wanted_events() const noexcept {
  const Connection& connection = session_.connection();
  std::uint32_t events = 0;
  if (connection.wants_input()) events |= EPOLLIN;
  // Input that fills its buffer hides the end behind it.
  if (connection.is_streaming()) events |= EPOLLRDHUP;
  if (!connection.output().empty()) events |= EPOLLOUT;
  return events;
}

}  // namespace clever::http::internal
