#include "server/proxies.h"

#include <algorithm>
#include <ranges>
#include <string_view>
#include <utility>

#include "base/text.h"
#include "http/address.h"

namespace clever::server {
namespace {

// All values of a list header, in order.
std::vector<std::string> values_of(const http::Request& request, std::string_view name) {
  std::vector<std::string> values;
  for (const http::Header& header : request.headers) {
    if (header.name != name) continue;
    for (const std::string_view value : base::split(header.value, ',')) {
      values.emplace_back(base::trimmed(value));
    }
  }
  return values;
}

bool is_address(const std::string& text) {
  const auto parsed = http::parse_address((text.contains(':') ? "[" + text + "]" : text) + ":1");
  return parsed.ok() && parsed->host == text;
}

}  // namespace

bool Proxies::knows(std::string_view address) const {
  return std::ranges::find(addresses_, address) != addresses_.end();
}

bool Proxies::sent(const http::Request& request) const {
  return knows(request.peer.unix_socket ? "unix" : request.peer.address);
}

http::Peer Proxies::client_of(const http::Request& request) const {
  http::Peer client = request.peer;
  if (!sent(request)) return client;
  const auto schemes = values_of(request, "x-forwarded-proto");
  client.tls = !schemes.empty() && base::lower_case(schemes.back()) == "https";
  for (const std::string& address : values_of(request, "x-forwarded-for") | std::views::reverse) {
    if (!is_address(address)) break;
    client.address = address;
    client.unix_socket = false;
    client.port = 0;
    if (!knows(address)) break;
  }
  return client;
}

}  // namespace clever::server
