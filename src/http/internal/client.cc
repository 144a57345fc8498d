#include "http/internal/client.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>

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
    receive(std::string_view(buffer).substr(0, static_cast<std::size_t>(size)), now);
  } else if (size == 0) {
    session_.receive_end(now);
  } else if (!would_block(errno)) {
    session_.abandon(StreamEnd::kPeerGone, now);
  }
}

void Client::receive(std::string_view bytes, base::TimePoint now) {
  if (tls_ == nullptr) {
    session_.receive(bytes, now);
  } else {
    decrypt(bytes, now);
  }
}

void Client::decrypt(std::string_view bytes, base::TimePoint now) {
  std::string plain;
  const TlsSession::State state = tls_->receive(bytes, plain);
  if (!plain.empty()) session_.receive(plain, now);
  if (state == TlsSession::State::kEnded) {
    session_.receive_end(now);
  } else if (state == TlsSession::State::kBroken) {
    // An alert is small: it fits, or it is lost.
    static_cast<void>(send(tls_->output()));
    session_.abandon(StreamEnd::kPeerGone, now);
  }
}

void Client::write(base::TimePoint now) {
  Sent sent = Sent::kSome;
  while (sent == Sent::kSome && !is_over()) sent = write_some(now);
  if (sent == Sent::kFailed) session_.abandon(StreamEnd::kPeerGone, now);
  const Connection& connection = session_.connection();
  const bool in_order = connection.is_over() && connection.reason() == StreamEnd::kClosed;
  if (connection.wants_shutdown() || in_order) say_goodbye();
}

Client::Sent Client::write_some(base::TimePoint now) {
  if (tls_ != nullptr && !encrypt()) return Sent::kFailed;
  const std::string_view bytes = tls_ == nullptr ? session_.connection().output() : tls_->output();
  if (bytes.empty()) return Sent::kNothing;
  const ssize_t size = send(bytes);
  if (size < 0) return would_block(errno) ? Sent::kNothing : Sent::kFailed;
  const auto count = static_cast<std::size_t>(size);
  if (tls_ == nullptr) {
    session_.sent(count, now);
    return Sent::kSome;
  }
  tls_->sent(count);
  // Report progress to the connection once the whole piece is sent.
  if (tls_->output().empty()) session_.sent(std::exchange(encrypted_, 0), now);
  return Sent::kSome;
}

// Encrypts the next piece of output once the last one is sent; returns false on failure.
bool Client::encrypt() {
  const std::string_view output = session_.connection().output();
  if (!tls_->output().empty() || output.empty()) return true;
  encrypted_ = std::min(output.size(), TlsSession::kLargestPiece);
  return tls_->write(output.substr(0, encrypted_));
}

ssize_t Client::send(std::string_view bytes) const {
  return ::send(number(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
}

// Tells the peer that it has received everything.
void Client::say_goodbye() {
  if (std::exchange(said_goodbye_, true)) return;
  if (tls_ != nullptr) {
    tls_->close();
    static_cast<void>(send(tls_->output()));
  }
  ::shutdown(number(), SHUT_WR);
}

std::uint32_t Client::wanted_events() const noexcept {
  const Connection& connection = session_.connection();
  const bool has_output =
      !connection.output().empty() || (tls_ != nullptr && !tls_->output().empty());
  std::uint32_t events = 0;
  if (connection.wants_input()) events |= EPOLLIN;
  // Input that fills its buffer hides the end behind it.
  if (connection.is_streaming()) events |= EPOLLRDHUP;
  if (has_output) events |= EPOLLOUT;
  return events;
}

}  // namespace clever::http::internal
