#include "base/base64.h"

#include <array>
#include <cstdint>

namespace clever::base {
namespace {

constexpr std::string_view kBase64Alphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::uint8_t kNoDigit = 64;

constexpr std::array<std::uint8_t, 256> digits() {
  std::array<std::uint8_t, 256> table{};
  table.fill(kNoDigit);
  for (std::size_t i = 0; i < kBase64Alphabet.size(); ++i) {
    table[static_cast<std::uint8_t>(kBase64Alphabet[i])] = static_cast<std::uint8_t>(i);
  }
  return table;
}
constexpr auto kDigits = digits();

std::uint32_t byte_at(std::string_view bytes, std::size_t at) {
  return at < bytes.size() ? static_cast<std::uint8_t>(bytes[at]) : 0;
}

std::string_view without_padding(std::string_view text) {
  const std::size_t last = text.find_last_not_of('=');
  const std::size_t size = last == std::string_view::npos ? 0 : last + 1;
  return text.size() - size <= 2 ? text.substr(0, size) : text;
}

}  // namespace

void append_base64(std::string& text, std::string_view bytes) {
  text.reserve(text.size() + (bytes.size() + 2) / 3 * 4);
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    const std::uint32_t group =
        byte_at(bytes, at) << 16U | byte_at(bytes, at + 1) << 8U | byte_at(bytes, at + 2);
    text.push_back(kBase64Alphabet[group >> 18U]);
    text.push_back(kBase64Alphabet[group >> 12U & 63U]);
    text.push_back(at + 1 < bytes.size() ? kBase64Alphabet[group >> 6U & 63U] : '=');
    text.push_back(at + 2 < bytes.size() ? kBase64Alphabet[group & 63U] : '=');
  }
}

std::string to_base64(std::string_view bytes) {
  std::string text;
  append_base64(text, bytes);
  return text;
}

Result<std::string> from_base64(std::string_view text) {
  const std::string_view body = without_padding(text);
  std::string bytes;
  bytes.reserve(body.size() / 4 * 3 + 2);
  std::uint32_t bits = 0;
  unsigned held = 0;
  for (std::size_t i = 0; i < body.size(); ++i) {
    const std::uint8_t digit = kDigits[static_cast<std::uint8_t>(body[i])];
    if (digit == kNoDigit) {
      return invalid_argument("character " + std::to_string(i + 1) + " is not base64");
    }
    bits = bits << 6U | digit;
    held += 6;
    if (held >= 8) {
      held -= 8;
      bytes.push_back(static_cast<char>(bits >> held & 0xFFU));
    }
  }
  if (body.size() % 4 == 1) return invalid_argument("the base64 text is cut short");
  return bytes;
}

}  // namespace clever::base
