#pragma once
#include <array>
#include <cstdint>

// The characters that form words. Pure functions.
namespace clever::index::internal {

enum class ByteClass : std::uint8_t { kOther, kLower, kUpper, kDigit, kUnderscore, kHigh };

[[nodiscard]] consteval std::array<ByteClass, 256> byte_classes() {
  std::array<ByteClass, 256> classes{};
  for (unsigned byte = 0; byte < 256; ++byte) {
    ByteClass& one = classes[byte];
    if (byte >= 'a' && byte <= 'z') one = ByteClass::kLower;
    if (byte >= 'A' && byte <= 'Z') one = ByteClass::kUpper;
    if (byte >= '0' && byte <= '9') one = ByteClass::kDigit;
    if (byte == '_') one = ByteClass::kUnderscore;
    if (byte >= 0x80) one = ByteClass::kHigh;
  }
  return classes;
}
inline constexpr std::array<ByteClass, 256> kByteClasses = byte_classes();
[[nodiscard]] constexpr ByteClass class_of(char byte) noexcept {
  return kByteClasses[static_cast<unsigned char>(byte)];
}

/// Beyond ASCII: everything that is not known to be a sign, a space or a pictogram.
[[nodiscard]] bool is_letter(char32_t character) noexcept;
/// Written without spaces between words.
[[nodiscard]] bool is_ideograph(char32_t character) noexcept;
/// Latin, Greek, Cyrillic and Armenian; other characters are unchanged.
[[nodiscard]] char32_t to_lower(char32_t character) noexcept;

}  // namespace clever::index::internal
