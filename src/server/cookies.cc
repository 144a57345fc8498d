#include "server/cookies.h"

#include <cstddef>

#include "base/text.h"

namespace clever::server {
namespace {

constexpr std::string_view kPlainName = "agents-token";
// Browsers take this prefix only for a Secure cookie of this very host.
constexpr std::string_view kSecureName = "__Host-agents-token";

std::string_view name_for(const http::Request& request) {
  return request.peer.tls ? kSecureName : kPlainName;
}

constexpr std::string_view kPlainLogin = "agents-login";
constexpr std::string_view kSecureLogin = "__Host-agents-login";
constexpr std::chrono::minutes kLoginTakes{10};

std::string_view login_name(const http::Request& request) {
  return request.peer.tls ? kSecureLogin : kPlainLogin;
}

http::Header set_cookie(const http::Request& request, std::string_view name, std::string_view value,
                        std::string_view same_site, std::chrono::seconds lasts) {
  std::string text(name);
  text.append("=").append(value).append("; Path=/; HttpOnly; SameSite=").append(same_site);
  text.append("; Max-Age=");
  text.append(std::to_string(lasts.count()));
  if (request.peer.tls) text.append("; Secure");
  return {"Set-Cookie", std::move(text)};
}

}  // namespace

std::optional<std::string_view> cookie_value(const http::Request& request, std::string_view name) {
  std::optional<std::string_view> value;
  for (const http::Header& header : request.headers) {
    if (header.name != "cookie") continue;
    for (const std::string_view pair : base::split(header.value, ';')) {
      const std::size_t equals = pair.find('=');
      if (equals == std::string_view::npos) continue;
      if (base::trimmed(pair.substr(0, equals)) != name) continue;
      if (value) return std::nullopt;
      value = base::trimmed(pair.substr(equals + 1));
    }
  }
  return value;
}

std::string_view cookie_token(const http::Request& request) {
  return cookie_value(request, name_for(request)).value_or("");
}

http::Header keep_token(const http::Request& request, std::string_view token,
                        std::chrono::seconds lasts) {
  return set_cookie(request, name_for(request), token, "Strict", lasts);
}

http::Header drop_token(const http::Request& request) {
  return set_cookie(request, name_for(request), "", "Strict", std::chrono::seconds(0));
}

std::string_view cookie_login(const http::Request& request) {
  return cookie_value(request, login_name(request)).value_or("");
}

http::Header keep_login(const http::Request& request, std::string_view login) {
  return set_cookie(request, login_name(request), login, "Lax",
                    login.empty() ? std::chrono::seconds(0) : std::chrono::seconds(kLoginTakes));
}

}  // namespace clever::server
