#include "storage/internal/postgres_url.h"

#include <algorithm>
#include <filesystem>
#include <map>

#include "base/number.h"
#include "base/redact.h"
#include "storage/internal/percent.h"

namespace clever::storage::internal {
namespace {

using Postgres = DatabaseUrl::Postgres;

// The text before and after the first `mark`; without a mark all of it is `before`.
struct Split {
  std::string_view before;
  std::string_view after;
};
Split split_at(std::string_view text, std::size_t at) {
  if (at == std::string_view::npos) return {text, {}};
  return {text.substr(0, at), text.substr(at + 1)};
}

std::string lower_case(std::string text) {
  std::ranges::transform(text, text.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  });
  return text;
}

base::Result<std::uint16_t> port_number(std::string_view text) {
  if (text.empty()) return std::uint16_t{5432};
  const std::uint16_t port = base::to_number<std::uint16_t>(text).value_or(0);
  if (port == 0) {
    return base::invalid_argument(
        "the port in the database URL is not a number from 1 to 65535 (an @, / or ? in a password "
        "is written %40, %2F or %3F)");
  }
  return port;
}

// Accepts a host name, an address or a socket folder.
base::Result<std::string> checked_host(std::string host) {
  if (host.starts_with('/')) {
    const auto folder = (std::filesystem::path(host) / "").lexically_normal();
    return folder == "/" ? folder.string() : folder.parent_path().string();
  }
  if (host.find(',') != std::string::npos) {
    return base::invalid_argument("the database URL names several hosts; name one");
  }
  const auto strange = [](char c) {
    return (c >= 0 && c <= ' ') || c == '\x7f' || std::string_view("@/?#[]\"").contains(c);
  };
  if (std::ranges::any_of(host, strange)) {
    return base::invalid_argument("the host in the database URL is neither a name nor an address");
  }
  return lower_case(std::move(host));
}

struct Place {
  std::string host;
  std::string port;
};

base::Result<Place> bracketed_place(std::string_view text) {
  const std::size_t end = text.find(']');
  const std::string_view after = end == std::string_view::npos ? "" : text.substr(end + 1);
  if (end == std::string_view::npos || end == 1 || (!after.empty() && !after.starts_with(':'))) {
    return base::invalid_argument(
        "an IPv6 address in the database URL is written [ADDRESS] or [ADDRESS]:PORT");
  }
  CLEVER_ASSIGN(auto host, percent_decoded(text.substr(1, end - 1)));
  return Place{std::move(host), std::string(after.empty() ? after : after.substr(1))};
}

// "host:5432", "[::1]:5432", "host"
base::Result<Place> parse_place(std::string_view text) {
  if (text.find(',') != std::string_view::npos) {
    return base::invalid_argument("the database URL names several hosts; name one");
  }
  if (text.starts_with('[')) return bracketed_place(text);
  const auto [name, port] = split_at(text, text.find(':'));
  CLEVER_ASSIGN(auto host, percent_decoded(name));
  return Place{std::move(host), std::string(port)};
}

using Parameters = std::map<std::string, std::string>;

base::Result<Parameters> parse_parameters(std::string_view text) {
  Parameters parameters;
  while (!text.empty()) {
    const auto [pair, rest] = split_at(text, text.find('&'));
    text = rest;
    const std::size_t equals = pair.find('=');
    if (equals == 0 || equals == std::string_view::npos) {
      return base::invalid_argument("what follows the ? of a database URL is NAME=VALUE&…");
    }
    CLEVER_ASSIGN(auto name, percent_decoded(pair.substr(0, equals)));
    CLEVER_ASSIGN(auto value, percent_decoded(pair.substr(equals + 1)));
    parameters.insert_or_assign(std::move(name), std::move(value));
  }
  return parameters;
}

std::string to_text(const Parameters& parameters) {
  std::string text;
  for (const auto& [name, value] : parameters) {
    if (!text.empty()) text += '&';
    text += percent_encoded(name) + '=' + percent_encoded(value);
  }
  return text;
}

void move_into(std::string& field, Parameters& parameters, const std::string& name) {
  if (auto found = parameters.extract(name)) field = std::move(found.mapped());
}

base::Result<void> read_user(Postgres& address, std::string_view text) {
  const auto [user, password] = split_at(text, text.find(':'));
  CLEVER_ASSIGN(address.user, percent_decoded(user));
  CLEVER_ASSIGN(address.password, percent_decoded(password));
  return {};
}

base::Result<void> read_database(Postgres& address, std::string_view text) {
  if (text.find('/') != std::string_view::npos) {
    return base::invalid_argument(
        "the database URL has a / too many: one in a name or a password is written %2F");
  }
  CLEVER_ASSIGN(address.database, percent_decoded(text));
  return {};
}

// Unless secrets are included, leaves out parameters that name one.
std::string shown_parameters(const Postgres& address, Secrets secrets) {
  if (secrets == Secrets::kIncluded) return address.parameters;
  auto parameters = parse_parameters(address.parameters).value();
  std::erase_if(parameters, [](const auto& entry) { return base::names_secret(entry.first); });
  return to_text(parameters);
}

std::string shown_host(const std::string& host) {
  if (host.find(':') == std::string::npos || host.starts_with('/')) return percent_encoded(host);
  const auto [ip, zone] = split_at(host, host.find('%'));
  return '[' + std::string(ip) + (zone.empty() ? "" : "%25" + percent_encoded(zone)) + ']';
}

std::string shown_user(const Postgres& address, Secrets secrets) {
  const bool password = secrets == Secrets::kIncluded && !address.password.empty();
  if (address.user.empty() && !password) return "";
  return percent_encoded(address.user) + (password ? ':' + percent_encoded(address.password) : "") +
         '@';
}

}  // namespace

base::Result<DatabaseUrl::Address> parse_postgres(std::string_view rest) {
  const std::size_t path = std::min(rest.find_first_of("/?"), rest.size());
  const std::string_view authority = rest.substr(0, path);
  if (rest.find('@', path) != std::string_view::npos) {
    return base::invalid_argument(
        "the database URL has an @ behind its host: an @, / or ? in a name or a password is "
        "written "
        "%40, %2F or %3F");
  }
  const std::size_t at = authority.rfind('@');
  Postgres address;
  if (at != std::string_view::npos) CLEVER_TRY(read_user(address, authority.substr(0, at)));
  CLEVER_ASSIGN(auto place,
                parse_place(at == std::string_view::npos ? authority : authority.substr(at + 1)));
  const auto [database, query] = split_at(rest.substr(path), rest.substr(path).find('?'));
  CLEVER_TRY(read_database(address, database.empty() ? database : database.substr(1)));
  CLEVER_ASSIGN(auto parameters, parse_parameters(query));
  move_into(address.user, parameters, "user");
  move_into(address.password, parameters, "password");
  move_into(address.database, parameters, "dbname");
  move_into(place.host, parameters, "host");
  move_into(place.port, parameters, "port");
  CLEVER_ASSIGN(address.host, checked_host(std::move(place.host)));
  CLEVER_ASSIGN(address.port, port_number(place.port));
  address.parameters = to_text(parameters);
  return DatabaseUrl::Address(std::move(address));
}

std::string to_text(const Postgres& address, Secrets secrets) {
  const std::string parameters = shown_parameters(address, secrets);
  return "postgresql://" + shown_user(address, secrets) + shown_host(address.host) + ':' +
         std::to_string(address.port) + '/' + percent_encoded(address.database) +
         (parameters.empty() ? "" : '?' + parameters);
}

}  // namespace clever::storage::internal
