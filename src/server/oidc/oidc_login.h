#pragma once
#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/guarded.h"
#include "base/random.h"
#include "base/result.h"
#include "base/stop_token.h"
#include "config/settings.h"
#include "io/http.h"
#include "model/document.h"
#include "server/oidc/jwt.h"
#include "service/access/tokens.h"

namespace clever::server {

/// The provider, and what its claims mean here. A value.
struct OidcSettings {
  std::string issuer{};
  std::string client{};
  /// Empty for a public client: PKCE protects it.
  std::string secret{};
  /// Where the provider sends people back.
  std::string redirect{};
  std::vector<std::string> scopes{};
  std::string name_claim = "sub";
  std::string roles_claim = "roles";
  /// "developers=run"
  std::vector<std::string> roles{};
  /// Empty: all namespaces.
  std::string namespaces_claim{};
};
/// None: `server.oidc.issuer` is empty. `invalid_argument` names the setting that is missing or
/// wrong.
[[nodiscard]] base::Result<std::optional<OidcSettings>> oidc_settings(
    const config::Settings& settings, const std::string& secret);

/// Whom valid claims sign in, and with which rights. `permission_denied` says what is missing.
/// Pure.
[[nodiscard]] base::Result<service::TokenRequest> request_of_claims(const OidcSettings& settings,
                                                                    const model::Document& claims);

/// Logins at an OpenID Connect provider: authorization code with PKCE. Keeps nothing of a login:
/// its state is in a cookie of the person's browser.
///
/// Thread-safe. What it was given must outlive it. Blocks for answers of the provider.
class OidcLogin {
 public:
  struct Parts {
    OidcSettings settings{};
    io::Http& http;
    base::Clock& clock;
    base::StopToken stop{};
  };
  explicit OidcLogin(Parts parts) : parts_(std::move(parts)) {}

  struct Begun {
    /// The provider's page.
    std::string location{};
    /// What the browser keeps until it comes back.
    std::string cookie{};
  };
  [[nodiscard]] base::Result<Begun> begin(base::Random& random);

  /// What the browser comes back with.
  struct Returned {
    std::string code{};
    std::string state{};
    std::string issuer{};
    std::string cookie{};
  };
  /// `permission_denied` if the login is not one that begin() began, or the provider's answer does
  /// not hold; `unavailable` if the provider cannot be reached.
  [[nodiscard]] base::Result<service::TokenRequest> finish(const Returned& returned);

 private:
  struct Provider {
    std::string authorization{};
    std::string token{};
    std::string keys{};
  };
  struct Kept {
    std::optional<Provider> provider{};
    std::optional<KeySet> keys{};
    base::TimePoint keys_fetched{};
  };

  [[nodiscard]] base::Result<Provider> provider();
  [[nodiscard]] base::Result<KeySet> keys(const Provider& provider, bool anew);
  [[nodiscard]] base::Result<std::string> ask(io::HttpRequest request);
  [[nodiscard]] base::Result<std::string> exchange(const Provider& provider,
                                                   const std::string& code,
                                                   const std::string& verifier);
  [[nodiscard]] base::Result<model::Document> claims_of(const Provider& provider,
                                                        const std::string& token,
                                                        const std::string& nonce);

  const Parts parts_;
  base::Guarded<Kept> kept_;
};

}  // namespace clever::server
