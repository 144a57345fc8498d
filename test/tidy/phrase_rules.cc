// Plain English: phrases that are not written any more. docs/glossary.md has the words to use.
#include <algorithm>
#include <array>
#include <cctype>
#include <iterator>
#include <map>

#include "tidy/rules.h"

namespace clever::tidy {
namespace {

// A ceiling counts the uses that are left from before: it only ever falls, and ends at 0.
constexpr auto kPhrases = std::to_array<Phrase>({
    {"whoever", "name who: the caller, the owner, a process, a person", 1},
    {"nobody", "name who does not, or say what is missing", 1},
    {"somebody", "name who: a person, another process, the caller", 0},
    {"anybody", "name who: any process, any person", 0},
    {"told", "say who gets what: \"the model gets\", \"the caller passes\"", 2},
    {"fares", "write: the status of", 0},
    {"as ever", "say what happens", 0},
    {"other hands", "write: by hand, or by another process", 0},
    {"led astray", "say what was changed, and by what", 0},
    {"so far as", "write: as far as, or name the limit", 0},
});

bool belongs_to_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

// What people read: the sources of the product, and documents except the one that names the old
// words.
bool is_read(const File& file) {
  if (file.path == "docs/glossary.md" || file.path == "CHANGELOG.md") return false;
  return (file.in("src") && !file.is_test()) || file.path.ends_with(".md");
}

// Names in code are not prose: how often each line has one that is the phrase.
std::map<int, int> names(const File& file, std::string_view phrase) {
  std::map<int, int> found;
  for (const Token& token : file.source.tokens) {
    if (lower(token.text) == phrase) ++found[token.line];
  }
  return found;
}

// Calls f(line number) for each use of a phrase as whole words.
template <typename F>
void each_use(const std::string& text, std::string_view phrase, F f) {
  int line = 1;
  std::size_t counted = 0;
  for (std::size_t at = text.find(phrase); at != std::string::npos;
       at = text.find(phrase, at + phrase.size())) {
    const std::size_t end = at + phrase.size();
    if (at > 0 && belongs_to_word(text[at - 1])) continue;
    if (end < text.size() && belongs_to_word(text[end])) continue;
    line += static_cast<int>(std::count(text.begin() + static_cast<std::ptrdiff_t>(counted),
                                        text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
    counted = at;
    f(line);
  }
}

}  // namespace

void check_phrases(const Tree& tree, std::span<const Phrase> phrases, Findings& findings) {
  std::vector<Findings> uses(phrases.size());
  for (const File& file : tree.files) {
    if (!is_read(file)) continue;
    const std::string text = lower(file.text);
    for (std::size_t i = 0; i < phrases.size(); ++i) {
      const Phrase& phrase = phrases[i];
      std::map<int, int> in_code = names(file, phrase.text);
      each_use(text, phrase.text, [&](int line) {
        if (in_code[line]-- > 0) return;
        uses[i].push_back({file.path, line, "phrase", "\"" + std::string(phrase.text) + "\"",
                           std::string(phrase.cure)});
      });
    }
  }
  for (std::size_t i = 0; i < phrases.size(); ++i) {
    const Phrase& phrase = phrases[i];
    if (uses[i].size() <= phrase.ceiling) continue;
    if (phrase.ceiling == 0) {
      std::ranges::move(uses[i], std::back_inserter(findings));
      continue;
    }
    Finding one = uses[i].front();
    one.what += " is used " + std::to_string(uses[i].size()) + " times, at most " +
                std::to_string(phrase.ceiling) + " are left (the list: git grep -iw)";
    findings.push_back(std::move(one));
  }
}

void check_plain_english(const Tree& tree, Findings& findings) {
  check_phrases(tree, kPhrases, findings);
}

}  // namespace clever::tidy
