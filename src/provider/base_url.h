#pragma once
#include <string>
#include <string_view>

#include "base/result.h"

namespace clever::provider {

/// The address of an API, taken apart. A value.
struct BaseUrl {
  /// "http" or "https".
  std::string scheme{};
  /// In lower case; of an IPv6 address without its brackets.
  std::string host{};
  /// As written; empty if the scheme's own is meant.
  std::string port{};
  /// "/v1", without a slash at the end; empty for the root.
  std::string path{};

  /// `invalid_argument` says what is wrong: no scheme, another scheme than http and https, no host,
  /// a port that is none, a user or password, a query or fragment, a space. The text is not
  /// repeated where it may hold a secret.
  [[nodiscard]] static base::Result<BaseUrl> parse(std::string_view text);

  [[nodiscard]] std::string to_string() const;
  /// Whether the host is this machine by its name or address alone: localhost, 127.0.0.0/8, ::1.
  [[nodiscard]] bool is_loopback() const;
};

/// What OLLAMA_HOST means: "host", "host:port", ":port", an address, or a URL; the scheme is http
/// and the port 11434 where none is given (with https 443, with http:// 80, as Ollama has it), and
/// 0.0.0.0 or [::], on which a server listens, is reached as 127.0.0.1.
[[nodiscard]] base::Result<BaseUrl> parse_ollama_host(std::string_view text);

}  // namespace clever::provider
