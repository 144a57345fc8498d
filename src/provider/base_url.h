#pragma once
#include <string>
#include <string_view>

#include "base/result.h"

namespace clever::provider {

/// The address of an API, parsed. A value.
struct BaseUrl {
  /// "http" or "https".
  std::string scheme{};
  /// In lower case; an IPv6 address without its brackets.
  std::string host{};
  /// As written; empty for the scheme's default.
  std::string port{};
  /// "/v1", without a slash at the end; empty for the root.
  std::string path{};

  /// `invalid_argument` says what is wrong: no scheme, another scheme than http and https, no host,
  /// an invalid port, a user or password, a query or fragment, a space. It does not repeat text
  /// that may hold a secret.
  [[nodiscard]] static base::Result<BaseUrl> parse(std::string_view text);

  [[nodiscard]] std::string to_string() const;
  /// Whether the host is this machine, judged by name or address: localhost, 127.0.0.0/8, ::1.
  [[nodiscard]] bool is_loopback() const;
};

/// Parses OLLAMA_HOST: "host", "host:port", ":port", an address, or a URL. The default scheme is
/// http and the default port 11434 (443 with https://, 80 with http://, as in Ollama). 0.0.0.0 or
/// [::], on which a server listens, becomes 127.0.0.1.
[[nodiscard]] base::Result<BaseUrl> parse_ollama_host(std::string_view text);

}  // namespace clever::provider
