#include "io/internal/url_parts.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <system_error>

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

constexpr std::string_view kOverSocket = "http+unix://";

// None if it is no absolute path without NUL.
std::optional<std::string> decoded_path(std::string_view text) {
  std::string path;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      path += text[i];
      continue;
    }
    unsigned value = 0;
    const std::string_view digits = text.substr(i + 1, 2);
    const auto [rest, error] = std::from_chars(digits.begin(), digits.end(), value, 16);
    const bool is_byte = error == std::errc() && rest == digits.end() && digits.size() == 2;
    if (!is_byte || value == 0) return std::nullopt;
    path += static_cast<char>(value);
    i += 2;
  }
  return path.starts_with('/') ? std::optional(path) : std::nullopt;
}

std::optional<UrlParts> split_socket_url(std::string_view url) {
  const std::string_view rest = url.substr(kOverSocket.size());
  const std::size_t end = std::min(rest.find('/'), rest.size());
  auto socket = decoded_path(rest.substr(0, end));
  if (!socket) return std::nullopt;
  UrlParts parts{.host = "localhost",
                 .port = "80",
                 .socket = *std::move(socket),
                 .target = "http://localhost" + std::string(rest.substr(end))};
  parts.origin = parts.place();
  return parts;
}

}  // namespace

bool UrlParts::is_loopback() const {
  return host == "localhost" || host.ends_with(".localhost") || host.starts_with("127.") ||
         host == "::1";
}

std::optional<UrlParts> split_url(std::string_view url) {
  if (url.starts_with(kOverSocket)) return split_socket_url(url);
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
