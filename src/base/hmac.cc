#include "base/hmac.h"

#include <algorithm>
#include <array>
#include <string>

namespace clever::base {
namespace {

constexpr std::size_t kBlock = 64;

std::string_view text_of(const Sha256Digest& digest) {
  return {reinterpret_cast<const char*>(digest.bytes().data()), digest.bytes().size()};
}

}  // namespace

Sha256Digest hmac_sha256(std::string_view key, std::string_view text) {
  const Sha256Digest short_key = sha256(key);
  if (key.size() > kBlock) key = text_of(short_key);
  std::array<char, kBlock> inner{};
  std::ranges::copy(key, inner.begin());
  std::array<char, kBlock> outer = inner;
  for (char& byte : inner) byte = static_cast<char>(byte ^ 0x36);
  for (char& byte : outer) byte = static_cast<char>(byte ^ 0x5c);
  Sha256 hash;
  const Sha256Digest within = hash.update({inner.data(), inner.size()}).update(text).finish();
  return hash.update({outer.data(), outer.size()}).update(text_of(within)).finish();
}

}  // namespace clever::base
