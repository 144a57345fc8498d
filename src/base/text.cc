#include "base/text.h"

#include <algorithm>

namespace clever::base {
namespace {

template <class Words>
std::string join(const Words& words, std::string_view separator) {
  std::string text;
  for (const auto& word : words) {
    if (&word != &words.front()) text.append(separator);
    text.append(word);
  }
  return text;
}

}  // namespace

std::string lower_case(std::string_view text) {
  std::string result(text);
  for (char& c : result) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return result;
}

std::string upper_case(std::string_view text) {
  std::string result(text);
  for (char& c : result) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return result;
}

std::string_view trimmed(std::string_view text, std::string_view blanks) noexcept {
  const std::size_t begin = text.find_first_not_of(blanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

bool is_blank(std::string_view text) noexcept {
  return text.find_first_not_of(kBlanks) == std::string_view::npos;
}

std::string joined(std::span<const std::string> words, std::string_view separator) {
  return join(words, separator);
}

std::string joined(std::span<const std::string_view> words, std::string_view separator) {
  return join(words, separator);
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> pieces;
  while (true) {
    const std::size_t end = text.find(separator);
    pieces.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return pieces;
    text.remove_prefix(end + 1);
  }
}

}  // namespace clever::base
