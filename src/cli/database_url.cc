#include "cli/database_url.h"

#include <charconv>
#include <optional>

namespace clever::cli {
namespace {

std::optional<unsigned> hex_digit(char c) {
  if (c >= '0' && c <= '9') return static_cast<unsigned>(c - '0');
  if (c >= 'a' && c <= 'f') return static_cast<unsigned>(c - 'a' + 10);
  if (c >= 'A' && c <= 'F') return static_cast<unsigned>(c - 'A' + 10);
  return std::nullopt;
}

std::string percent_decoded(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto high = text[i] == '%' && i + 2 < text.size() ? hex_digit(text[i + 1]) : std::nullopt;
    const auto low = high ? hex_digit(text[i + 2]) : std::nullopt;
    if (low) {
      result.push_back(static_cast<char>(*high * 16 + *low));
      i += 2;
    } else {
      result.push_back(text[i]);
    }
  }
  return result;
}

// The value of a parameter after the question mark.
std::optional<std::string> parameter(std::string_view query, std::string_view name) {
  while (!query.empty()) {
    const std::string_view pair = query.substr(0, query.find('&'));
    query.remove_prefix(std::min(pair.size() + 1, query.size()));
    const std::size_t equals = pair.find('=');
    if (equals != std::string_view::npos && pair.substr(0, equals) == name) {
      return percent_decoded(pair.substr(equals + 1));
    }
  }
  return std::nullopt;
}

struct HostAndPort {
  std::string host;
  std::string port;
};

// "host:5432", "[::1]:5432", "host"
HostAndPort split_host(std::string_view text) {
  if (text.starts_with('[')) {
    const std::size_t end = std::min(text.find(']'), text.size());
    const std::string_view rest = text.substr(std::min(end + 1, text.size()));
    return {std::string(text.substr(1, end - 1)),
            std::string(rest.starts_with(':') ? rest.substr(1) : rest)};
  }
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) return {percent_decoded(text), ""};
  return {percent_decoded(text.substr(0, colon)), std::string(text.substr(colon + 1))};
}

base::Result<std::uint16_t> port_number(const std::string& text) {
  if (text.empty()) return std::uint16_t{5432};
  std::uint16_t port = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  if (error != std::errc{} || end != text.data() + text.size() || port == 0) {
    return base::invalid_argument("the port is not a number from 1 to 65535");
  }
  return port;
}

base::Result<DatabaseAddress> postgres_address(std::string_view rest) {
  const std::size_t question = std::min(rest.find('?'), rest.size());
  const std::string_view query = rest.substr(std::min(question + 1, rest.size()));
  std::string_view authority = rest.substr(0, question);
  authority = authority.substr(0, authority.find('/'));
  if (const std::size_t at = authority.rfind('@'); at != std::string_view::npos) {
    authority.remove_prefix(at + 1);
  }
  HostAndPort place = split_host(authority.substr(0, authority.find(',')));
  if (auto host = parameter(query, "host")) place.host = *host;
  if (auto port = parameter(query, "port")) place.port = *port;
  CLEVER_ASSIGN(const std::uint16_t port, port_number(place.port));
  if (place.host.empty()) place.host = "/var/run/postgresql";
  if (place.host.starts_with('/')) {
    return DatabaseAddress(
        PostgresSocket{std::filesystem::path(place.host) / (".s.PGSQL." + std::to_string(port))});
  }
  return DatabaseAddress(PostgresHost{place.host, port});
}

}  // namespace

base::Result<DatabaseAddress> database_address(std::string_view url,
                                               const std::filesystem::path& home) {
  if (url.empty()) return DatabaseAddress(SqliteFile{home / "cleveragents.db"});
  if (url.starts_with("sqlite::memory:")) return DatabaseAddress(SqliteFile{});
  if (url.starts_with("sqlite:")) return DatabaseAddress(SqliteFile{url.substr(7)});
  for (const std::string_view scheme : {"postgresql://", "postgres://"}) {
    if (url.starts_with(scheme)) return postgres_address(url.substr(scheme.size()));
  }
  return base::invalid_argument("database.url is neither sqlite:PATH nor postgresql://…");
}

}  // namespace clever::cli
