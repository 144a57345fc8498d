// Signing in at an OpenID Connect provider, which this process plays.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "base/sha256.h"
#include "support/id_token_signer.h"
#include "support/server_run.h"

namespace clever::server {
namespace {

using model::Document;
using test::IdTokenSigner;
using test::ServerAnswer;
using test::ServerRun;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

// The value of a parameter in a URL or a form.
std::string parameter(const std::string& text, const std::string& name) {
  const std::size_t at = text.find(name + "=");
  if (at == std::string::npos) return "";
  const std::size_t from = at + name.size() + 1;
  return text.substr(from, text.find_first_of("&\r", from) - from);
}

std::string header_of(const ServerAnswer& answer, const std::string& name) {
  const std::size_t at = answer.head.find(name + ": ");
  if (at == std::string::npos) return "";
  const std::size_t from = at + name.size() + 2;
  return answer.head.substr(from, answer.head.find("\r\n", from) - from);
}

constexpr std::string_view kIssuer = "https://id.example";

class ServerOidc : public ::testing::Test {
 protected:
  ServerOidc() {
    const std::string at(kIssuer);
    page("/.well-known/openid-configuration", Document::map()
                                                  .set("issuer", at)
                                                  .set("authorization_endpoint", at + "/authorize")
                                                  .set("token_endpoint", at + "/token")
                                                  .set("jwks_uri", at + "/keys"));
    show_key("one");
  }

  void page(const std::string& path, const Document& body, int status = 200) {
    server_.models().network.pages[std::string(kIssuer) + path] = {status, model::to_json(body)};
  }
  void show_key(const std::string& id) {
    Document list = Document::list();
    list.push(signer_.jwk(id));
    page("/keys", Document::map().set("keys", std::move(list)));
    key_id_ = id;
  }
  [[nodiscard]] std::string id_token(const std::string& nonce) const {
    const auto now = std::chrono::duration_cast<std::chrono::seconds>(
                         std::chrono::system_clock::now().time_since_epoch())
                         .count();
    Document claims = Document::map()
                          .set("iss", kIssuer)
                          .set("aud", "agents")
                          .set("sub", "ada")
                          .set("nonce", nonce)
                          .set("iat", now)
                          .set("exp", now + 600)
                          .set("roles", Document::texts(std::vector<std::string>{"dev", "x"}));
    for (const auto& [key, value] : std::get<Document::Map>(claims_.value())) {
      claims.set(key, value);
    }
    return signer_.token(Document::map().set("alg", "EdDSA").set("kid", key_id_), claims);
  }

  // To the provider and back; what a browser would do.
  ServerAnswer sign_in(const std::string& other_cookie = "") {
    const ServerAnswer begun = server_.ask_as("", "GET", "/v1/login/oidc");
    EXPECT_EQ(begun.status, 302) << begun.body;
    location_ = header_of(begun, "Location");
    const std::string cookie = header_of(begun, "Set-Cookie");
    page("/token", Document::map().set("id_token", id_token(parameter(location_, "nonce"))));
    const std::string kept =
        other_cookie.empty() ? cookie.substr(0, cookie.find(';')) : other_cookie;
    return server_.ask_as("Cookie: " + kept + "\r\n", "GET",
                          "/v1/login/oidc/callback?code=c1&state=" + parameter(location_, "state"));
  }
  void claim(std::string_view key, Document value) { claims_.set(key, std::move(value)); }

