// ID tokens, honest and forged.
#include "server/oidc/jwt.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <openssl/hmac.h>

#include <array>
#include <string>
#include <vector>

#include "model/document_json.h"
#include "support/id_token_signer.h"

namespace clever::server {
namespace {

using model::Document;
using ::testing::HasSubstr;

using Signer = test::IdTokenSigner;

std::string encoded(const Document& document) { return Signer::encoded(document); }

class IdToken : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    rsa_ = new Signer("RS256", ::EVP_RSA_gen(2048));
    short_rsa_ = new Signer("RS256", ::EVP_RSA_gen(1024));
    ec_ = new Signer("ES256", ::EVP_EC_gen("P-256"));
    ed_ = new Signer("EdDSA", ::EVP_PKEY_Q_keygen(nullptr, nullptr, "ED25519"));
  }
  static void TearDownTestSuite() {
    for (const Signer** signer : {&rsa_, &short_rsa_, &ec_, &ed_}) delete *signer;
  }

  static KeySet keys() {
    Document list = Document::list();
    list.push(rsa_->jwk("r")).push(ec_->jwk("e")).push(ed_->jwk("d"));
    list.push(short_rsa_->jwk("short")).push(Document("no key"));
    return KeySet::parse(model::to_json(Document::map().set("keys", std::move(list)))).value();
  }
  static Document claims() {
    return Document::map()
        .set("iss", "https://id.example")
        .set("aud", "agents")
        .set("sub", "ada")
        .set("nonce", "n1")
        .set("iat", 1'000)
        .set("exp", 2'000);
  }
  static Document header(const std::string& algorithm, const std::string& id) {
    return Document::map().set("alg", algorithm).set("kid", id);
  }
  static std::string token(const Document& header, const Document& claims, const Signer& signer) {
    return signer.token(header, claims);
  }
  static base::Result<Document> verify(const std::string& token) {
    return verify_id_token(token, keys(),
                           {.issuer = "https://id.example",
                            .client = "agents",
                            .nonce = "n1",
                            .now = base::WallTime(std::chrono::seconds(1'500))});
  }
  // The token is refused for this reason.
  static void expect_denied(const std::string& token, const std::string& why) {
    const auto result = verify(token);
    ASSERT_FALSE(result.ok()) << why;
    EXPECT_THAT(result.error().message(), HasSubstr(why));
  }
  static void expect_denied(const Document& claims, const std::string& why) {
    expect_denied(token(header("ES256", "e"), claims, *ec_), why);
  }

  inline static const Signer* rsa_ = nullptr;
  inline static const Signer* short_rsa_ = nullptr;
  inline static const Signer* ec_ = nullptr;
  inline static const Signer* ed_ = nullptr;
};

TEST_F(IdToken, OfEachAllowedAlgorithmCounts) {
  EXPECT_EQ(keys().size(), 3U);
  EXPECT_TRUE(verify(token(header("RS256", "r"), claims(), *rsa_)).ok());
  EXPECT_TRUE(verify(token(header("ES256", "e"), claims(), *ec_)).ok());
  EXPECT_TRUE(verify(token(header("EdDSA", "d"), claims(), *ed_)).ok());
  // Without an id: the only key for the algorithm.
  EXPECT_TRUE(verify(token(Document::map().set("alg", "ES256"), claims(), *ec_)).ok());
}

TEST_F(IdToken, WithAForgedAlgorithmIsRefused) {
  const std::string content = encoded(header("none", "r")) + "." + encoded(claims());
  expect_denied(content + ".", "not allowed");
  expect_denied(token(header("none", "r"), claims(), *rsa_), "not allowed");
  expect_denied(token(header("None", "r"), claims(), *rsa_), "not allowed");
  // The public key as the secret of an HMAC.
  const std::string forged = encoded(header("HS256", "r")) + "." + encoded(claims());
  const std::string secret = rsa_->number(OSSL_PKEY_PARAM_RSA_N);
  std::array<unsigned char, 32> mac{};
  unsigned size = 0;
  ::HMAC(::EVP_sha256(), secret.data(), static_cast<int>(secret.size()),
         test::bytes_of_text(forged), forged.size(), mac.data(), &size);
  expect_denied(forged + "." + to_base64url(test::text_of_bytes(mac.data(), size)), "not allowed");
  for (const char* other : {"RS384", "RS512", "PS256", "ES384", "ES256K", "HS512", ""}) {
    expect_denied(token(header(other, "r"), claims(), *rsa_), "not allowed");
  }
  expect_denied(token(header("ES256", "r"), claims(), *ec_), "another algorithm");
  expect_denied(token(header("RS256", "e"), claims(), *rsa_), "another algorithm");
}

TEST_F(IdToken, OfAnotherKeyIsRefused) {
  const Signer stranger("ES256", ::EVP_EC_gen("P-256"));
  expect_denied(token(header("ES256", "e"), claims(), stranger), "not signed by the provider");
  EXPECT_EQ(verify(token(header("ES256", "new"), claims(), *ec_)).error().code(),
            base::ErrorCode::kNotFound);
  EXPECT_EQ(verify(token(header("RS256", "short"), claims(), *short_rsa_)).error().code(),
            base::ErrorCode::kNotFound);
  // A key that the token brings along does not count.
  Document own = header("ES256", "x").set("jwk", stranger.jwk("x"));
  EXPECT_FALSE(verify(token(own, claims(), stranger)).ok());
}

TEST_F(IdToken, ThatWasChangedIsRefused) {
  const std::string honest = token(header("EdDSA", "d"), claims(), *ed_);
  const std::size_t dot = honest.find('.');
  const std::size_t end = honest.rfind('.');
  const std::string other = encoded(claims().set("sub", "eve"));
  expect_denied(honest.substr(0, dot + 1) + other + honest.substr(end), "not signed");
  expect_denied(honest.substr(0, end + 1), "not signed");
  expect_denied(honest.substr(0, end), "three parts");
  expect_denied(honest + ".x", "three parts");
  expect_denied(honest + "=", "broken signature");
  expect_denied(std::string(), "three parts");
  expect_denied(std::string("a.b.c"), "broken header");
  expect_denied(std::string(100'000, 'a'), "too long");
  expect_denied(token(header("EdDSA", "d").set("crit", Document::list()), claims(), *ed_),
                "extension");
  // All bits of r and s.
  const std::string content = encoded(header("ES256", "e")) + "." + encoded(claims());
  expect_denied(content + "." + to_base64url(std::string(64, '\xff')), "not signed");
  expect_denied(content + "." + to_base64url(std::string(64, '\0')), "not signed");
  expect_denied(content + "." + to_base64url("ab"), "not signed");
}

TEST_F(IdToken, ForOthersOrAtAnotherTimeIsRefused) {
  const auto listed = [](const std::vector<std::string>& names) {
    return claims().set("aud", Document::texts(names));
  };
  expect_denied(claims().set("iss", "https://evil.example"), "another issuer's");
  expect_denied(claims().set("iss", "https://id.example/"), "another issuer's");
  expect_denied(claims().set("aud", "other"), "another client");
  expect_denied(claims().set("aud", Document()), "another client");
  expect_denied(listed({"other"}), "another client");
  expect_denied(listed({"agents", "other"}), "another client");
  expect_denied(listed({"agents", "other"}).set("azp", "other"), "another client");
  expect_denied(claims().set("azp", "other"), "another client");
  EXPECT_TRUE(
      verify(token(header("ES256", "e"), listed({"agents", "other"}).set("azp", "agents"), *ec_))
          .ok());
  expect_denied(claims().set("exp", 1'400), "has expired");
  expect_denied(claims().set("exp", Document()), "never expires");
  expect_denied(claims().set("exp", "2000"), "never expires");
  expect_denied(claims().set("iat", 1'600), "in the future");
  expect_denied(claims().set("iat", Document()), "in the future");
  expect_denied(claims().set("nbf", 1'600), "not valid yet");
  expect_denied(claims().set("nbf", "soon"), "not valid yet");
  expect_denied(claims().set("nonce", "n2"), "another login");
  expect_denied(claims().set("nonce", Document()), "another login");
  expect_denied(claims().set("sub", ""), "names no one");
}

TEST_F(IdToken, AKeySetThatIsNoneIsRefused) {
  EXPECT_FALSE(KeySet::parse("").ok());
  EXPECT_FALSE(KeySet::parse("[]").ok());
  EXPECT_FALSE(KeySet::parse(R"({"keys":{}})").ok());
  EXPECT_EQ(KeySet::parse(R"({"keys":[{"kty":"oct","k":"AAAA"},{"kty":"RSA","n":"!","e":"AQAB"},
      {"kty":"EC","crv":"P-256","x":"AA","y":"AA"},{"kty":"OKP","crv":"X25519","x":"AA"}]})")
                .value()
                .size(),
            0U);
  Document others = Document::list();
  others.push(rsa_->jwk("r").set("use", "enc"));
  EXPECT_EQ(
      KeySet::parse(model::to_json(Document::map().set("keys", std::move(others)))).value().size(),
      0U);
}

}  // namespace
}  // namespace clever::server
