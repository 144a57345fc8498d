#include "io/internal/proxies.h"

namespace clever::io::internal {
namespace {

std::string first_of(const Environment& environment, std::string_view lower,
                     std::string_view upper) {
  const std::string value = environment.value(lower).value_or(std::string());
  return value.empty() ? environment.value(upper).value_or(std::string()) : value;
}

}  // namespace

Proxies::Proxies(const Environment& environment)
    : http_(first_of(environment, "http_proxy", "HTTP_PROXY")),
      https_(first_of(environment, "https_proxy", "HTTPS_PROXY")),
      no_proxy_(first_of(environment, "no_proxy", "NO_PROXY")) {
  const std::string all = first_of(environment, "all_proxy", "ALL_PROXY");
  if (http_.empty()) http_ = all;
  if (https_.empty()) https_ = all;
}

const std::string& Proxies::for_url(const UrlParts& url) const {
  if (url.is_loopback()) return none_;
  return url.secure ? https_ : http_;
}

}  // namespace clever::io::internal
