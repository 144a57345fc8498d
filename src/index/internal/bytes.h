#pragma once
#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

// Numbers in the index's files: little-endian, or seven bits to a byte.
namespace clever::index::internal {

static_assert(std::endian::native == std::endian::little,
              "the index's files are read as they lie in memory");

template <class T>
[[nodiscard]] T load(std::string_view bytes, std::size_t at) noexcept {
  T value;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

template <class T>
void store(std::string& bytes, T value) {
  char raw[sizeof value];
  std::memcpy(raw, &value, sizeof value);
  bytes.append(raw, sizeof value);
}

inline constexpr std::size_t kLongestVarint = 10;

/// Writes at most kLongestVarint bytes; returns the end.
inline char* write_varint(char* at, std::uint64_t value) noexcept {
  for (; value >= 0x80; value >>= 7U) *at++ = static_cast<char>(value | 0x80U);
  *at++ = static_cast<char>(value);
  return at;
}

inline void store_varint(std::string& bytes, std::uint64_t value) {
  char raw[kLongestVarint];
  bytes.append(raw, static_cast<std::size_t>(write_varint(raw, value) - raw));
}

[[nodiscard]] constexpr std::uint64_t zigzag(std::int64_t value) noexcept {
  return (static_cast<std::uint64_t>(value) << 1U) ^ static_cast<std::uint64_t>(value >> 63U);
}
[[nodiscard]] constexpr std::int64_t unzigzag(std::uint64_t value) noexcept {
  return static_cast<std::int64_t>(value >> 1U) ^ -static_cast<std::int64_t>(value & 1U);
}

/// Reads numbers and texts from untrusted bytes. Missing ones are 0 or empty, and from then on
/// failed() is true.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) noexcept
      : at_(bytes.data()), end_(bytes.data() + bytes.size()) {}

  [[nodiscard]] bool failed() const noexcept { return failed_; }
  [[nodiscard]] bool at_end() const noexcept { return at_ == end_; }
  [[nodiscard]] std::size_t left() const noexcept { return static_cast<std::size_t>(end_ - at_); }

  std::uint64_t varint() noexcept {
    if (at_ != end_ && static_cast<unsigned char>(*at_) < 0x80) [[likely]] {
      return static_cast<unsigned char>(*at_++);
    }
    return long_varint();
  }
  std::uint32_t number() noexcept { return static_cast<std::uint32_t>(varint()); }
  std::int64_t signed_varint() noexcept { return unzigzag(varint()); }

  std::string_view text(std::size_t size) noexcept {
    if (size > left()) {
      fail();
      return {};
    }
    const std::string_view text(at_, size);
    at_ += size;
    return text;
  }
  std::string_view text() noexcept { return text(static_cast<std::size_t>(varint())); }

 private:
  std::uint64_t long_varint() noexcept {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64 && at_ != end_; shift += 7) {
      const auto byte = static_cast<unsigned char>(*at_++);
      value |= std::uint64_t{byte & 0x7FU} << shift;
      if (byte < 0x80) return value;
    }
    fail();
    return 0;
  }
  void fail() noexcept {
    failed_ = true;
    at_ = end_;
  }

  const char* at_;
  const char* end_;
  bool failed_ = false;
};

}  // namespace clever::index::internal
