#include "http/address.h"

#include <arpa/inet.h>
#include <netinet/in.h>

#include <optional>

#include "base/number.h"

namespace clever::http {
namespace {

// inet_pton() stops at a NUL.
bool has_nul(const std::string& text) { return text.contains('\0'); }

bool is_ipv4(const std::string& host) {
  in_addr address{};
  return !has_nul(host) && ::inet_pton(AF_INET, host.c_str(), &address) == 1;
}

bool is_ipv6(const std::string& host) {
  in6_addr address{};
  return !has_nul(host) && ::inet_pton(AF_INET6, host.c_str(), &address) == 1;
}

base::Error malformed(std::string_view text) {
  return base::invalid_argument(
      "'" + std::string(text) +
      "' is not an address to listen on: write 127.0.0.1:PORT, [::1]:PORT or "
      "unix:/PATH");
}

}  // namespace

bool Address::is_loopback() const {
  return is_unix_socket() || host == "::1" || (is_ipv4(host) && host.starts_with("127."));
}

std::string Address::text() const {
  if (is_unix_socket()) return "unix:" + socket.string();
  const std::string name = host.contains(':') ? "[" + host + "]" : host;
  return name + ":" + std::to_string(port);
}

base::Result<Address> parse_address(std::string_view text) {
  if (text.starts_with("unix:/")) return Address{.socket = text.substr(5)};
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) return malformed(text);
  const auto port = base::to_number<std::uint16_t>(text.substr(colon + 1));
  if (!port) return malformed(text);
  std::string host(text.substr(0, colon));
  if (host == "localhost") host = "127.0.0.1";
  if (is_ipv4(host)) return Address{.host = std::move(host), .port = *port};
  if (host.size() < 2 || !host.starts_with('[') || !host.ends_with(']')) return malformed(text);
  host = host.substr(1, host.size() - 2);
  if (!is_ipv6(host)) return malformed(text);
  return Address{.host = std::move(host), .port = *port};
}

}  // namespace clever::http
