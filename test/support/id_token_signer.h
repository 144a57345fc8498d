#pragma once
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/evp.h>
#include <openssl/rsa.h>

#include <array>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "model/document_json.h"
#include "server/oidc/jwt.h"

namespace clever::test {

inline std::string text_of_bytes(const unsigned char* bytes, std::size_t size) {
  return {reinterpret_cast<const char*>(bytes), size};
}
inline const unsigned char* bytes_of_text(const std::string& text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

/// A key of a login provider that signs ID tokens. A value.
class IdTokenSigner {
 public:
  IdTokenSigner(std::string algorithm, EVP_PKEY* key)
      : algorithm_(std::move(algorithm)), key_(key, ::EVP_PKEY_free) {}

  [[nodiscard]] std::string sign(const std::string& content) const {
    EVP_MD_CTX* context = ::EVP_MD_CTX_new();
    const EVP_MD* digest = algorithm_ == "EdDSA" ? nullptr : ::EVP_sha256();
    std::array<unsigned char, 512> bytes{};
    std::size_t size = bytes.size();
    ::EVP_DigestSignInit(context, nullptr, digest, nullptr, key_.get());
    ::EVP_DigestSign(context, bytes.data(), &size, bytes_of_text(content), content.size());
    ::EVP_MD_CTX_free(context);
    return algorithm_ == "ES256" ? plain_pair(bytes.data(), size)
                                 : text_of_bytes(bytes.data(), size);
  }

  [[nodiscard]] std::string number(const char* name) const {
    BIGNUM* number = nullptr;
    ::EVP_PKEY_get_bn_param(key_.get(), name, &number);
    std::vector<unsigned char> bytes(static_cast<std::size_t>(BN_num_bytes(number)));
    ::BN_bn2bin(number, bytes.data());
    ::BN_free(number);
    std::string text = text_of_bytes(bytes.data(), bytes.size());
    const bool is_ec = algorithm_ == "ES256";
    return is_ec ? std::string(32 - text.size(), '\0') + text : text;
  }

  [[nodiscard]] model::Document jwk(const std::string& id) const {
    model::Document key =
        model::Document::map().set("kid", id).set("use", "sig").set("alg", algorithm_);
    if (algorithm_ == "RS256") {
      return key.set("kty", "RSA")
          .set("n", server::to_base64url(number(OSSL_PKEY_PARAM_RSA_N)))
          .set("e", server::to_base64url(number(OSSL_PKEY_PARAM_RSA_E)));
    }
    if (algorithm_ == "ES256") {
      return key.set("kty", "EC")
          .set("crv", "P-256")
          .set("x", server::to_base64url(number(OSSL_PKEY_PARAM_EC_PUB_X)))
          .set("y", server::to_base64url(number(OSSL_PKEY_PARAM_EC_PUB_Y)));
    }
    std::array<unsigned char, 32> bytes{};
    std::size_t size = bytes.size();
    ::EVP_PKEY_get_raw_public_key(key_.get(), bytes.data(), &size);
    return key.set("kty", "OKP")
        .set("crv", "Ed25519")
        .set("x", server::to_base64url(text_of_bytes(bytes.data(), size)));
  }

  /// A signed token.
  [[nodiscard]] std::string token(const model::Document& header,
                                  const model::Document& claims) const {
    const std::string content = encoded(header) + "." + encoded(claims);
    return content + "." + server::to_base64url(sign(content));
  }
  static std::string encoded(const model::Document& document) {
    return server::to_base64url(model::to_json(document));
  }

 private:
  // r and s of 32 bytes each.
  static std::string plain_pair(const unsigned char* der, std::size_t size) {
    ECDSA_SIG* pair = ::d2i_ECDSA_SIG(nullptr, &der, static_cast<long>(size));
    std::array<unsigned char, 64> bytes{};
    ::BN_bn2binpad(::ECDSA_SIG_get0_r(pair), bytes.data(), 32);
    ::BN_bn2binpad(::ECDSA_SIG_get0_s(pair), bytes.data() + 32, 32);
    ::ECDSA_SIG_free(pair);
    return text_of_bytes(bytes.data(), bytes.size());
  }

  const std::string algorithm_;
  const std::shared_ptr<EVP_PKEY> key_;
};

}  // namespace clever::test
