#include "provider/base_url.h"

#include <algorithm>
#include <cstdint>

#include "base/number.h"
#include "base/text.h"
#include "provider/internal/characters.h"

namespace clever::provider {
namespace {

constexpr std::uint32_t kLastPort = 65535;

bool is_port(std::string_view text) {
  const std::uint32_t port = base::to_number<std::uint32_t>(text).value_or(0);
  return port > 0 && port <= kLastPort;
}

bool is_host_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '.' || c == '_';
}

bool is_address_character(char c) {
  return (c >= 'a' && c <= 'f') || (c >= '0' && c <= '9') || c == ':' || c == '.';
}

base::Error wrong_url(std::string_view what) {
  return base::invalid_argument(std::string(what) +
                                "; expected something like https://api.example.com/v1");
}

struct Authority {
  std::string host;
  std::string port;
};

// "host", "host:port", "[address]:port"
base::Result<Authority> parse_authority(std::string_view text) {
  Authority authority;
  const bool bracketed = text.starts_with('[');
  const std::size_t end = bracketed ? text.find(']') : text.find(':');
  if (bracketed && end == std::string_view::npos)
    return wrong_url("its address lacks the closing ]");
  const std::size_t host_end = std::min(end, text.size());
  authority.host = base::lower_case(text.substr(bracketed ? 1 : 0, host_end - (bracketed ? 1 : 0)));
  std::string_view rest = text.substr(std::min(host_end + (bracketed ? 1 : 0), text.size()));
  if (authority.host.empty()) return wrong_url("no host");
  const bool sound = bracketed ? std::ranges::all_of(authority.host, is_address_character)
                               : std::ranges::all_of(authority.host, is_host_character);
  if (!sound) return wrong_url("its host has a character that host names cannot have");
  if (rest.empty()) return authority;
  if (!rest.starts_with(':') || !is_port(rest.substr(1))) {
    return wrong_url("its port is not a number from 1 to 65535");
  }
  authority.port = rest.substr(1);
  return authority;
}

bool is_sound_path(std::string_view path) {
  return std::ranges::none_of(path, [](char c) {
    return static_cast<unsigned char>(c) <= ' ' || static_cast<unsigned char>(c) >= 0x7F ||
           c == '"' || c == '<' || c == '>' || c == '\\';
  });
}

}  // namespace

base::Result<BaseUrl> BaseUrl::parse(std::string_view text) {
  const std::size_t colon = text.find("://");
  if (text.empty()) return wrong_url("it is empty");
  if (colon == std::string_view::npos) return wrong_url("it has no http:// or https:// in front");
  BaseUrl url;
  url.scheme = base::lower_case(text.substr(0, colon));
  if (url.scheme != "http" && url.scheme != "https") {
    return wrong_url("its scheme is neither http nor https");
  }
  const std::string_view rest = text.substr(colon + 3);
  if (rest.find_first_of("?#") != std::string_view::npos) {
    return wrong_url("it has a query or fragment (? or #), which cannot be part of a base URL");
  }
  const std::size_t slash = std::min(rest.find('/'), rest.size());
  if (rest.substr(0, slash).find('@') != std::string_view::npos) {
    return wrong_url(
        "it has a user or password in front of the host; put a key into an environment variable");
  }
  CLEVER_ASSIGN(const Authority authority, parse_authority(rest.substr(0, slash)));
  url.host = authority.host;
  url.port = authority.port;
  url.path = rest.substr(slash);
  while (url.path.ends_with('/')) url.path.pop_back();
  if (!is_sound_path(url.path))
    return wrong_url("its path has a space or another forbidden character");
  return url;
}

std::string BaseUrl::to_string() const {
  const bool address = host.find(':') != std::string::npos;
  return scheme + "://" + (address ? "[" + host + "]" : host) + (port.empty() ? "" : ":" + port) +
         path;
}

bool BaseUrl::is_loopback() const {
  if (host == "localhost" || host.ends_with(".localhost") || host == "::1") return true;
  const bool numeric =
      std::ranges::all_of(host, [](char c) { return c == '.' || (c >= '0' && c <= '9'); });
  return numeric && host.starts_with("127.") && std::ranges::count(host, '.') == 3;
}

base::Result<BaseUrl> parse_ollama_host(std::string_view text) {
  constexpr std::string_view kBlank = " \t\"'";
  const std::size_t first = std::min(text.find_first_not_of(kBlank), text.size());
  text.remove_prefix(first);
  text = text.substr(0, text.find_last_not_of(kBlank) + 1);
  const bool has_scheme = text.find("://") != std::string_view::npos;
  std::string spelled(text);
  if (!has_scheme) {
    // An IPv6 address may come without its brackets, and a port without a host.
    const bool bare = std::ranges::count(text, ':') > 1 && !text.starts_with('[');
    const bool port_only = !bare && text.starts_with(':');
    spelled = "http://" + (bare ? "[" + spelled + "]" : (port_only ? "127.0.0.1" : "") + spelled);
  }
  CLEVER_ASSIGN(BaseUrl url, BaseUrl::parse(spelled));
  if (url.port.empty() && !has_scheme) url.port = "11434";
  if (url.host == "0.0.0.0" || url.host == "::") url.host = "127.0.0.1";
  return url;
}

}  // namespace clever::provider
