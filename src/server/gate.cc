#include "server/gate.h"

#include <algorithm>
#include <utility>

#include "base/sha256.h"
#include "base/text.h"
#include "server/cookies.h"
#include "service/text.h"

namespace clever::server {
namespace {

using service::in_quotes;

constexpr std::string_view kScheme = "bearer ";

// Without the port, in lower case, an IPv6 address without brackets.
std::string name_of(std::string_view host) {
  if (host.starts_with('[')) {
    return base::lower_case(host.substr(1, std::min(host.find(']'), host.size()) - 1));
  }
  return base::lower_case(host.substr(0, host.find(':')));
}

// The token of exactly one Authorization header; empty: there is none.
std::string_view bearer_token(const http::Request& request) {
  std::string_view token;
  std::size_t headers = 0;
  for (const http::Header& header : request.headers) {
    if (header.name != "authorization") continue;
    ++headers;
    const std::string_view value = header.value;
    if (base::lower_case(value.substr(0, kScheme.size())) != kScheme) continue;
    token = base::trimmed(value.substr(kScheme.size()));
  }
  return headers == 1 ? token : std::string_view();
}

// The id in "agents_ID_SECRET": an account for which failures are counted.
std::string account_of(std::string_view token) {
  constexpr std::size_t kIdEnd = 33;
  return token.size() > kIdEnd ? "token " + std::string(token.substr(0, kIdEnd)) : std::string();
}

// A page says where it comes from with whatever changes something, and check_site() has compared
// that: a form or a link of another site sends the cookie without it.
bool may_be_forged(const http::Request& request) {
  return request.method != "GET" && request.method != "HEAD" && !request.header("origin");
}

}  // namespace

Gate::Gate(Options options, const base::Clock& clock)
    : options_(std::move(options)),
      failures_(clock),
      peers_(options_.is_confined ? options_.is_confined
                                  : [](const http::Peer& /*peer*/) { return false; }) {}

std::optional<Problem> Gate::check_peer(const http::Request& request) {
  if (peers_.admits(request.peer)) return std::nullopt;
  return Problem{.status = 403,
                 .code = "permission_denied",
                 .detail = "commands in a sandbox do not reach this server",
                 .hint = "a program whose process this server cannot see can use its unix socket"};
}

bool Gate::knows_host(std::string_view host) const {
  const std::string name = name_of(host);
  if (name == "localhost" || name == "127.0.0.1" || name == "::1") return true;
  const bool listens = std::ranges::any_of(options_.listening, [&](const http::Address& address) {
    return !address.is_unix_socket() && address.host == name;
  });
  return listens || std::ranges::any_of(options_.hosts, [&](const std::string& known) {
           return base::lower_case(known) == name;
         });
}

std::optional<Problem> Gate::check_site(const http::Request& request) const {
  if (!knows_host(request.host)) {
    return Problem{.status = 403,
                   .code = "permission_denied",
                   .detail = "this server is not known as " + in_quotes(request.host),
                   .hint = "the setting server.hosts lists the names it answers to"};
  }
  const auto origin = request.header("origin");
  if (!origin) return std::nullopt;
  const std::string own = (request.peer.tls ? "https://" : "http://") + request.host;
  if (base::lower_case(*origin) == base::lower_case(own)) return std::nullopt;
  return Problem{.status = 403,
                 .code = "permission_denied",
                 .detail = "requests of pages from " + in_quotes(*origin) + " are not answered"};
}

Problem Gate::refused(const http::Request& request, const std::string& why,
                      const std::string& account) {
  const bool by_address = failures_.add(network_of(request.peer.address));
  const bool by_account = !account.empty() && failures_.add(account);
  if (by_address || by_account) {
    return {.status = 429,
            .code = "resource_exhausted",
            .detail = by_address ? "too many requests with a wrong token came from this address"
                                 : "too many wrong logins were tried for this account",
            .headers = {{"Retry-After", std::to_string(LoginFailures::kWindow.count())}}};
  }
  return {
      .status = 401,
      .code = "unauthenticated",
      .detail = why,
      .hint = "`agents token create` creates one; the server's own is in server.token in its home",
      .headers = {{"WWW-Authenticate", "Bearer realm=\"agents\""}}};
}

std::variant<service::Caller, Problem> Gate::admit(const http::Request& request) {
  std::string_view token = bearer_token(request);
  if (!request.header("authorization")) {
    token = cookie_token(request);
    if (!token.empty() && may_be_forged(request)) {
      return Problem{.status = 403,
                     .code = "permission_denied",
                     .detail = "a change by cookie takes the header Origin of this server's page",
                     .hint = "programs send `Authorization: Bearer TOKEN`"};
    }
  }
  if (base::constant_time_equal(token, options_.token)) {
    return service::Caller{.name = "the server's token", .rights = options_.rights};
  }
  if (token.empty())
    return refused(request, "this needs a token: send `Authorization: Bearer TOKEN`");
  auto caller = options_.authenticate(token);
  if (caller.ok()) return *std::move(caller);
  const bool is_wrong = caller.error().code() == base::ErrorCode::kPermissionDenied;
  return is_wrong ? refused(request, caller.error().message(), account_of(token))
                  : problem_of(caller.error());
}

}  // namespace clever::server
