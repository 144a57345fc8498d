#include <cstdint>
#include <unordered_map>

#include "diff/internal/line_changes.h"
#include "diff/text_diff.h"

namespace clever::diff {
namespace {

enum class Sort : std::uint8_t { kWord, kBlank, kSingle };

Sort sort_of(char c) {
  const auto byte = static_cast<unsigned char>(c);
  if (byte >= 0x80 || c == '_' || (c >= '0' && c <= '9')) return Sort::kWord;
  if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')) return Sort::kWord;
  return c == ' ' || c == '\t' ? Sort::kBlank : Sort::kSingle;
}

std::vector<std::string_view> split_words(std::string_view text) {
  std::vector<std::string_view> words;
  while (!text.empty()) {
    const Sort sort = sort_of(text.front());
    std::size_t length = 1;
    while (sort != Sort::kSingle && length < text.size() && sort_of(text[length]) == sort) ++length;
    words.push_back(text.substr(0, length));
    text.remove_prefix(length);
  }
  return words;
}

// Turns words into numbered lines, so that the line comparison compares words.
class Numbers {
 public:
  std::string lines_of(const std::vector<std::string_view>& words) {
    std::string lines;
    for (const std::string_view word : words) {
      const std::size_t number = numbers_.try_emplace(word, numbers_.size()).first->second;
      lines.append(std::to_string(number)).append("\n");
    }
    return lines;
  }

 private:
  std::unordered_map<std::string_view, std::size_t> numbers_;
};

void append_words(std::vector<WordPiece>& pieces, LineKind kind,
                  const std::vector<std::string_view>& words, std::size_t begin, std::size_t end) {
  if (begin == end) return;
  pieces.push_back({kind, {}});
  for (std::size_t i = begin; i < end; ++i) pieces.back().text += words[i];
}

}  // namespace

std::vector<WordPiece> words_of(std::string_view before, std::string_view after) {
  const std::vector<std::string_view> old_words = split_words(before);
  const std::vector<std::string_view> new_words = split_words(after);
  Numbers numbers;
  const std::string old_lines = numbers.lines_of(old_words);
  const std::string new_lines = numbers.lines_of(new_words);
  std::vector<WordPiece> pieces;
  std::size_t done = 0;
  for (const internal::LineChange& change : internal::line_changes(old_lines, new_lines)) {
    append_words(pieces, LineKind::kContext, old_words, done, change.old_begin);
    append_words(pieces, LineKind::kRemoved, old_words, change.old_begin, change.old_end());
    append_words(pieces, LineKind::kAdded, new_words, change.new_begin, change.new_end());
    done = change.old_end();
  }
  append_words(pieces, LineKind::kContext, old_words, done, old_words.size());
  return pieces;
}

}  // namespace clever::diff
