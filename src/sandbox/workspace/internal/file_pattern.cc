#include "sandbox/workspace/internal/file_pattern.h"

#include <algorithm>
#include <optional>
#include <utility>

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

constexpr base::Glob::Syntax kSyntax{.characters = true};

}  // namespace

FilePattern::Alternative FilePattern::alternative_of(std::string_view pattern) {
  while (pattern.starts_with("./")) pattern.remove_prefix(2);
  const std::size_t slash = pattern.find('/');
  const bool by_name = slash == std::string_view::npos;
  std::string text = by_name || slash + 1 < pattern.size() ? "" : std::string(kAnyFolders) + "/";
  for (std::size_t at = 0; at < pattern.size(); ++at) {
    const bool begins = text.empty() || text.ends_with('/');
    if (pattern[at] != '/' || !begins) text.push_back(pattern[at]);
  }
  if (text.empty() || text.ends_with('/')) text += kAnyFolders;  // "src/" and "/"
  // A backslash at the end stands for itself.
  const std::size_t last = text.find_last_not_of('\\');
  const std::size_t backslashes = text.size() - (last == std::string::npos ? 0 : last + 1);
  if (backslashes % 2 == 1) text.push_back('\\');
  return {.glob = base::Glob(text, kSyntax), .by_name = by_name};
}

base::Result<FilePattern> FilePattern::parse(std::string_view pattern) {
  FilePattern result;
  if (pattern.empty()) return result;
  CLEVER_ASSIGN(const auto alternatives, expand(pattern));
  for (const std::string& text : alternatives) {
    Alternative alternative = alternative_of(text);
    if (!alternative.glob.is_valid()) {
      return wrong(pattern, "opens a bracket that it does not close; write \\[ for the character");
    }
    result.alternatives_.push_back(std::move(alternative));
  }
  return result;
}

bool FilePattern::matches(std::string_view path) const {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  return alternatives_.empty() || std::ranges::any_of(alternatives_, [&](const Alternative& one) {
           return one.glob.matches(one.by_name ? name : path);
         });
}

bool FilePattern::may_match_below(std::string_view folder) const {
  const std::string prefix = folder.empty() ? "" : std::string(folder) + "/";
  return alternatives_.empty() || std::ranges::any_of(alternatives_, [&](const Alternative& one) {
           return one.by_name || one.glob.may_continue(prefix);
         });
}

}  // namespace clever::sandbox::internal
