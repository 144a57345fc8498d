#include "service/plan/path_words.h"

#include <algorithm>

#include "base/text.h"

namespace clever::service {
namespace {

constexpr std::string_view kBlanksAndBreaks = " \t\r\n";

bool is_blank_at(std::string_view text, std::size_t at) {
  return at >= text.size() || kBlanksAndBreaks.contains(text[at]);
}

// The closing quote of one that begins a word; none if it does not end a word there.
std::size_t closing_quote(std::string_view text, std::size_t at) {
  for (std::size_t end = text.find(text[at], at + 1); end != std::string_view::npos;
       end = text.find(text[at], end + 1)) {
    const bool ends_word =
        is_blank_at(text, end + 1) || std::string_view(",;:.)!?").contains(text[end + 1]);
    if (ends_word && end > at + 1) return end;
  }
  return std::string_view::npos;
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::string percent_decoded(std::string_view text) {
  std::string decoded;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool coded = text[i] == '%' && i + 2 < text.size() && hex_digit(text[i + 1]) >= 0 &&
                       hex_digit(text[i + 2]) >= 0;
    if (!coded) {
      decoded += text[i];
      continue;
    }
    decoded += static_cast<char>(hex_digit(text[i + 1]) * 16 + hex_digit(text[i + 2]));
    i += 2;
  }
  return decoded;
}

std::string as_path(std::string_view word) {
  constexpr std::string_view kFile = "file://";
  word = base::trimmed(word, "'\",;:()<>");
  while (word.ends_with('.')) word.remove_suffix(1);
  if (word.starts_with('@')) word.remove_prefix(1);
  if (!word.starts_with(kFile)) return std::string(word);
  word.remove_prefix(kFile.size());
  // file://localhost/…
  return percent_decoded(word.substr(std::min(word.find('/'), word.size())));
}

}  // namespace

std::vector<std::string> path_words(std::string_view text) {
  std::vector<std::string> words;
  std::size_t at = 0;
  while (at < text.size()) {
    if (is_blank_at(text, at)) {
      ++at;
      continue;
    }
    const std::size_t begin = text[at] == '@' || text[at] == '(' ? at + 1 : at;
    const bool quoted = begin < text.size() && (text[begin] == '\'' || text[begin] == '"');
    const std::size_t end = quoted ? closing_quote(text, begin) : std::string_view::npos;
    if (end != std::string_view::npos) {
      words.push_back(as_path(text.substr(begin + 1, end - begin - 1)));
      at = end + 1;
      continue;
    }
    std::string word;
    for (; !is_blank_at(text, at); ++at) {
      if (text[at] == '\\' && at + 1 < text.size() && text[at + 1] != '\n') ++at;
      word += text[at];
    }
    words.push_back(as_path(word));
  }
  std::erase(words, "");
  return words;
}

}  // namespace clever::service
