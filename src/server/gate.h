#pragma once
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/clock.h"
#include "http/address.h"
#include "http/message.h"
#include "server/failures.h"
#include "server/peer_check.h"
#include "server/problem.h"
#include "server/proxies.h"
#include "service/caller.h"

namespace clever::server {

/// Who may come in: the first thing that a request meets.
///
/// Thread-safe.
class Gate {
 public:
  struct Options {
    /// The home's own token, and what it allows.
    std::string token{};
    service::Rights rights = service::Rights::all();
    /// Whose any other token is; `permission_denied` for one that does not count.
    std::function<base::Result<service::Caller>(std::string_view token)> authenticate{};
    std::vector<http::Address> listening{};
    /// Names by which clients may ask beside those.
    std::vector<std::string> hosts{};
    /// Whether a command in confinement is at the other end; empty: there is none.
    std::function<bool(const http::Peer&)> is_confined{};
    /// Whose forwarded headers count.
    Proxies proxies{};
  };
  /// The clock must outlive it.
  Gate(Options options, const base::Clock& clock);

  /// A problem if a command in confinement sends the request. Before all else, with the peer that
  /// the connection has.
  [[nodiscard]] std::optional<Problem> check_peer(const http::Request& request);
  /// Whether check_peer() would look no more: that takes reading files.
  [[nodiscard]] bool knows_peer(const http::Request& request) const {
    return peers_.knows(request.peer);
  }
  /// A problem if the request was meant for another host (a name that was bound anew to this
  /// address) or comes from another site's page. For every request, with or without a token.
  [[nodiscard]] std::optional<Problem> check_site(const http::Request& request) const;
  /// Who asks, by the bearer token or a page's cookie. Wrong ones are counted by address and by
  /// token; a right one is always taken. A change by cookie must say that it comes from our page.
  [[nodiscard]] std::variant<service::Caller, Problem> admit(const http::Request& request);
  /// A login or a token that is wrong: 401, or 429 after too many. `account` is counted too, unless
  /// empty.
  [[nodiscard]] Problem refused(const http::Request& request, const std::string& why,
                                const std::string& account = {});
  [[nodiscard]] const Proxies& proxies() const noexcept { return options_.proxies; }

 private:
  [[nodiscard]] bool knows_host(std::string_view host) const;

  // Constant after construction.
  const Options options_;
  // Shared.
  LoginFailures failures_;
  PeerCheck peers_;
};

}  // namespace clever::server
