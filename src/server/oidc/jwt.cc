#include "server/oidc/jwt.h"

#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/evp.h>
#include <openssl/param_build.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include "base/base64.h"
#include "base/sha256.h"
#include "base/text.h"
#include "model/document_json.h"

namespace clever::server {
namespace {

using model::Document;

constexpr std::size_t kLongestToken = std::size_t{64} << 10U;
constexpr std::size_t kLongestKeySet = std::size_t{1} << 20U;
constexpr std::size_t kMostKeys = 100;
constexpr int kLeastRsaBits = 2048;
constexpr std::size_t kCoordinate = 32;
// Clocks differ.
constexpr double kLeeway = 60;

template <auto Free>
struct Releaser {
  template <class T>
  void operator()(T* object) const noexcept {
    Free(object);
  }
};
using PublicKey = std::unique_ptr<EVP_PKEY, Releaser<EVP_PKEY_free>>;
using KeyContext = std::unique_ptr<EVP_PKEY_CTX, Releaser<EVP_PKEY_CTX_free>>;
using Builder = std::unique_ptr<OSSL_PARAM_BLD, Releaser<OSSL_PARAM_BLD_free>>;
using Parameters = std::unique_ptr<OSSL_PARAM, Releaser<OSSL_PARAM_free>>;
using Number = std::unique_ptr<BIGNUM, Releaser<BN_free>>;
using Digest = std::unique_ptr<EVP_MD_CTX, Releaser<EVP_MD_CTX_free>>;
using EcSignature = std::unique_ptr<ECDSA_SIG, Releaser<ECDSA_SIG_free>>;

base::Error denied(std::string why) {
  return base::permission_denied("the ID token " + std::move(why));
}

const unsigned char* bytes_of(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

std::string text_in(const Document& document, std::string_view name) {
  const Document* found = document.find(name);
  const auto* text = found == nullptr ? nullptr : std::get_if<std::string>(&found->value());
  return text == nullptr ? std::string() : *text;
}

// Seconds since 1970; none if the claim is missing or no number.
std::optional<double> time_in(const Document& claims, std::string_view name) {
  const Document* found = claims.find(name);
  if (found == nullptr) return std::nullopt;
  if (const auto* whole = std::get_if<std::int64_t>(&found->value())) {
    return static_cast<double>(*whole);
  }
  const auto* number = std::get_if<double>(&found->value());
  return number == nullptr || !std::isfinite(*number) ? std::nullopt : std::optional(*number);
}

Number number_of(std::string_view bytes) {
  return Number(::BN_bin2bn(bytes_of(bytes), static_cast<int>(bytes.size()), nullptr));
}

PublicKey key_from(const char* type, OSSL_PARAM_BLD* builder) {
  const Parameters parameters(::OSSL_PARAM_BLD_to_param(builder));
  const KeyContext context(::EVP_PKEY_CTX_new_from_name(nullptr, type, nullptr));
  EVP_PKEY* key = nullptr;
  if (parameters == nullptr || context == nullptr || ::EVP_PKEY_fromdata_init(context.get()) <= 0 ||
      ::EVP_PKEY_fromdata(context.get(), &key, EVP_PKEY_PUBLIC_KEY, parameters.get()) <= 0) {
    return nullptr;
  }
  return PublicKey(key);
}

PublicKey rsa_key(std::string_view modulus, std::string_view exponent) {
  const Number n = number_of(modulus);
  const Number e = number_of(exponent);
  const Builder builder(::OSSL_PARAM_BLD_new());
  if (n == nullptr || e == nullptr || builder == nullptr ||
      ::OSSL_PARAM_BLD_push_BN(builder.get(), OSSL_PKEY_PARAM_RSA_N, n.get()) == 0 ||
      ::OSSL_PARAM_BLD_push_BN(builder.get(), OSSL_PKEY_PARAM_RSA_E, e.get()) == 0) {
    return nullptr;
  }
  PublicKey key = key_from("RSA", builder.get());
  if (key != nullptr && ::EVP_PKEY_get_bits(key.get()) < kLeastRsaBits) return nullptr;
  return key;
}

PublicKey p256_key(std::string_view x, std::string_view y) {
  if (x.size() != kCoordinate || y.size() != kCoordinate) return nullptr;
  const std::string point = "\x04" + std::string(x) + std::string(y);
  const Builder builder(::OSSL_PARAM_BLD_new());
  if (builder == nullptr ||
      ::OSSL_PARAM_BLD_push_utf8_string(builder.get(), OSSL_PKEY_PARAM_GROUP_NAME, "prime256v1",
                                        0) == 0 ||
      ::OSSL_PARAM_BLD_push_octet_string(builder.get(), OSSL_PKEY_PARAM_PUB_KEY, point.data(),
                                         point.size()) == 0) {
    return nullptr;
  }
  return key_from("EC", builder.get());
}

PublicKey ed25519_key(std::string_view x) {
  if (x.size() != kCoordinate) return nullptr;
  return PublicKey(::EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nullptr, bytes_of(x), x.size()));
}

// r and s, 32 bytes each, as OpenSSL takes them.
std::string der_of(std::string_view signature) {
  if (signature.size() != 2 * kCoordinate) return {};
  Number r = number_of(signature.substr(0, kCoordinate));
  Number s = number_of(signature.substr(kCoordinate));
  const EcSignature pair(::ECDSA_SIG_new());
  // It takes both numbers, and refuses only one that is missing.
  if (pair == nullptr || r == nullptr || s == nullptr) return {};
  if (::ECDSA_SIG_set0(pair.get(), r.release(), s.release()) == 0) return {};
  const int size = ::i2d_ECDSA_SIG(pair.get(), nullptr);
  if (size <= 0) return {};
  std::string der(static_cast<std::size_t>(size), '\0');
  auto* to = reinterpret_cast<unsigned char*>(der.data());
  ::i2d_ECDSA_SIG(pair.get(), &to);
  return der;
}

bool is_signed(EVP_PKEY* key, const EVP_MD* digest, std::string_view content,
               std::string_view signature) {
  const Digest context(::EVP_MD_CTX_new());
  return context != nullptr &&
         ::EVP_DigestVerifyInit(context.get(), nullptr, digest, nullptr, key) == 1 &&
         ::EVP_DigestVerify(context.get(), bytes_of(signature), signature.size(), bytes_of(content),
                            content.size()) == 1;
}

bool names_client(const Document& claims, const std::string& client) {
  const Document* audience = claims.find("aud");
  if (audience == nullptr) return false;
  const std::string authorized = text_in(claims, "azp");
  if (claims.find("azp") != nullptr && authorized != client) return false;
  if (const auto* only = std::get_if<std::string>(&audience->value())) return *only == client;
  const auto* list = std::get_if<Document::List>(&audience->value());
  if (list == nullptr || std::ranges::find(*list, Document(client)) == list->end()) return false;
  return list->size() == 1 || authorized == client;
}

base::Result<void> check_claims(const Document& claims, const TokenRules& rules) {
  const auto now = std::chrono::duration<double>(rules.now.time_since_epoch()).count();
  if (text_in(claims, "iss") != rules.issuer) return denied("is another issuer's");
  if (!names_client(claims, rules.client)) return denied("is for another client");
  const auto expires = time_in(claims, "exp");
  if (!expires) return denied("never expires");
  if (*expires + kLeeway <= now) return denied("has expired");
  const auto issued = time_in(claims, "iat");
  if (!issued || *issued > now + kLeeway) return denied("was issued in the future");
  const auto begins = time_in(claims, "nbf");
  if (claims.find("nbf") != nullptr && (!begins || *begins > now + kLeeway)) {
    return denied("is not valid yet");
  }
  if (rules.nonce.empty() || !base::constant_time_equal(text_in(claims, "nonce"), rules.nonce)) {
    return denied("answers another login");
  }
  if (text_in(claims, "sub").empty()) return denied("names no one");
  return {};
}

base::Result<Document> decoded_object(std::string_view part) {
  CLEVER_ASSIGN(const std::string json, from_base64url(part));
  CLEVER_ASSIGN(Document document, model::parse_document(json));
  if (!document.is_map()) return base::invalid_argument("expected an object");
  return document;
}

}  // namespace

struct KeySet::Key {
  std::string id{};
  std::string_view algorithm{};
  PublicKey key{};
};

namespace {

base::Result<std::string> member(const Document& key, std::string_view name) {
  return from_base64url(text_in(key, name));
}

struct Made {
  std::string_view algorithm{};
  PublicKey key{};
};

// The key and the one algorithm that it is for; null for any other kind of key.
base::Result<Made> made_key(const Document& key) {
  const std::string type = text_in(key, "kty");
  const std::string curve = text_in(key, "crv");
  if (type == "RSA") {
    CLEVER_ASSIGN(const std::string n, member(key, "n"));
    CLEVER_ASSIGN(const std::string e, member(key, "e"));
    return Made{"RS256", rsa_key(n, e)};
  }
  CLEVER_ASSIGN(const std::string x, member(key, "x"));
  if (type == "EC" && curve == "P-256") {
    CLEVER_ASSIGN(const std::string y, member(key, "y"));
    return Made{"ES256", p256_key(x, y)};
  }
  if (type == "OKP" && curve == "Ed25519") return Made{"EdDSA", ed25519_key(x)};
  return Made{};
}

}  // namespace

base::Result<KeySet> KeySet::parse(std::string_view json) {
  if (json.size() > kLongestKeySet) return base::invalid_argument("the key set is too long");
  CLEVER_ASSIGN(const Document document, model::parse_document(json));
  const Document* found = document.is_map() ? document.find("keys") : nullptr;
  const auto* list = found == nullptr ? nullptr : std::get_if<Document::List>(&found->value());
  if (list == nullptr) return base::invalid_argument("expected an object with `keys`");
  KeySet set;
  for (const Document& each : *list) {
    if (!each.is_map() || set.keys_.size() >= kMostKeys) continue;
    const std::string use = text_in(each, "use");
    auto made = made_key(each);
    if (!made.ok() || made->key == nullptr || (!use.empty() && use != "sig")) continue;
    const std::string algorithm = text_in(each, "alg");
    if (!algorithm.empty() && algorithm != made->algorithm) continue;
    set.keys_.push_back(std::make_shared<const Key>(
        Key{text_in(each, "kid"), made->algorithm, std::move(made->key)}));
  }
  return set;
}

base::Result<void> KeySet::verify(std::string_view algorithm, const std::string& id,
                                  std::string_view content, std::string_view signature) const {
  const Key* found = nullptr;
  for (const auto& key : keys_) {
    if (id.empty() ? key->algorithm != algorithm : key->id != id) continue;
    if (found != nullptr) return denied("does not say which key signed it");
    found = key.get();
  }
  if (found == nullptr) return base::not_found("the provider has no key " + id);
  // The key decides, not the token.
  if (found->algorithm != algorithm) return denied("is signed by another algorithm than its key's");
  const bool is_ec = algorithm == "ES256";
  const std::string der = is_ec ? der_of(signature) : std::string(signature);
  const EVP_MD* digest = algorithm == "EdDSA" ? nullptr : ::EVP_sha256();
  if (!der.empty() && is_signed(found->key.get(), digest, content, der)) return {};
  return denied("is not signed by the provider");
}

base::Result<Document> verify_id_token(std::string_view token, const KeySet& keys,
                                       const TokenRules& rules) {
  if (token.size() > kLongestToken) return denied("is too long");
  const auto parts = base::split(token, '.');
  if (parts.size() != 3) return denied("has not three parts");
  const auto header = decoded_object(parts[0]);
  if (!header.ok()) return denied("has a broken header");
  const std::string algorithm = text_in(*header, "alg");
  constexpr std::array<std::string_view, 3> kAllowed{"RS256", "ES256", "EdDSA"};
  if (std::ranges::find(kAllowed, algorithm) == kAllowed.end()) {
    return denied("is signed by an algorithm that is not allowed");
  }
  if (header->find("crit") != nullptr) return denied("demands an extension");
  const auto signature = from_base64url(parts[2]);
  if (!signature.ok()) return denied("has a broken signature");
  const std::string_view content = token.substr(0, parts[0].size() + 1 + parts[1].size());
  CLEVER_TRY(keys.verify(algorithm, text_in(*header, "kid"), content, *signature));
  auto claims = decoded_object(parts[1]);
  if (!claims.ok()) return denied("has broken claims");
  CLEVER_TRY(check_claims(*claims, rules));
  return claims;
}

std::string to_base64url(std::string_view bytes) {
  std::string text = base::to_base64(bytes);
  while (text.ends_with('=')) text.pop_back();
  std::ranges::replace(text, '+', '-');
  std::ranges::replace(text, '/', '_');
  return text;
}

base::Result<std::string> from_base64url(std::string_view text) {
  if (text.find_first_of("+/=") != std::string_view::npos) {
    return base::invalid_argument("expected the alphabet for URLs");
  }
  std::string plain(text);
  std::ranges::replace(plain, '-', '+');
  std::ranges::replace(plain, '_', '/');
  return base::from_base64(plain);
}

}  // namespace clever::server
