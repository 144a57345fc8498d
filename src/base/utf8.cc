#include "base/utf8.h"

#include <cstdint>
#include <cstring>

namespace clever::base {
namespace {

constexpr char32_t kReplacement = 0xfffd;

// What a first byte implies: the length of the sequence, and the range of the second byte (narrower
// to exclude overlong forms, surrogates and values beyond U+10FFFF).
struct Lead {
  std::size_t size = 0;
  unsigned char second_min = 0x80;
  unsigned char second_max = 0xbf;
};

Lead lead_of(unsigned char byte) {
  if (byte < 0x80) return {.size = 1};
  if (byte < 0xc2) return {.size = 0};
  if (byte < 0xe0) return {.size = 2};
  if (byte == 0xe0) return {.size = 3, .second_min = 0xa0};
  if (byte == 0xed) return {.size = 3, .second_max = 0x9f};
  if (byte < 0xf0) return {.size = 3};
  if (byte == 0xf0) return {.size = 4, .second_min = 0x90};
  if (byte == 0xf4) return {.size = 4, .second_max = 0x8f};
  return {.size = byte < 0xf4 ? std::size_t{4} : std::size_t{0}};
}

// Returns where the next non-ASCII byte may be. Most texts have none, so checks eight bytes at
// once.
std::size_t after_ascii(std::string_view text, std::size_t at) {
  constexpr std::uint64_t kHighBits = 0x8080808080808080U;
  std::uint64_t eight = 0;
  for (; at + sizeof eight <= text.size(); at += sizeof eight) {
    std::memcpy(&eight, text.data() + at, sizeof eight);
    if ((eight & kHighBits) != 0) break;
  }
  while (at < text.size() && static_cast<unsigned char>(text[at]) < 0x80U) ++at;
  return at;
}

}  // namespace

CodePoint decode_utf8(std::string_view text, std::size_t at) {
  const auto first = static_cast<unsigned char>(text[at]);
  const Lead lead = lead_of(first);
  if (lead.size == 0) return {kReplacement, 1, false};
  if (lead.size == 1) return {first, 1, true};
  char32_t value = first & (0x7fU >> lead.size);
  for (std::size_t i = 1; i < lead.size; ++i) {
    const auto byte = at + i < text.size() ? static_cast<unsigned char>(text[at + i]) : 0U;
    const unsigned least = i == 1 ? lead.second_min : 0x80U;
    const unsigned most = i == 1 ? lead.second_max : 0xbfU;
    if (byte < least || byte > most) return {kReplacement, i, false};
    value = value << 6U | (byte & 0x3fU);
  }
  return {value, lead.size, true};
}

void append_utf8(std::string& text, char32_t code_point) {
  const auto put = [&text](char32_t byte) { text.push_back(static_cast<char>(byte)); };
  if (code_point < 0x80) return put(code_point);
  if (code_point < 0x800) {
    put(0xc0U | code_point >> 6U);
  } else if (code_point < 0x10000) {
    put(0xe0U | code_point >> 12U);
    put(0x80U | (code_point >> 6U & 0x3fU));
  } else {
    put(0xf0U | code_point >> 18U);
    put(0x80U | (code_point >> 12U & 0x3fU));
    put(0x80U | (code_point >> 6U & 0x3fU));
  }
  put(0x80U | (code_point & 0x3fU));
}

bool is_utf8(std::string_view text) {
  for (std::size_t at = after_ascii(text, 0); at < text.size(); at = after_ascii(text, at)) {
    const CodePoint next = decode_utf8(text, at);
    if (!next.valid) return false;
    at += next.size;
  }
  return true;
}

std::string to_valid_utf8(std::string_view text) {
  if (is_utf8(text)) return std::string(text);
  std::string valid;
  valid.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint next = decode_utf8(text, at);
    append_utf8(valid, next.value);
    at += next.size;
  }
  return valid;
}

std::string_view utf8_prefix(std::string_view text, std::size_t max_bytes) {
  if (text.size() <= max_bytes) return text;
  // A character has at most three bytes after its first.
  for (std::size_t back = 0; back < 4 && back <= max_bytes; ++back) {
    const auto byte = static_cast<unsigned char>(text[max_bytes - back]);
    if ((byte & 0xc0U) != 0x80U) return text.substr(0, max_bytes - back);
  }
  return text.substr(0, max_bytes);
}

bool is_invisible_control(char32_t c) {
  return c < 0x20 || (c >= 0x7f && c <= 0x9f) || c == 0x200e || c == 0x200f || c == 0x2028 ||
         c == 0x2029 || (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069) || c == 0xfeff;
}

}  // namespace clever::base
