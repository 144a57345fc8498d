// What a login at a provider does with its keys and claims.
#include "server/oidc/oidc_login.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "support/cli_models.h"
#include "support/id_token_signer.h"

namespace clever::server {
namespace {

using model::Document;
using test::IdTokenSigner;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

const OidcSettings kSettings{.issuer = "https://id.example",
                             .client = "agents",
                             .redirect = "https://agents.example/v1/login/oidc/callback",
                             .scopes = {"openid"},
                             .roles = {"dev=read", "dev=run"}};

class OidcLoginTest : public ::testing::Test {
 protected:
  OidcLoginTest() {
    page("/.well-known/openid-configuration",
         Document::map()
             .set("issuer", kSettings.issuer)
             .set("authorization_endpoint", kSettings.issuer + "/authorize?tenant=1")
             .set("token_endpoint", kSettings.issuer + "/token")
             .set("jwks_uri", kSettings.issuer + "/keys"));
    show_key("one");
  }
  void page(const std::string& path, const Document& body, int status = 200) {
    network_.pages[kSettings.issuer + path] = {status, model::to_json(body)};
  }
  void show_key(const std::string& id) {
    Document list = Document::list();
    list.push(signer_.jwk(id));
    page("/keys", Document::map().set("keys", std::move(list)));
  }
  base::Result<service::TokenRequest> sign_in(const std::string& key_id) {
    base::SystemRandom random;
    const auto begun = login_.begin(random);
    if (!begun.ok()) return begun.error();
    const std::size_t first = begun->cookie.find('.');
    const std::size_t second = begun->cookie.rfind('.');
    const auto now =
        std::chrono::duration_cast<std::chrono::seconds>(clock_.wall_now().time_since_epoch())
            .count();
    const Document claims = Document::map()
                                .set("iss", kSettings.issuer)
                                .set("aud", "agents")
                                .set("sub", "ada")
                                .set("nonce", begun->cookie.substr(first + 1, second - first - 1))
                                .set("iat", now)
                                .set("exp", now + 60)
                                .set("roles", "dev");
    page("/token",
         Document::map().set(
             "id_token",
             signer_.token(Document::map().set("alg", "EdDSA").set("kid", key_id), claims)));
    return login_.finish(
        {.code = "c", .state = begun->cookie.substr(0, first), .cookie = begun->cookie});
  }
  long key_requests() const {
    return std::ranges::count(network_.requests, kSettings.issuer + "/keys", &io::HttpRequest::url);
  }

  const IdTokenSigner signer_{"EdDSA", ::EVP_PKEY_Q_keygen(nullptr, nullptr, "ED25519")};
  test::PagesHttp network_;
  base::SimulatedClock clock_;
  OidcLogin login_{{.settings = kSettings, .http = network_, .clock = clock_}};
};

TEST_F(OidcLoginTest, FetchesKeysOnceAndAnewForOneThatItDoesNotKnow) {
  EXPECT_THAT(sign_in("one").value().scopes, ElementsAre("read", "run"));
  EXPECT_TRUE(sign_in("one").ok());
  EXPECT_EQ(key_requests(), 1);
  show_key("two");
  // A made-up key id is no reason to ask the provider each time.
  EXPECT_FALSE(sign_in("two").ok());
  EXPECT_EQ(key_requests(), 1);
  clock_.advance(std::chrono::seconds(11));
  EXPECT_TRUE(sign_in("two").ok());
  EXPECT_EQ(key_requests(), 2);
  EXPECT_FALSE(sign_in("one").ok());
  clock_.advance(std::chrono::hours(2));
  EXPECT_TRUE(sign_in("two").ok());
  EXPECT_EQ(key_requests(), 3);
}

TEST_F(OidcLoginTest, AProviderThatIsNotTheOneSetIsNotUsed) {
  page("/.well-known/openid-configuration", Document::map().set("issuer", "https://evil.example"));
  EXPECT_THAT(sign_in("one").error().message(), HasSubstr("evil.example"));
  page("/.well-known/openid-configuration",
       Document::map()
           .set("issuer", kSettings.issuer)
           .set("authorization_endpoint", "http://id.example/authorize")
           .set("token_endpoint", "https://id.example/token")
           .set("jwks_uri", "https://id.example/keys"));
  EXPECT_THAT(sign_in("one").error().message(), HasSubstr("no https"));
}

TEST_F(OidcLoginTest, AProviderThatFailsIsSaidToFail) {
  page("/.well-known/openid-configuration", Document::map(), 500);
  EXPECT_EQ(sign_in("one").error().code(), base::ErrorCode::kUnavailable);
}

TEST(OidcClaims, DecideNameRightsAndNamespaces) {
  OidcSettings settings = kSettings;
  const Document dev = Document::map().set("sub", "ada").set("roles", "dev");
  EXPECT_EQ(request_of_claims(settings, dev).value().person, "ada");
  Document mail = dev;
  mail.set("email", "ada@example.org");
  settings.name_claim = "email";
  EXPECT_THAT(request_of_claims(settings, mail).error().message(), HasSubstr("not verified"));
  mail.set("email_verified", "true");
  EXPECT_FALSE(request_of_claims(settings, mail).ok());
  mail.set("email_verified", true);
  EXPECT_EQ(request_of_claims(settings, mail).value().person, "ada@example.org");
  settings.namespaces_claim = "teams";
  EXPECT_FALSE(request_of_claims(settings, mail).ok());
  mail.set("teams", Document::texts(std::vector<std::string>{"web", "ops"}));
  EXPECT_THAT(request_of_claims(settings, mail).value().namespaces, ElementsAre("web", "ops"));
  settings.roles = {"admins=admin"};
  EXPECT_THAT(request_of_claims(settings, mail).error().message(), HasSubstr("no role"));
}

}  // namespace
}  // namespace clever::server
