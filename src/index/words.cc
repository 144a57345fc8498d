#include "index/words.h"

#include <algorithm>

#include "index/internal/word_scan.h"

namespace clever::index {
namespace {

constexpr std::size_t kShortestStem = 3;

bool is_vowel(char c) { return std::string_view("aeiouy").contains(c); }

bool has_vowel(std::string_view text) { return std::ranges::any_of(text, is_vowel); }

// "stopp" -> "stop", but "pass", "fall" and "buzz" stay.
std::string_view without_doubling(std::string_view text) {
  const char last = text.back();
  const bool doubled = text.size() > kShortestStem && text[text.size() - 2] == last;
  if (!doubled || is_vowel(last) || std::string_view("slz").contains(last)) return text;
  return text.substr(0, text.size() - 1);
}

// Returns the word less `count` bytes if the rest can be a stem, else an empty text.
std::string_view cut(std::string_view word, std::size_t count) {
  if (word.size() < kShortestStem + count) return {};
  const std::string_view rest = word.substr(0, word.size() - count);
  return has_vowel(rest) ? rest : std::string_view{};
}

std::string_view without_plural(std::string_view word) {
  if (word.ends_with("sses")) return cut(word, 2);
  if (word.ends_with("ies")) return cut(word, 3);
  for (const std::string_view ending : {"ses", "xes", "zes", "ches", "shes"}) {
    if (word.ends_with(ending)) return cut(word, 2);
  }
  if (!word.ends_with('s') || word.size() < 4) return {};
  return std::string_view("sui").contains(word[word.size() - 2]) ? std::string_view{}
                                                                 : cut(word, 1);
}

std::string_view without_verb_ending(std::string_view word) {
  if (word.ends_with("ied")) return cut(word, 3);
  const std::size_t count = word.ends_with("ing") ? 3 : word.ends_with("ed") ? 2 : 0;
  if (count == 0) return {};
  const std::string_view rest = cut(word, count);
  return rest.empty() ? rest : without_doubling(rest);
}

// "parse" and "parsing", "query" and "queries" match after they lose the last letter.
std::string_view without_last_vowel(std::string_view word) {
  const bool mute = word.ends_with('e') ||
                    (word.ends_with('y') && word.size() > 2 && !is_vowel(word[word.size() - 2]));
  const std::string_view rest = mute ? cut(word, 1) : std::string_view{};
  return rest.empty() ? word : rest;
}

}  // namespace

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  internal::WordSplitter splitter;
  internal::for_each_identifier(text, [&](std::string_view identifier) {
    splitter.split(identifier, [&](std::string_view word) { words.emplace_back(word); });
  });
  return words;
}

std::string_view stem_of(std::string_view word) noexcept {
  if (const std::string_view verb = without_verb_ending(word); !verb.empty()) {
    return without_last_vowel(verb);
  }
  const std::string_view singular = without_plural(word);
  return without_last_vowel(singular.empty() ? word : singular);
}

}  // namespace clever::index
