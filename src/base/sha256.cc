#include "base/sha256.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>

#include <cstring>

#include "base/check.h"

namespace clever::base {
namespace {

constexpr std::string_view kHexDigits = "0123456789abcdef";

EVP_MD_CTX* native(void* context) { return static_cast<EVP_MD_CTX*>(context); }

// Fetched once: the look-up costs more than hashing a short text.
const EVP_MD* algorithm() {
  static const EVP_MD* const fetched = EVP_MD_fetch(nullptr, "SHA256", nullptr);
  CLEVER_CHECK(fetched != nullptr, "OpenSSL has no SHA-256");
  return fetched;
}

void start(void* context) {
  CLEVER_CHECK(EVP_DigestInit_ex2(native(context), algorithm(), nullptr) == 1,
               "OpenSSL could not start a SHA-256");
}

// The value of a hexadecimal digit, or -1.
int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

}  // namespace

Result<Sha256Digest> Sha256Digest::from_hex(std::string_view text) {
  Bytes bytes{};
  if (text.size() != 2 * bytes.size()) {
    return invalid_argument("a SHA-256 has 64 hexadecimal digits, this one has " +
                            std::to_string(text.size()) + " characters");
  }
  for (std::size_t i = 0; i < text.size(); ++i) {
    const int value = hex_digit(text[i]);
    if (value < 0) {
      return invalid_argument("a SHA-256 has only the digits 0-9 and a-f; character " +
                              std::to_string(i + 1) + " is none");
    }
    bytes[i / 2] = static_cast<std::uint8_t>(bytes[i / 2] << 4U | value);
  }
  return Sha256Digest(bytes);
}

std::string Sha256Digest::to_hex() const {
  std::string text;
  text.reserve(2 * bytes_.size());
  for (const std::uint8_t byte : bytes_) {
    text.push_back(kHexDigits[byte >> 4U]);
    text.push_back(kHexDigits[byte & 15U]);
  }
  return text;
}

void Sha256::Release::operator()(void* context) const noexcept { EVP_MD_CTX_free(native(context)); }

Sha256::Sha256() : context_(EVP_MD_CTX_new()) {
  CLEVER_CHECK(context_ != nullptr, "OpenSSL is out of memory");
  start(context_.get());
}

Sha256& Sha256::update(std::string_view bytes) {
  CLEVER_CHECK(EVP_DigestUpdate(native(context_.get()), bytes.data(), bytes.size()) == 1,
               "OpenSSL could not hash");
  return *this;
}

Sha256Digest Sha256::finish() {
  Sha256Digest::Bytes bytes{};
  CLEVER_CHECK(EVP_DigestFinal_ex(native(context_.get()), bytes.data(), nullptr) == 1,
               "OpenSSL could not finish a SHA-256");
  start(context_.get());
  return Sha256Digest(bytes);
}

Sha256Digest sha256(std::string_view bytes) {
  thread_local Sha256 hasher;
  return hasher.update(bytes).finish();
}

bool constant_time_equal(std::string_view a, std::string_view b) noexcept {
  return a.size() == b.size() && CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

}  // namespace clever::base

std::size_t std::hash<clever::base::Sha256Digest>::operator()(
    const clever::base::Sha256Digest& digest) const noexcept {
  // The bytes of a digest are as good as random, so any of them serve as the hash.
  std::size_t value = 0;
  std::memcpy(&value, digest.bytes().data(), sizeof value);
  return value;
}
