#pragma once
#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

#include "io/file_descriptor.h"

namespace clever::test {

/// A client as plain as can be, so that a server is not tested by what it is there to test. Used by
/// one thread; calls wait, half a minute at most, which only a failing test needs.
class RawClient {
 public:
  /// To a port of 127.0.0.1.
  explicit RawClient(int port) : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    connect(reinterpret_cast<const sockaddr*>(&address), sizeof(address));
  }
  /// To a unix socket.
  explicit RawClient(const std::filesystem::path& path)
      : socket_(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::ranges::copy(path.native(), static_cast<char*>(address.sun_path));
    connect(reinterpret_cast<const sockaddr*>(&address), sizeof(address));
  }

  void send(std::string_view bytes) const {
    EXPECT_EQ(::send(socket_.number(), bytes.data(), bytes.size(), MSG_NOSIGNAL),
              static_cast<ssize_t>(bytes.size()));
  }
  /// As much as the server takes: it may have closed already.
  bool try_send(std::string_view bytes) const {
    return ::send(socket_.number(), bytes.data(), bytes.size(), MSG_NOSIGNAL) ==
           static_cast<ssize_t>(bytes.size());
  }
  void ask(std::string_view target) const {
    send("GET " + std::string(target) + " HTTP/1.1\r\nHost: test\r\n\r\n");
  }
  /// Nothing more comes from here.
  void shut() const { ::shutdown(socket_.number(), SHUT_WR); }
  /// Ends the connection with a reset.
  void reset() {
    const linger now{.l_onoff = 1, .l_linger = 0};
    ::setsockopt(socket_.number(), SOL_SOCKET, SO_LINGER, &now, sizeof(now));
    socket_.reset();
  }

  /// Until `end` has come.
  std::string read_until(std::string_view end) {
    while (!text_.contains(end) && read_some()) {
    }
    const std::size_t at = text_.find(end);
    if (at == std::string::npos) return std::exchange(text_, {});
    const std::string result = text_.substr(0, at + end.size());
    text_.erase(0, result.size());
    return result;
  }
  /// So many bytes; fewer if the connection ends before.
  std::string read_exactly(std::size_t size) {
    while (text_.size() < size && read_some()) {
    }
    std::string result = text_.substr(0, size);
    text_.erase(0, result.size());
    return result;
  }
  /// Everything that comes until the connection ends.
  std::string read_all() {
    while (read_some()) {
    }
    return std::exchange(text_, {});
  }
  [[nodiscard]] bool was_reset() const { return error_ == ECONNRESET; }
  [[nodiscard]] int descriptor() const { return socket_.number(); }

 private:
  void connect(const sockaddr* address, socklen_t size) {
    const timeval limit{.tv_sec = 30, .tv_usec = 0};
    ::setsockopt(socket_.number(), SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
    EXPECT_EQ(::connect(socket_.number(), address, size), 0) << std::strerror(errno);
  }

  bool read_some() {
    std::array<char, 65'536> buffer;
    ssize_t got = -1;
    // With a time limit it is not begun again by itself when a child of the process ends.
    do {
      got = ::recv(socket_.number(), buffer.data(), buffer.size(), 0);
    } while (got < 0 && errno == EINTR);
    if (got < 0) error_ = errno;
    if (got <= 0) return false;
    text_.append(buffer.data(), static_cast<std::size_t>(got));
    return true;
  }

  io::FileDescriptor socket_;
  std::string text_{};
  int error_ = 0;
};

}  // namespace clever::test
