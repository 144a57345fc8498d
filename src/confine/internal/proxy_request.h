#pragma once
#include <cstddef>
#include <string>
#include <string_view>

#include "base/result.h"
#include "confine/internal/host_rules.h"

namespace clever::confine::internal {

inline constexpr std::size_t kLargestHead = std::size_t{64} << 10U;

/// What a client asks of a proxy. A value.
struct ProxyRequest {
  Destination destination;
  /// CONNECT: the bytes that follow are none of our business.
  bool tunnel = false;
  /// What the server is sent instead of the head, if it is no tunnel.
  std::string head{};
};

/// Reads a head, with the empty line that ends it: CONNECT host:port, or a request whose target is
/// a whole http:// URL. `invalid_argument` says what is wrong with anything else.
[[nodiscard]] base::Result<ProxyRequest> parse_proxy_request(std::string_view head);

/// A whole answer with that status ("403 Forbidden") and one sentence.
[[nodiscard]] std::string proxy_refusal(std::string_view status, std::string_view sentence);

}  // namespace clever::confine::internal
