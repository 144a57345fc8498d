#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "base/result.h"

namespace clever::http {

/// The address of a server: an IP address with a port, or a unix socket. A value.
struct Address {
  std::string host{};      // numeric, an IPv6 address without brackets
  std::uint16_t port = 0;  // 0: the system picks one
  std::filesystem::path socket{};

  [[nodiscard]] bool is_unix_socket() const { return !socket.empty(); }
  /// Whether only this machine can reach it.
  [[nodiscard]] bool is_loopback() const;
  /// "127.0.0.1:7777", "[::1]:7777", "unix:/path"
  [[nodiscard]] std::string text() const;

  friend bool operator==(const Address&, const Address&) = default;
};

/// Parses the output of text(), and "localhost:PORT" for 127.0.0.1. Refuses other names: a look-up
/// may give several addresses, or a different one each time.
[[nodiscard]] base::Result<Address> parse_address(std::string_view text);

}  // namespace clever::http
