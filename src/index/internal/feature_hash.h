#pragma once
#include <cstdint>
#include <string_view>

namespace clever::index::internal {

/// Spreads a number over all its bits.
[[nodiscard]] constexpr std::uint64_t mixed(std::uint64_t value) {
  value ^= value >> 30U;
  value *= 0xBF58476D1CE4E5B9ULL;
  value ^= value >> 27U;
  value *= 0x94D049BB133111EBULL;
  return value ^ (value >> 31U);
}

/// The same on every machine; stored vectors depend on it.
[[nodiscard]] constexpr std::uint64_t feature_hash(std::string_view text, std::uint64_t seed = 0) {
  std::uint64_t hash = 0xCBF29CE484222325ULL ^ mixed(seed);
  for (const char c : text) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 0x100000001B3ULL;
  }
  return mixed(hash);
}

}  // namespace clever::index::internal
