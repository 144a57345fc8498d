#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace clever::io::internal {

/// The parts of a URL that the client needs before libcurl does.
struct UrlParts {
  bool secure = false;
  std::string host{};    // without brackets
  std::string port{};    // the scheme's own if the URL names none
  std::string origin{};  // "https://host:443": equal for URLs that may share connections

  std::string socket{};  // the path of the unix socket, of an http+unix URL
  std::string target{};  // and the URL that is requested over it

  /// "host:port" or "unix:/path", for people.
  [[nodiscard]] std::string place() const {
    return socket.empty() ? host + ":" + port : "unix:" + socket;
  }
  /// This machine, which no proxy can reach.
  [[nodiscard]] bool is_loopback() const;
};

/// Nothing if it is not http:// or https:// with a host, or http+unix:// with the percent-encoded
/// path of a socket in place of the host.
[[nodiscard]] std::optional<UrlParts> split_url(std::string_view url);

/// The URL without its possible secrets: user, password, query and fragment.
[[nodiscard]] std::string without_secrets(std::string_view url);

}  // namespace clever::io::internal
