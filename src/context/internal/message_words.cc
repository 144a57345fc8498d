#include "context/internal/message_words.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/text.h"
#include "index/words.h"

namespace clever::context::internal {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_hex(char c) { return is_digit(c) || (c >= 'a' && c <= 'f'); }
bool is_ascii_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

constexpr std::array<std::string_view, 9> kMachineLines = {
    "change-id", "git-svn-id", "piperorigin-revid", "cc",    "link",
    "bug",       "test-plan",  "cherry-picked",     "signed"};

// "Reviewed-by: …", "Change-Id: …", "(cherry picked from …".
bool is_for_machines(std::string_view line) {
  if (line.starts_with("(cherry picked from")) return true;
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos || colon > 40) return false;
  const std::string key = base::lower_case(line.substr(0, colon));
  const bool plain =
      std::ranges::all_of(key, [](char c) { return is_ascii_letter(c) || c == '-'; });
  return plain &&
         (key.ends_with("-by") || std::ranges::find(kMachineLines, key) != kMachineLines.end());
}

bool says_something(std::string_view word) {
  const auto digits = std::ranges::count_if(word, is_digit);
  if (std::cmp_equal(digits, word.size())) return false;
  return word.size() < 7 || digits == 0 || !std::ranges::all_of(word, is_hex);
}

void append_words(std::string_view line, std::vector<std::string>& words) {
  for (const std::string& word : index::words_of(line)) {
    if (says_something(word)) words.emplace_back(index::stem_of(word));
  }
}

}  // namespace

std::vector<std::string> message_words(std::string_view message) {
  std::vector<std::string> words;
  while (!message.empty()) {
    const std::size_t end = std::min(message.find('\n'), message.size());
    const std::string_view line = message.substr(0, end);
    message.remove_prefix(std::min(end + 1, message.size()));
    if (!is_for_machines(line)) append_words(line, words);
  }
  return words;
}

}  // namespace clever::context::internal
