#include "base/hmac.h"

#include <string>

namespace clever::base {
namespace {

constexpr std::size_t kBlock = 64;
constexpr char kInner = 0x36;
constexpr char kOuter = 0x5c;

std::string bytes_of(const Sha256Digest& digest) {
  return {digest.bytes().begin(), digest.bytes().end()};
}

std::string masked(std::string block, char mask) {
  for (char& byte : block) byte = static_cast<char>(byte ^ mask);
  return block;
}

}  // namespace

Sha256Digest hmac_sha256(std::string_view key, std::string_view message) {
  std::string block = key.size() > kBlock ? bytes_of(sha256(key)) : std::string(key);
  block.resize(kBlock, '\0');
  const std::string inner = bytes_of(sha256(masked(block, kInner) + std::string(message)));
  return sha256(masked(block, kOuter) + inner);
}

}  // namespace clever::base
