#include "sandbox/workspace/internal/glob.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/utf8.h"

namespace clever::sandbox::internal {
namespace {

constexpr std::size_t kMostAlternatives = 256;
constexpr std::string_view kAnyFolders = "**";

// Returns where the bracket at `at` closes, or npos. "[]a]" holds "]" and "a".
std::size_t end_of_bracket(std::string_view pattern, std::size_t at) {
  std::size_t from = at + 1;
  if (from < pattern.size() && (pattern[from] == '!' || pattern[from] == '^')) ++from;
  return pattern.find(']', from + 1);
}

// Returns the position after the element at `at`: an escape, a bracket or one byte.
std::size_t skip(std::string_view pattern, std::size_t at) {
  if (pattern[at] == '\\' && at + 1 < pattern.size()) return at + 2;
  if (pattern[at] == '[') {
    const std::size_t end = end_of_bracket(pattern, at);
    if (end != std::string_view::npos) return end + 1;
  }
  return at + 1;
}

base::Error wrong(std::string_view pattern, std::string_view what) {
  return base::invalid_argument("the glob " + std::string(pattern) + " " + std::string(what));
}

struct Braces {
  std::size_t open = 0;
  std::size_t close = 0;
  std::vector<std::string_view> choices{};
};

// Finds the first braces and the alternatives in them.
base::Result<std::optional<Braces>> find_braces(std::string_view pattern) {
  std::size_t open = 0;
  while (open < pattern.size() && pattern[open] != '{') open = skip(pattern, open);
  if (open >= pattern.size()) return std::optional<Braces>();
  Braces braces{.open = open};
  int depth = 0;
  std::size_t begin = open + 1;
  for (std::size_t at = open; at < pattern.size(); at = skip(pattern, at)) {
    const char c = pattern[at];
    if (c == '{') ++depth;
    if (c == '}') --depth;
    if ((c == ',' && depth == 1) || depth == 0) {
      braces.choices.push_back(pattern.substr(begin, at - begin));
      begin = at + 1;
    }
    if (depth == 0) {
      braces.close = at;
      return std::optional(std::move(braces));
    }
  }
  return wrong(pattern, "opens a brace that it does not close; write \\{ for the character");
}

base::Result<std::vector<std::string>> expand(std::string_view pattern) {
  std::vector<std::string> open = {std::string(pattern)};
  std::vector<std::string> done;
  while (!open.empty()) {
    const std::string text = std::move(open.back());
    open.pop_back();
    CLEVER_ASSIGN(const auto braces, find_braces(text));
    if (!braces) {
      done.push_back(text);
    } else {
      for (const std::string_view choice : braces->choices) {
        open.push_back(text.substr(0, braces->open) + std::string(choice) +
                       text.substr(braces->close + 1));
      }
    }
    if (open.size() + done.size() > kMostAlternatives) {
      return wrong(pattern, "stands for more than 256 patterns; use fewer braces");
    }
  }
  return done;
}

base::Result<void> check_brackets(std::string_view pattern, std::string_view name) {
  for (std::size_t at = 0; at < name.size(); at = skip(name, at)) {
    if (name[at] == '[' && end_of_bracket(name, at) == std::string_view::npos) {
      return wrong(pattern, "opens a bracket that it does not close; write \\[ for the character");
    }
  }
  return {};
}

std::vector<std::string> cut(std::string_view pattern) {
  while (pattern.starts_with("./")) pattern.remove_prefix(2);
  const bool anchored = pattern.find('/') + 1 < pattern.size() && pattern.contains('/');
  while (pattern.starts_with('/')) pattern.remove_prefix(1);
  std::vector<std::string> names;
  if (!anchored) names.emplace_back(kAnyFolders);
  while (true) {
    const std::size_t slash = std::min(pattern.find('/'), pattern.size());
    if (slash > 0) names.emplace_back(pattern.substr(0, slash));
    if (slash == pattern.size()) break;
    pattern.remove_prefix(slash + 1);
    if (pattern.empty()) names.emplace_back(kAnyFolders);  // "src/"
  }
  if (names.empty()) names.emplace_back(kAnyFolders);  // "//"
  return names;
}

// Reads one character of a bracket, possibly escaped.
char32_t bracket_character(std::string_view pattern, std::size_t& at) {
  if (pattern[at] == '\\' && at + 1 < pattern.size()) ++at;
  const base::CodePoint point = base::decode_utf8(pattern, at);
  at += point.size;
  return point.valid ? point.value : static_cast<unsigned char>(pattern[at - 1]);
}

bool in_bracket(std::string_view set, char32_t character) {
  const bool negated = set.starts_with('!') || set.starts_with('^');
  std::size_t at = negated ? 1 : 0;
  bool found = false;
  while (at < set.size()) {
    const char32_t low = bracket_character(set, at);
    char32_t high = low;
    if (at + 1 < set.size() && set[at] == '-') {
      ++at;
      high = bracket_character(set, at);
    }
    found = found || (low <= character && character <= high);
  }
  return found != negated;
}

// Returns whether the element at `at` (not a star) matches the character at `from`; advances both
// if so.
bool take_one(std::string_view pattern, std::size_t& at, std::string_view name, std::size_t& from) {
  const base::CodePoint point = base::decode_utf8(name, from);
  if (pattern[at] == '?') {
    at += 1;
    from += point.size;
    return true;
  }
  if (pattern[at] == '[') {
    const std::size_t end = end_of_bracket(pattern, at);
    const char32_t character = point.valid ? point.value : static_cast<unsigned char>(name[from]);
    if (!in_bracket(pattern.substr(at + 1, end - at - 1), character)) return false;
    at = end + 1;
    from += point.valid ? point.size : 1;
    return true;
  }
  const std::size_t literal = pattern[at] == '\\' && at + 1 < pattern.size() ? at + 1 : at;
  if (pattern[literal] != name[from]) return false;
  at = literal + 1;
  from += 1;
  return true;
}

// Greedy with one point of return: an earlier star never needs to take more than it took.
bool name_matches(std::string_view pattern, std::string_view name) {
  std::size_t at = 0;
  std::size_t from = 0;
  std::optional<std::pair<std::size_t, std::size_t>> star;
  while (from < name.size()) {
    if (at < pattern.size() && pattern[at] == '*') {
      star.emplace(++at, from);
    } else if (at >= pattern.size() || !take_one(pattern, at, name, from)) {
      if (!star) return false;
      at = star->first;
      from = ++star->second;
    }
  }
  return pattern.find_first_not_of('*', at) == std::string_view::npos;
}

std::vector<std::string_view> names_of(std::string_view path) {
  std::vector<std::string_view> names;
  while (!path.empty()) {
    const std::size_t slash = std::min(path.find('/'), path.size());
    names.push_back(path.substr(0, slash));
    path.remove_prefix(std::min(slash + 1, path.size()));
  }
  return names;
}

// The same algorithm over names, with "**" as the star.
bool names_match(const std::vector<std::string>& pattern,
                 const std::vector<std::string_view>& names) {
  std::size_t at = 0;
  std::size_t from = 0;
  std::optional<std::pair<std::size_t, std::size_t>> star;
  while (from < names.size()) {
    if (at < pattern.size() && pattern[at] == kAnyFolders) {
      star.emplace(++at, from);
    } else if (at < pattern.size() && name_matches(pattern[at], names[from])) {
      ++at;
      ++from;
    } else {
      if (!star) return false;
      at = star->first;
      from = ++star->second;
    }
  }
  // "src/**" matches the folder's content, not the folder.
  return at == pattern.size();
}

bool may_begin(const std::vector<std::string>& pattern,
               const std::vector<std::string_view>& folder) {
  for (std::size_t i = 0; i < folder.size(); ++i) {
    if (i >= pattern.size()) return false;
    if (pattern[i] == kAnyFolders) return true;
    if (!name_matches(pattern[i], folder[i])) return false;
  }
  return folder.size() < pattern.size();
}

}  // namespace

base::Result<Glob> Glob::parse(std::string_view pattern) {
  Glob glob;
  if (pattern.empty()) return glob;
  CLEVER_ASSIGN(const auto alternatives, expand(pattern));
  for (const std::string& alternative : alternatives) {
    CLEVER_TRY(check_brackets(pattern, alternative));
    glob.alternatives_.push_back(cut(alternative));
  }
  return glob;
}

bool Glob::matches(std::string_view path) const {
  if (alternatives_.empty()) return true;
  const auto names = names_of(path);
  return std::ranges::any_of(alternatives_,
                             [&](const Names& pattern) { return names_match(pattern, names); });
}

bool Glob::may_match_below(std::string_view folder) const {
  if (alternatives_.empty()) return true;
  const auto names = names_of(folder);
  return std::ranges::any_of(alternatives_,
                             [&](const Names& pattern) { return may_begin(pattern, names); });
}

}  // namespace clever::sandbox::internal
