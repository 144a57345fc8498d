#pragma once
#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace clever::git {

/// The name of a git object: the SHA-1 of its kind, size and content. A value; the default is all
/// zeros and names nothing.
class ObjectId {
 public:
  static constexpr std::size_t kSize = 20;
  using Bytes = std::array<std::uint8_t, kSize>;

  constexpr ObjectId() = default;
  constexpr explicit ObjectId(const Bytes& bytes) : bytes_(bytes) {}

  /// Parses 40 hexadecimal digits in either case.
  [[nodiscard]] static base::Result<ObjectId> from_hex(std::string_view text);
  /// 40 lower-case hexadecimal digits.
  [[nodiscard]] std::string to_hex() const;

  [[nodiscard]] constexpr const Bytes& bytes() const { return bytes_; }
  explicit operator bool() const { return *this != ObjectId(); }

  friend constexpr auto operator<=>(const ObjectId&, const ObjectId&) = default;

 private:
  Bytes bytes_{};
};

}  // namespace clever::git

template <>
struct std::hash<clever::git::ObjectId> {
  [[nodiscard]] std::size_t operator()(const clever::git::ObjectId& id) const noexcept {
    std::size_t first = 0;  // it is a hash already
    std::memcpy(&first, id.bytes().data(), sizeof first);
    return first;
  }
};