  const IdTokenSigner signer_{"EdDSA", ::EVP_PKEY_Q_keygen(nullptr, nullptr, "ED25519")};
  std::string key_id_;
  std::string location_;
  Document claims_ = Document::map();
  ServerRun server_{{},
                    {{"CLEVERAGENTS_SERVER_OIDC_ISSUER", std::string(kIssuer)},
                     {"CLEVERAGENTS_SERVER_OIDC_CLIENT", "agents"},
                     {"CLEVERAGENTS_SERVER_OIDC_ROLES", "dev=read, dev=run, ops=admin"},
                     {"CLEVERAGENTS_SERVER_URL", "http://localhost"},
                     {"AGENTS_OIDC_SECRET", "hush"}}};
};

TEST_F(ServerOidc, APersonSignsInWithTheRightsOfItsRoles) {
  const ServerAnswer in = sign_in();
  EXPECT_EQ(in.status, 200) << in.body;
  EXPECT_THAT(in.body, AllOf(HasSubstr(R"("caller":"ada")"),
                             HasSubstr(R"("rights":["read","run"])"), Not(HasSubstr("agents_"))));
  const std::size_t at = in.head.find("agents-token=");
  ASSERT_NE(at, std::string::npos) << in.head;
  const std::string cookie = "Cookie: " + in.head.substr(at, in.head.find(';', at) - at) + "\r\n";
  EXPECT_THAT(server_.ask_as(cookie, "GET", "/v1/me").body, HasSubstr(R"("caller":"ada")"));
  EXPECT_EQ(server_.ask_as(cookie, "GET", "/v1/audit").status, 403);
}

TEST_F(ServerOidc, TheCodeIsAskedForWithAChallengeAndExchangedWithItsVerifier) {
  EXPECT_EQ(sign_in().status, 200);
  EXPECT_THAT(
      location_,
      AllOf(HasSubstr(std::string(kIssuer) + "/authorize?"), HasSubstr("response_type=code"),
            HasSubstr("code_challenge_method=S256"), HasSubstr("client_id=agents"),
            HasSubstr("scope=openid"),
            HasSubstr("redirect_uri=http%3A%2F%2Flocalhost%2Fv1%2Flogin%2Foidc%2Fcallback")));
  const auto& requests = server_.models().network.requests;
  const auto token =
      std::ranges::find(requests, std::string(kIssuer) + "/token", &io::HttpRequest::url);
  ASSERT_NE(token, requests.end());
  EXPECT_EQ(parameter(token->body, "code"), "c1");
  EXPECT_EQ(parameter(token->body, "client_secret"), "hush");
  const auto digest = base::sha256(parameter(token->body, "code_verifier"));
  const auto& bytes = digest.bytes();
  EXPECT_EQ(parameter(location_, "code_challenge"),
            to_base64url({reinterpret_cast<const char*>(bytes.data()), bytes.size()}));
}

TEST_F(ServerOidc, ALoginThatAnotherBrowserBeganDoesNotCount) {
  EXPECT_EQ(sign_in("agents-login=a.b.c").status, 401);
  EXPECT_EQ(server_.ask_as("", "GET", "/v1/login/oidc/callback?code=c1&state=").status, 401);
  EXPECT_THAT(server_.ask_as("", "GET", "/v1/login/oidc/callback?error=access_denied&state=x").body,
              HasSubstr("access_denied"));
}

TEST_F(ServerOidc, ATokenThatDoesNotHoldSignsNoOneIn) {
  claim("aud", "other");
  EXPECT_THAT(sign_in().body, HasSubstr("another client"));
  claim("aud", "agents");
  claim("nonce", "stale");
  EXPECT_THAT(sign_in().body, HasSubstr("another login"));
}

TEST_F(ServerOidc, APersonWithoutARoleIsRefused) {
  claim("roles", "x");
  const ServerAnswer refused = sign_in();
  EXPECT_EQ(refused.status, 401);
  EXPECT_THAT(refused.body, HasSubstr("no role"));
  claim("roles", "ops");
  EXPECT_THAT(sign_in().body, HasSubstr(R"("rights":["admin"])"));
  claim("sub", "a b");
  EXPECT_THAT(sign_in().body, HasSubstr("no name that this server takes"));
  claim("sub", "ada");
  ASSERT_EQ(server_.ask("DELETE", "/v1/people/ada").status, 200);
  EXPECT_EQ(sign_in().status, 401);
}

}  // namespace
}  // namespace clever::server
