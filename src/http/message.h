#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// Requests and responses for handlers: plain values.
namespace clever::http {

struct Header {
  std::string name;
  std::string value;
  friend bool operator==(const Header&, const Header&) = default;
};

/// The other end of a connection.
struct Peer {
  std::string address{};  // "127.0.0.1", "::1"; empty for a unix socket
  std::uint16_t port = 0;
  bool unix_socket = false;
  bool tls = false;
  /// The number of the connection; never used again by this server.
  std::uint64_t connection = 0;
  // The server's end of it.
  std::string own_address{};
  std::uint16_t own_port = 0;
  /// Of a unix socket: the process that connected; 0 if it is in a foreign namespace.
  std::int64_t process = 0;
};

/// A whole request that passed every limit and every syntax check.
struct Request {
  std::string method{};
  std::string target{};  // as sent
  /// The path's segments, decoded: "/v1/plans/a%2Fb" is {"v1", "plans", "a/b"}, "/" is {""}. Each
  /// is UTF-8 without NUL and neither "." nor "..". Empty for "OPTIONS *".
  std::vector<std::string> path{};
  /// Decoded, in the order of the query; a name without "=" has an empty value.
  std::vector<std::pair<std::string, std::string>> query{};
  /// The host and port that the client requested: from an absolute target, else from the Host
  /// header.
  std::string host{};
  /// Names are in lower case. Trailers of a chunked body are dropped.
  std::vector<Header> headers{};
  std::string body{};
  Peer peer{};

  /// The first header of that (lower-case) name.
  [[nodiscard]] std::optional<std::string_view> header(std::string_view name) const;
  /// The first value of that name in the query.
  [[nodiscard]] std::optional<std::string_view> query_value(std::string_view name) const;
};

/// An answer. The server adds Date, Content-Length, Transfer-Encoding and Connection, and drops
/// those given here.
struct Response {
  int status = 200;
  std::vector<Header> headers{};
  std::string body{};
  /// Closes the connection afterwards.
  bool close = false;
};

}  // namespace clever::http
