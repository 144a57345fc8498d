#include "io/internal/url_parts.h"

#include <algorithm>

#include "base/text.h"

namespace clever::io::internal {
namespace {

// Where the authority begins and ends, user and password excluded.
struct Authority {
  std::size_t begin;
  std::size_t end;
};

Authority find_authority(std::string_view url) {
  const std::size_t scheme = url.find("://");
  const std::size_t begin = scheme == std::string_view::npos ? 0 : scheme + 3;
  const std::size_t end = std::min(url.find_first_of("/?#", begin), url.size());
  const std::size_t at = url.substr(begin, end - begin).rfind('@');
  return {at == std::string_view::npos ? begin : begin + at + 1, end};
}

std::size_t host_end(std::string_view authority) {
  if (!authority.starts_with('[')) return std::min(authority.find(':'), authority.size());
  const std::size_t bracket = authority.find(']');
  return bracket == std::string_view::npos ? authority.size() : bracket + 1;
}

std::string_view without_brackets(std::string_view host) {
  if (host.starts_with('[') && host.ends_with(']')) return host.substr(1, host.size() - 2);
  return host;
}

bool is_port(std::string_view port) {
  return port.size() <= 5 && std::ranges::all_of(port, [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

bool UrlParts::is_loopback() const {
  return host == "localhost" || host.ends_with(".localhost") || host.starts_with("127.") ||
         host == "::1";
}

std::optional<UrlParts> split_url(std::string_view url) {
  const std::string scheme =
      base::lower_case(url.substr(0, std::min<std::size_t>(url.find("://"), 6)));
  if (scheme != "http" && scheme != "https") return std::nullopt;
  const Authority at = find_authority(url);
  const std::string_view authority = url.substr(at.begin, at.end - at.begin);
  const std::size_t end = host_end(authority);
  UrlParts parts{.secure = scheme == "https",
                 .host = base::lower_case(without_brackets(authority.substr(0, end)))};
  const std::string_view rest = authority.substr(end);
  if (parts.host.empty() || (!rest.empty() && !rest.starts_with(':'))) return std::nullopt;
  const std::string_view port = rest.empty() ? rest : rest.substr(1);
  if (!is_port(port)) return std::nullopt;
  parts.port = !port.empty() ? std::string(port) : parts.secure ? "443" : "80";
  parts.origin = scheme + "://" + parts.place();
  return parts;
}

std::string without_secrets(std::string_view url) {
  const Authority at = find_authority(url);
  const std::size_t scheme = url.find("://");
  const std::string_view begin =
      scheme == std::string_view::npos ? std::string_view() : url.substr(0, scheme + 3);
  return std::string(begin) +
         std::string(url.substr(at.begin, url.find_first_of("?#", at.begin) - at.begin));
}

}  // namespace clever::io::internal
