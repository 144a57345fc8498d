#pragma once
#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"

namespace clever::base {

/// The 32 bytes of a SHA-256. A value; the default is all zeros.
class Sha256Digest {
 public:
  using Bytes = std::array<std::uint8_t, 32>;

  constexpr Sha256Digest() = default;
  constexpr explicit Sha256Digest(const Bytes& bytes) : bytes_(bytes) {}

  /// Parses 64 hexadecimal digits in either case.
  [[nodiscard]] static Result<Sha256Digest> from_hex(std::string_view text);

  /// 64 lower-case hexadecimal digits.
  [[nodiscard]] std::string to_hex() const;
  [[nodiscard]] constexpr const Bytes& bytes() const { return bytes_; }

  friend constexpr auto operator<=>(const Sha256Digest&, const Sha256Digest&) = default;

 private:
  Bytes bytes_{};
};

/// Hashes text piece by piece; finish() leaves it ready for the next text, so that one object
/// hashes many without further allocation.
///
/// Not thread-safe: one thread, one object. A moved-from object can only be assigned or destroyed.
class Sha256 {
 public:
  Sha256();

  Sha256& update(std::string_view bytes);
  [[nodiscard]] Sha256Digest finish();

 private:
  struct Release {
    void operator()(void* context) const noexcept;
  };
  std::unique_ptr<void, Release> context_;
};

/// The digest of one text. Thread-safe; allocates only at a thread's first call.
[[nodiscard]] Sha256Digest sha256(std::string_view bytes);

/// Whether two secrets are equal, in a time that depends only on their length.
[[nodiscard]] bool constant_time_equal(std::string_view a, std::string_view b) noexcept;

}  // namespace clever::base

template <>
struct std::hash<clever::base::Sha256Digest> {
  [[nodiscard]] std::size_t operator()(const clever::base::Sha256Digest& digest) const noexcept;
};
