#include "diff/quote.h"

#include <algorithm>

namespace clever::diff {
namespace {

bool needs_escape(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte < 0x20 || byte >= 0x7f || c == '"' || c == '\\';
}

std::string octal(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return {'\\', static_cast<char>('0' + (byte >> 6U)), static_cast<char>('0' + ((byte >> 3U) & 7U)),
          static_cast<char>('0' + (byte & 7U))};
}

std::string escaped(char c) {
  static constexpr std::string_view kCharacters = "\a\b\t\n\v\f\r\"\\";
  static constexpr std::string_view kLetters = "abtnvfr\"\\";
  const std::size_t index = kCharacters.find(c);
  return index == std::string_view::npos ? octal(c) : std::string{'\\', kLetters[index]};
}

}  // namespace

std::string always_quoted(std::string_view path) {
  std::string text = "\"";
  for (const char c : path) text += needs_escape(c) ? escaped(c) : std::string(1, c);
  return text + "\"";
}

std::string quoted_path(std::string_view path) {
  return std::ranges::any_of(path, needs_escape) ? always_quoted(path) : std::string(path);
}

}  // namespace clever::diff
