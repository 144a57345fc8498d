#include "git/object_id.h"

#include <optional>

#include "git/tree_path.h"

namespace clever::git {
namespace {

std::optional<std::uint8_t> digit_value(char digit) {
  if (digit >= '0' && digit <= '9') return static_cast<std::uint8_t>(digit - '0');
  if (digit >= 'a' && digit <= 'f') return static_cast<std::uint8_t>(digit - 'a' + 10);
  if (digit >= 'A' && digit <= 'F') return static_cast<std::uint8_t>(digit - 'A' + 10);
  return std::nullopt;
}

base::Error bad_id(std::string_view text) {
  return base::invalid_argument("'" + printable(text.substr(0, 80)) +
                                "' is not an object id: write 40 hexadecimal digits");
}

}  // namespace

base::Result<ObjectId> ObjectId::from_hex(std::string_view text) {
  if (text.size() != 2 * kSize) return bad_id(text);
  Bytes bytes{};
  for (std::size_t i = 0; i < kSize; ++i) {
    const auto high = digit_value(text[2 * i]);
    const auto low = digit_value(text[2 * i + 1]);
    if (!high || !low) return bad_id(text);
    bytes[i] = static_cast<std::uint8_t>(*high << 4U | *low);
  }
  return ObjectId(bytes);
}

std::string ObjectId::to_hex() const {
  static constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  text.reserve(2 * kSize);
  for (const std::uint8_t byte : bytes_) {
    text += kDigits[byte >> 4U];
    text += kDigits[byte & 15U];
  }
  return text;
}

}  // namespace clever::git
