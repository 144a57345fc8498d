#include "confine/internal/patterns.h"

#include <algorithm>
#include <optional>

namespace clever::confine::internal {
namespace {

// Whether a [set] at the beginning of `glob` matches a character, and the set's length. None if it
// is not a set: then the bracket stands for itself.
struct SetAnswer {
  bool contains = false;
  std::size_t size = 0;
};

std::optional<SetAnswer> ask_set(std::string_view glob, char c) {
  std::size_t at = 1;
  const bool negated = at < glob.size() && (glob[at] == '!' || glob[at] == '^');
  if (negated) ++at;
  bool found = false;
  for (const std::size_t first = at; at < glob.size(); ++at) {
    if (glob[at] == ']' && at > first) {
      return SetAnswer{.contains = found != negated, .size = at + 1};
    }
    const bool range = at + 2 < glob.size() && glob[at + 1] == '-' && glob[at + 2] != ']';
    const char last = range ? glob[at + 2] : glob[at];
    found = found || (glob[at] <= c && c <= last);
    if (range) at += 2;
  }
  return std::nullopt;
}

// Matches one character against the first element of a glob, which is not a star; returns the
// element's length, or 0 without a match.
std::size_t match_one(std::string_view glob, char c) {
  if (glob.empty()) return 0;
  if (glob.front() == '?') return 1;
  if (const auto set = glob.front() == '[' ? ask_set(glob, c) : std::nullopt) {
    return set->contains ? set->size : 0;
  }
  const bool escaped = glob.front() == '\\' && glob.size() > 1;
  const std::size_t size = escaped ? 2 : 1;
  return glob[size - 1] == c ? size : 0;
}

// The state at the last star: only that one ever needs another try.
struct Retry {
  std::size_t glob;
  std::size_t text;
};

bool name_matches(std::string_view glob, std::string_view name) {
  std::optional<Retry> star;
  std::size_t at = 0;
  for (std::size_t i = 0; i < name.size();) {
    if (at < glob.size() && glob[at] == '*') {
      star = Retry{.glob = ++at, .text = i};
    } else if (const std::size_t used = match_one(glob.substr(at), name[i]); used > 0) {
      at += used;
      ++i;
    } else if (star) {
      at = star->glob;
      i = ++star->text;
    } else {
      return false;
    }
  }
  while (at < glob.size() && glob[at] == '*') ++at;
  return at == glob.size();
}

std::vector<std::string_view> parts_of(std::string_view path) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t slash = path.find('/');
    parts.push_back(path.substr(0, slash));
    if (slash == std::string_view::npos) return parts;
    path.remove_prefix(slash + 1);
  }
}

}  // namespace

bool glob_matches(std::string_view glob, std::string_view text) {
  const auto globs = parts_of(glob);
  const auto names = parts_of(text);
  std::optional<Retry> stars;
  std::size_t at = 0;
  for (std::size_t i = 0; i < names.size();) {
    if (at < globs.size() && globs[at] == "**") {
      stars = Retry{.glob = ++at, .text = i};
      // At the end it stands for everything below, which exists.
      if (at == globs.size()) return true;
    } else if (at < globs.size() && name_matches(globs[at], names[i])) {
      ++at;
      ++i;
    } else if (stars) {
      at = stars->glob;
      i = ++stars->text;
    } else {
      return false;
    }
  }
  return at == globs.size();
}

Patterns::Pattern Patterns::parse_line(std::string_view line) {
  Pattern pattern;
  if (line.starts_with('!')) {
    pattern.negated = true;
    line.remove_prefix(1);
  }
  if (line.ends_with('/')) {
    pattern.folders_only = true;
    line.remove_suffix(1);
  }
  pattern.anchored = line.find('/') != std::string_view::npos;
  if (line.starts_with('/')) line.remove_prefix(1);
  pattern.text = line;
  return pattern;
}

Patterns Patterns::parse(std::string_view text) {
  Patterns result;
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    while (!line.empty() && (line.back() == ' ' || line.back() == '\r' || line.back() == '\t')) {
      line.remove_suffix(1);
    }
    if (line.empty() || line.starts_with('#')) continue;
    Pattern pattern = parse_line(line);
    if (!pattern.text.empty()) result.patterns_.push_back(std::move(pattern));
  }
  return result;
}

Patterns::Match Patterns::match(std::string_view path, bool is_folder) const {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  Match answer;
  for (const Pattern& pattern : patterns_) {
    if (pattern.folders_only && !is_folder) continue;
    if (!glob_matches(pattern.text, pattern.anchored ? path : name)) continue;
    const std::string_view text = pattern.text;
    answer = {.matches = !pattern.negated, .by_name = text.substr(text.rfind('/') + 1) == name};
  }
  return answer;
}

}  // namespace clever::confine::internal
