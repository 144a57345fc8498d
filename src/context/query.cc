#include "context/query.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <set>

#include "base/text.h"
#include "base/utf8.h"
#include "context/internal/text_of.h"
#include "index/words.h"

namespace clever::context {
namespace {

// Sorted, for binary search.
constexpr auto kEmpty = std::to_array<std::string_view>(
    {"a",      "about",   "after",   "all",  "also",   "an",     "and",   "any",   "are",   "as",
     "at",     "be",      "because", "been", "before", "but",    "by",    "can",   "could", "did",
     "do",     "does",    "for",     "from", "had",    "has",    "have",  "how",   "i",     "if",
     "in",     "instead", "into",    "is",   "it",     "its",    "just",  "may",   "more",  "most",
     "no",     "not",     "now",     "of",   "on",     "only",   "or",    "other", "our",   "out",
     "over",   "please",  "rather",  "same", "shall",  "should", "so",    "some",  "such",  "than",
     "that",   "the",     "their",   "them", "then",   "there",  "these", "they",  "this",  "those",
     "to",     "too",     "up",      "us",   "use",    "used",   "uses",  "using", "very",  "was",
     "we",     "were",    "what",    "when", "where",  "which",  "while", "who",   "will",  "with",
     "within", "without", "would",   "you",  "your"});
static_assert(std::ranges::is_sorted(kEmpty));

bool is_letter(char c) noexcept {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }
bool is_name_character(char c) noexcept { return is_letter(c) || is_digit(c); }
bool is_path_character(char c) noexcept {
  return is_name_character(c) || c == '/' || c == '.' || c == '-' || c == '+' || c == '@';
}

/// Removes duplicates, keeps the order and at most kMostNames.
template <class T>
void add(std::vector<T>& to, T value) {
  if (to.size() < kMostNames && std::ranges::find(to, value) == to.end()) {
    to.push_back(std::move(value));
  }
}

/// "parse_line", "HttpServer", "kMax": not a word of prose.
bool is_identifier(std::string_view token) {
  if (token.size() < 3 || !is_letter(token.front())) return false;
  bool lower = false;
  bool mixed = token.find('_') != std::string_view::npos;
  for (const char c : token) {
    if (c >= 'A' && c <= 'Z' && lower) mixed = true;
    lower = lower || (c >= 'a' && c <= 'z');
  }
  return mixed;
}

/// "Reviewed-by: …", "Change-Id: …": signatures, not the task.
bool is_for_machines(std::string_view line) {
  const std::size_t colon = line.find(": ");
  if (colon == std::string_view::npos || colon > 40) return line.starts_with("git-svn-id:");
  const std::string_view key = line.substr(0, colon);
  return key.ends_with("-by") || key.ends_with("-By") || key == "Change-Id";
}

/// From the first line that is not blank.
std::string for_people(std::string_view text) {
  std::string kept;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end);
    const bool blank = line.find_first_not_of(" \t\r\n") == std::string_view::npos;
    if (!is_for_machines(line) && !(blank && kept.empty())) kept += line;
  }
  return kept;
}

std::vector<std::string> words_that_say(std::string_view text) {
  std::vector<std::string> words;
  std::set<std::string> seen;
  for (auto& word : index::words_of(text)) {
    if (words.size() >= 4 * kMostNames) break;
    if (!says_nothing(word) && seen.insert(word).second) words.push_back(std::move(word));
  }
  return words;
}

class Reader {
 public:
  explicit Reader(std::string text) { query_.text = std::move(text); }

  Query read() {
    for (at_ = 0; at_ < text().size();) step();
    query_.words = words_that_say(text());
    query_.title = text().substr(0, text().find('\n'));
    return std::move(query_);
  }

 private:
  [[nodiscard]] const std::string& text() const { return query_.text; }

  void step() {
    const char c = text()[at_];
    if (c == '`' || c == '"' || c == '\'') {
      quoted(c);
    } else if (is_path_character(c)) {
      token();
    } else {
      ++at_;
    }
  }

