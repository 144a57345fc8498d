#pragma once
#include <string>

#include "io/environment.h"
#include "io/internal/url_parts.h"

namespace clever::io::internal {

/// The proxies in the environment: http_proxy, https_proxy, all_proxy and no_proxy, each in lower
/// case or else in upper case. Immutable.
class Proxies {
 public:
  explicit Proxies(const Environment& environment);

  /// The proxy's URL, or an empty text for a direct connection. This machine is always reached
  /// directly; libcurl applies no_proxy().
  [[nodiscard]] const std::string& for_url(const UrlParts& url) const;
  [[nodiscard]] const std::string& no_proxy() const noexcept { return no_proxy_; }

 private:
  std::string http_;
  std::string https_;
  std::string no_proxy_;
  std::string none_;
};

}  // namespace clever::io::internal
