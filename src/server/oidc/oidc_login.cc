#include "server/oidc/oidc_login.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/sha256.h"
#include "base/text.h"
#include "config/schema.h"
#include "io/http_fetch.h"
#include "model/document_json.h"
#include "service/text.h"

namespace clever::server {
namespace {

using model::Document;
using service::in_quotes;

constexpr std::string_view kHexDigits = "0123456789ABCDEF";
constexpr std::size_t kSecretBytes = 32;
constexpr std::size_t kLongestAnswer = std::size_t{1} << 20U;
constexpr std::chrono::seconds kAnswerTakes{10};
// A provider that rotates its keys shows new ones first; a forged key id must not become a flood.
constexpr std::chrono::seconds kKeysAtLeast{10};
constexpr std::chrono::hours kKeysAtMost{1};

std::string random_text(base::Random& random) {
  std::array<std::byte, kSecretBytes> bytes{};
  random.fill(bytes);
  return to_base64url({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

std::string text_at(const Document& document, std::string_view name) {
  const Document* found = document.is_map() ? document.find(name) : nullptr;
  const auto* text = found == nullptr ? nullptr : std::get_if<std::string>(&found->value());
  return text == nullptr ? std::string() : *text;
}

// A text, or a list of texts.
std::vector<std::string> texts_at(const Document& document, std::string_view name) {
  std::vector<std::string> texts;
  const Document* found = document.find(name);
  if (found == nullptr) return texts;
  if (const auto* only = std::get_if<std::string>(&found->value())) return {*only};
  const auto* list = std::get_if<Document::List>(&found->value());
  if (list == nullptr) return texts;
  for (const Document& each : *list) {
    if (const auto* text = std::get_if<std::string>(&each.value())) texts.push_back(*text);
  }
  return texts;
}

std::string escaped(std::string_view text) {
  std::string all;
  for (const char c : text) {
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                          (c >= '0' && c <= '9') || std::string_view("-._~").contains(c);
    if (is_plain) {
      all += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    all.append({'%', kHexDigits[byte >> 4U], kHexDigits[byte & 15U]});
  }
  return all;
}

using Pairs = std::vector<std::pair<std::string_view, std::string>>;

std::string form_of(const Pairs& pairs) {
  std::string form;
  for (const auto& [name, value] : pairs) {
    if (!form.empty()) form += '&';
    form.append(name).append("=").append(escaped(value));
  }
  return form;
}

std::string challenge_of(const std::string& verifier) {
  const auto digest = base::sha256(verifier);
  const auto& bytes = digest.bytes();
  return to_base64url({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

// Codes and tokens go over the wire: in the clear within this machine alone.
bool is_safe_url(std::string_view url) {
  if (url.starts_with("https://")) return true;
  constexpr std::array<std::string_view, 3> kHere{"http://127.0.0.1", "http://localhost",
                                                  "http://[::1]"};
  return std::ranges::any_of(kHere, [url](std::string_view here) {
    return url.starts_with(here) &&
           (url.size() == here.size() || std::string_view(":/").contains(url[here.size()]));
  });
}

base::Result<void> check_roles(const std::vector<std::string>& roles) {
  for (const std::string& role : roles) {
    const std::size_t equals = role.rfind('=');
    if (equals == std::string::npos || equals == 0 ||
        !service::parse_right(std::string_view(role).substr(equals + 1))) {
      return base::invalid_argument(
          "server.oidc.roles: expected ROLE=RIGHT, such as dev=run, not " + in_quotes(role));
    }
  }
  return {};
}

}  // namespace

base::Result<std::optional<OidcSettings>> oidc_settings(const config::Settings& settings,
                                                        const std::string& secret) {
  const auto text = [&](std::string_view key) { return std::string(settings.text(key)); };
  OidcSettings oidc{.issuer = text("server.oidc.issuer"),
                    .client = text("server.oidc.client"),
                    .secret = secret,
                    .scopes = config::list_of(text("server.oidc.scopes")),
                    .name_claim = text("server.oidc.name_claim"),
                    .roles_claim = text("server.oidc.roles_claim"),
                    .roles = config::list_of(text("server.oidc.roles")),
                    .namespaces_claim = text("server.oidc.namespaces_claim")};
  if (oidc.issuer.empty()) return std::optional<OidcSettings>();
  if (!is_safe_url(oidc.issuer)) {
    return base::invalid_argument("server.oidc.issuer: expected an https URL, not " +
                                  in_quotes(oidc.issuer));
  }
  if (oidc.client.empty()) {
    return base::invalid_argument("server.oidc.client: expected this server's id at the provider");
  }
  const std::string url = text("server.url");
  if (!is_safe_url(url)) {
    return base::invalid_argument(
        "server.url: expected the https URL at which browsers find this server, not " +
        in_quotes(url));
  }
  oidc.redirect = std::string(base::trimmed(url, "/")) + "/v1/login/oidc/callback";
  CLEVER_TRY(check_roles(oidc.roles));
  return std::optional(std::move(oidc));
}

base::Result<service::TokenRequest> request_of_claims(const OidcSettings& settings,
                                                      const Document& claims) {
  service::TokenRequest request{.person = text_at(claims, settings.name_claim),
                                .label = "login at " + settings.issuer,
                                .days = 1};
  if (settings.name_claim == "email") {
    const Document* verified = claims.find("email_verified");
    if (verified == nullptr || *verified != Document(true)) {
      return base::permission_denied("the provider has not verified your address");
    }
  }
  if (!service::check_access_name(request.person).ok()) {
    return base::permission_denied("the claim `" + settings.name_claim +
                                   "` has no name that this server takes");
  }
  const auto roles = texts_at(claims, settings.roles_claim);
  for (const std::string& each : settings.roles) {
    const std::size_t equals = each.rfind('=');
    if (std::ranges::find(roles, each.substr(0, equals)) != roles.end()) {
      request.scopes.push_back(each.substr(equals + 1));
    }
  }
  if (request.scopes.empty()) {
    return base::permission_denied(request.person +
                                   " has no role at the provider that is one here");
  }
  if (settings.namespaces_claim.empty()) return request;
  request.namespaces = texts_at(claims, settings.namespaces_claim);
  if (request.namespaces.empty()) {
    return base::permission_denied("the claim `" + settings.namespaces_claim + "` names none");
  }
  return request;
}

base::Result<std::string> OidcLogin::ask(io::HttpRequest request) {
  request.answer_limit = kLongestAnswer;
  const std::string url = request.url;
  auto answer = io::fetch(parts_.http, std::move(request), parts_.stop,
                          base::Deadline::after(parts_.clock, kAnswerTakes));
  if (!answer.ok()) return base::unavailable("the login provider: " + answer.error().sentence());
  if (answer->head.status == 200) return std::move(answer->body);
  const auto body = model::parse_document(answer->body);
  const std::string why = body.ok() ? text_at(*body, "error") : "";
  const std::string said = "the login provider answered HTTP " +
                           std::to_string(answer->head.status) + (why.empty() ? "" : ": " + why);
  return answer->head.status < 500 ? base::permission_denied(said) : base::unavailable(said);
}

base::Result<OidcLogin::Provider> OidcLogin::provider() {
  const auto known = kept_.with([](const Kept& kept) { return kept.provider; });
  if (known) return *known;
  const std::string issuer(base::trimmed(parts_.settings.issuer, "/"));
  CLEVER_ASSIGN(const std::string text,
                ask({.method = "GET", .url = issuer + "/.well-known/openid-configuration"}));
  CLEVER_ASSIGN(const Document found, model::parse_document(text));
  const Provider provider{.authorization = text_at(found, "authorization_endpoint"),
                          .token = text_at(found, "token_endpoint"),
                          .keys = text_at(found, "jwks_uri")};
  if (text_at(found, "issuer") != parts_.settings.issuer) {
    return base::unavailable("the login provider calls itself " +
                             in_quotes(text_at(found, "issuer")) + ", not as server.oidc.issuer");
  }
  for (const std::string& url : {provider.authorization, provider.token, provider.keys}) {
    if (!is_safe_url(url)) return base::unavailable("the login provider names no https addresses");
  }
  kept_.with([&](Kept& kept) { kept.provider = provider; });
  return provider;
}

base::Result<KeySet> OidcLogin::keys(const Provider& provider, bool anew) {
  const base::TimePoint now = parts_.clock.now();
  const auto known = kept_.with([&](const Kept& kept) {
    const auto age = now - kept.keys_fetched;
    const bool serves =
        kept.keys && age < (anew ? base::Duration(kKeysAtLeast) : base::Duration(kKeysAtMost));
    return serves ? kept.keys : std::nullopt;
  });
  if (known) return *known;
  CLEVER_ASSIGN(const std::string text, ask({.method = "GET", .url = provider.keys}));
  auto fetched = KeySet::parse(text);
  if (!fetched.ok())
    return base::unavailable("the login provider's keys: " + fetched.error().sentence());
  kept_.with([&](Kept& kept) {
    kept.keys = *fetched;
    kept.keys_fetched = now;
  });
  return fetched;
}

base::Result<OidcLogin::Begun> OidcLogin::begin(base::Random& random) {
  CLEVER_ASSIGN(const Provider provider, this->provider());
  const std::string state = random_text(random);
  const std::string nonce = random_text(random);
  const std::string verifier = random_text(random);
  const Pairs query{{"response_type", "code"},
                    {"client_id", parts_.settings.client},
                    {"redirect_uri", parts_.settings.redirect},
                    {"scope", base::joined(parts_.settings.scopes, " ")},
                    {"state", state},
                    {"nonce", nonce},
                    {"code_challenge", challenge_of(verifier)},
                    {"code_challenge_method", "S256"}};
  const char* separator = provider.authorization.contains('?') ? "&" : "?";
  return Begun{provider.authorization + separator + form_of(query),
               state + "." + nonce + "." + verifier};
}

base::Result<std::string> OidcLogin::exchange(const Provider& provider, const std::string& code,
                                              const std::string& verifier) {
  Pairs form{{"grant_type", "authorization_code"},
             {"code", code},
             {"redirect_uri", parts_.settings.redirect},
             {"client_id", parts_.settings.client},
             {"code_verifier", verifier}};
  if (!parts_.settings.secret.empty()) form.emplace_back("client_secret", parts_.settings.secret);
  CLEVER_ASSIGN(const std::string text,
                ask({.method = "POST",
                     .url = provider.token,
                     .headers = {{"Content-Type", "application/x-www-form-urlencoded"},
                                 {"Accept", "application/json"}},
                     .body = form_of(form)}));
  const auto answer = model::parse_document(text);
  std::string token = answer.ok() ? text_at(*answer, "id_token") : "";
  if (token.empty()) return base::permission_denied("the login provider sent no ID token");
  return token;
}

base::Result<Document> OidcLogin::claims_of(const Provider& provider, const std::string& token,
                                            const std::string& nonce) {
  const TokenRules rules{.issuer = parts_.settings.issuer,
                         .client = parts_.settings.client,
                         .nonce = nonce,
                         .now = parts_.clock.wall_now()};
  CLEVER_ASSIGN(const KeySet present, keys(provider, false));
  auto claims = verify_id_token(token, present, rules);
  if (claims.ok() || claims.error().code() != base::ErrorCode::kNotFound) return claims;
  // The provider may have rotated its keys.
  CLEVER_ASSIGN(const KeySet newer, keys(provider, true));
  claims = verify_id_token(token, newer, rules);
  if (claims.ok() || claims.error().code() != base::ErrorCode::kNotFound) return claims;
  return base::permission_denied(claims.error().message());
}

base::Result<service::TokenRequest> OidcLogin::finish(const Returned& returned) {
  const auto kept = base::split(returned.cookie, '.');
  if (kept.size() != 3 || kept[0].empty() || kept[1].empty() || kept[2].empty() ||
      !base::constant_time_equal(kept[0], returned.state)) {
    return base::permission_denied("this browser did not begin this login: begin again");
  }
  if (!returned.issuer.empty() && returned.issuer != parts_.settings.issuer) {
    return base::permission_denied("the answer comes from another login provider");
  }
  if (returned.code.empty()) return base::permission_denied("the login provider sent no code");
  CLEVER_ASSIGN(const Provider provider, this->provider());
  CLEVER_ASSIGN(const std::string token, exchange(provider, returned.code, std::string(kept[2])));
  CLEVER_ASSIGN(const Document claims, claims_of(provider, token, std::string(kept[1])));
  return request_of_claims(parts_.settings, claims);
}

}  // namespace clever::server