  /// A quote holds at most a line; its inside is parsed again for names.
  void quoted(char mark) {
    const std::size_t begin = ++at_;
    // The apostrophe of "don't" opens no quote.
    if (mark == '\'' && begin >= 2 && is_name_character(text()[begin - 2])) return;
    const std::size_t end = text().find_first_of(std::array{mark, '\n', '\0'}.data(), begin);
    if (end == std::string::npos || text()[end] != mark || end == begin) return;
    const std::string_view inside = std::string_view(text()).substr(begin, end - begin);
    if (std::ranges::all_of(inside, is_name_character)) {
      if (mark == '`' && inside.size() > 1) add(query_.identifiers, std::string(inside));
    } else if (inside.size() >= 4 && inside.size() <= 200) {
      add(query_.quoted, std::string(inside));
    }
  }

  void token() {
    const std::size_t begin = at_;
    while (at_ < text().size() && is_path_character(text()[at_])) ++at_;
    std::string_view found = std::string_view(text()).substr(begin, at_ - begin);
    while (!found.empty() && (found.back() == '.' || found.back() == '-')) found.remove_suffix(1);
    if (found.size() > 256) return;
    if (looks_like_path(found)) {
      add(query_.paths,
          NamedPath{.path = std::string(found), .line = line_after(begin + found.size())});
    }
    names_in(found, begin);
  }

  static bool looks_like_path(std::string_view found) {
    if (found.size() < 3 || found.starts_with("//")) return false;
    const std::size_t dot = found.rfind('.');
    const bool named = dot != std::string_view::npos && dot + 1 < found.size() &&
                       found.size() - dot <= 6 && is_letter(found[dot + 1]);
    const std::size_t slash = found.find('/');
    const bool nested = slash != std::string_view::npos && slash + 1 < found.size();
    return named || nested;
  }

  /// ":120", "(120", "\", line 120".
  [[nodiscard]] std::uint32_t line_after(std::size_t at) const {
    std::string_view rest = std::string_view(text()).substr(at);
    if (rest.starts_with(':') || rest.starts_with('(')) {
      rest.remove_prefix(1);
    } else if (rest.starts_with("\", line ")) {
      rest.remove_prefix(8);
    } else {
      return 0;
    }
    std::uint32_t line = 0;
    std::from_chars(rest.data(), rest.data() + std::min<std::size_t>(rest.size(), 9), line);
    return line;
  }

  void names_in(std::string_view found, std::size_t begin) {
    for (std::size_t i = 0; i < found.size();) {
      if (!is_name_character(found[i])) {
        ++i;
        continue;
      }
      const std::size_t from = i;
      while (i < found.size() && is_name_character(found[i])) ++i;
      const std::string_view name = found.substr(from, i - from);
      if (is_identifier(name) || is_called(name, begin + i)) {
        add(query_.identifiers, std::string(name));
      }
    }
  }

  /// "run()", "Plan::run", "Plan.run": marked as a name by its surroundings.
  [[nodiscard]] bool is_called(std::string_view name, std::size_t end) const {
    if (name.size() < 2 || !is_letter(name.front())) return false;
    const std::string_view rest = std::string_view(text()).substr(end, 2);
    const std::size_t begin = end - name.size();
    const bool qualified = begin >= 2 && text().compare(begin - 2, 2, "::") == 0;
    return rest.starts_with('(') || rest == "::" || qualified;
  }

  Query query_{};
  std::size_t at_ = 0;
};

}  // namespace

std::string search_text(const Query& query) { return base::joined(query.words, " "); }

std::string search_title(const Query& query) {
  return base::joined(words_that_say(query.title), " ");
}

bool says_nothing(std::string_view word) noexcept {
  return std::ranges::binary_search(kEmpty, word);
}

Query parse_query(std::string_view text) {
  const std::string valid = base::to_valid_utf8(base::utf8_prefix(text, kLongestQuery));
  return Reader(for_people(base::utf8_prefix(valid, kLongestQuery))).read();
}

}  // namespace clever::context
