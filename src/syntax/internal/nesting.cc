#include "syntax/internal/nesting.h"

#include <algorithm>
#include <cstddef>

namespace clever::syntax::internal {
namespace {

constexpr std::size_t kDeepestLevel = 200;
constexpr std::size_t kLongestWord = 200;

// Every level of the block around a line shows in one of the line's first characters; a tab in
// Markdown counts for two.
std::size_t levels_at(Language language, std::string_view line) noexcept {
  const std::string_view marks = language == Language::kPython ? " \t\f"
                                 : language == Language::kYaml ? " \t-?:"
                                                               : " \t>*+-.)0123456789";
  const std::size_t size = std::min(line.find_first_not_of(marks), line.size());
  if (language != Language::kMarkdown) {
    return size;
  }
  // A row of dashes is a rule or the edge of a table: only separate dashes can be levels.
  const std::string_view beginning = line.substr(0, size);
  const auto count = [&](char c) {
    return static_cast<std::size_t>(std::ranges::count(beginning, c));
  };
  return count('>') + count(' ') + 2 * count('\t');
}

bool has_deep_line(Language language, std::string_view content) noexcept {
  for (std::size_t at = 0; at < content.size();) {
    const std::size_t end = std::min(content.find_first_of("\r\n", at), content.size());
    if (levels_at(language, content.substr(at, end - at)) > kDeepestLevel) {
      return true;
    }
    at = end + 1;
  }
  return false;
}

// <<WORD, <<~"WORD": the scanner stores the length of the word in one byte.
bool has_long_word(std::string_view content) noexcept {
  for (std::size_t at = content.find("<<"); at != std::string_view::npos;
       at = content.find("<<", at + 2)) {
    const std::string_view word = content.substr(at + 2, kLongestWord + 1);
    const bool quoted = word.substr(0, 3).find_first_of("\"'`") != std::string_view::npos;
    const std::size_t end = word.find_first_of(quoted ? "\r\n" : "\r\n \t,.;:()[]{}=+*/&|<>!?\"'");
    if (end == std::string_view::npos && word.size() > kLongestWord) {
      return true;
    }
  }
  return false;
}

}  // namespace

bool nests_too_deep(Language language, std::string_view content) noexcept {
  switch (language) {
    case Language::kPython:
    case Language::kYaml:
    case Language::kMarkdown:
      return has_deep_line(language, content);
    case Language::kRuby:
    case Language::kBash:
      return has_long_word(content);
    default:
      return false;
  }
}

}  // namespace clever::syntax::internal
