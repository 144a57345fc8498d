#pragma once
#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "http/message.h"

// The cookie that keeps a page's token: HttpOnly, SameSite=Strict, for this host alone; over TLS
// also Secure.
namespace clever::server {

/// The value of the only cookie of that name; none if it is missing or sent twice. Pure.
[[nodiscard]] std::optional<std::string_view> cookie_value(const http::Request& request,
                                                           std::string_view name);

/// The token in the request's cookie; empty if there is none. Over TLS only a cookie that was set
/// over TLS counts.
[[nodiscard]] std::string_view cookie_token(const http::Request& request);

/// What a login at a provider is recognised by when the browser comes back from there; an empty
/// text removes it. SameSite=Lax: the provider's redirect sends it.
[[nodiscard]] std::string_view cookie_login(const http::Request& request);
[[nodiscard]] http::Header keep_login(const http::Request& request, std::string_view login);

/// Headers that set and remove the cookie.
[[nodiscard]] http::Header keep_token(const http::Request& request, std::string_view token,
                                      std::chrono::seconds lasts);
[[nodiscard]] http::Header drop_token(const http::Request& request);

}  // namespace clever::server
