#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace clever::index::internal {

namespace mixing {
inline constexpr std::uint64_t kFirst = 0x9E3779B97F4A7C15U;
inline constexpr std::uint64_t kSecond = 0xC2B2AE3D27D4EB4FU;

[[nodiscard]] inline std::uint64_t word_at(const char* at) noexcept {
  std::uint64_t word;
  std::memcpy(&word, at, sizeof word);
  return word;
}
[[nodiscard]] inline std::uint64_t half_at(const char* at) noexcept {
  std::uint32_t half;
  std::memcpy(&half, at, sizeof half);
  return half;
}
[[nodiscard]] constexpr std::uint64_t stir(std::uint64_t x) noexcept {
  x ^= x >> 32U;
  x *= kFirst;
  x ^= x >> 29U;
  x *= kSecond;
  return x ^ (x >> 32U);
}
}  // namespace mixing

/// A hash of short texts for hash tables. Not for bytes that an attacker chose, and not stored on
/// disk.
[[nodiscard]] inline std::uint64_t quick_hash(std::string_view text,
                                              std::uint64_t seed = 0) noexcept {
  using mixing::half_at;
  using mixing::stir;
  using mixing::word_at;
  const char* const at = text.data();
  const std::size_t size = text.size();
  std::uint64_t hash = (seed + size) * mixing::kSecond;
  if (size >= 8) {
    for (std::size_t i = 0; i + 8 < size; i += 8) {
      hash = (hash ^ word_at(at + i)) * mixing::kFirst;
      hash ^= hash >> 32U;
    }
    return stir(hash ^ word_at(at + size - 8));
  }
  if (size >= 4) return stir(hash ^ half_at(at) ^ (half_at(at + size - 4) << 32U));
  std::uint64_t rest = 0;
  for (std::size_t i = 0; i < size; ++i) {
    rest = (rest << 8U) | static_cast<unsigned char>(at[i]);
  }
  return stir(hash ^ rest);
}

/// Detects damage, piece by piece: every changed byte changes it. Four lanes, to match the speed of
/// memory. Part of the file format.
class Checksum {
 public:
  void update(std::string_view bytes) noexcept;
  [[nodiscard]] std::uint64_t value() const noexcept;

 private:
  void block(const char* at) noexcept;

  std::uint64_t lanes_[4] = {1, 2, 3, 4};
  char rest_[32]{};
  std::size_t rest_size_ = 0;
  std::uint64_t size_ = 0;
};

[[nodiscard]] inline std::uint64_t checksum(std::string_view bytes) noexcept {
  Checksum sum;
  sum.update(bytes);
  return sum.value();
}

}  // namespace clever::index::internal
