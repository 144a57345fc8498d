#pragma once
#include <cstddef>
#include <string>
#include <string_view>

#include "base/result.h"
#include "confine/internal/host_rules.h"

namespace clever::confine::internal {

inline constexpr std::size_t kLargestHead = std::size_t{64} << 10U;

/// A client's request to a proxy. A value.
struct ProxyRequest {
  Destination destination;
  /// CONNECT: the following bytes are passed on unread.
  bool tunnel = false;
  /// The head for the server, unless it is a tunnel.
  std::string head{};
};

/// Parses a head, including the empty line: CONNECT host:port, or a request whose target is a whole
/// http:// URL. Otherwise `invalid_argument` says what is wrong.
[[nodiscard]] base::Result<ProxyRequest> parse_proxy_request(std::string_view head);

/// A complete response with that status ("403 Forbidden") and one sentence.
[[nodiscard]] std::string proxy_refusal(std::string_view status, std::string_view sentence);

}  // namespace clever::confine::internal
