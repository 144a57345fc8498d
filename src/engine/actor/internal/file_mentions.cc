// Finds the files that a text mentions.
#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include "engine/actor/internal/base_files.h"

namespace clever::engine::internal {
namespace {

constexpr std::size_t kMostWordsRead = 4096;
constexpr std::size_t kMostNamesakes = 4;

bool is_separator(char c) {
  return static_cast<unsigned char>(c) <= ' ' || std::string_view("\"'`()[]{}<>,;|").contains(c);
}

// Strips what surrounds a name in prose: "@src/a.cc:12:" → "src/a.cc".
std::string_view bare(std::string_view word) {
  while (word.starts_with('@')) word.remove_prefix(1);
  while (word.starts_with("./")) word.remove_prefix(2);
  while (!word.empty() && std::string_view(".:!?*/").contains(word.back())) word.remove_suffix(1);
  const std::size_t colon = word.find(':');
  const bool numbered = colon != std::string_view::npos && colon + 1 < word.size() &&
                        word[colon + 1] >= '0' && word[colon + 1] <= '9';
  return numbered ? word.substr(0, colon) : word;
}

// Returns true if a word looks like a file's name.
bool looks_like_file(std::string_view word) {
  constexpr std::size_t kLongest = 255;
  if (word.size() < 2 || word.size() > kLongest) return false;
  if (word.contains("://")) return false;
  const std::size_t dot = word.rfind('.');
  const bool has_ending = dot != std::string_view::npos && dot + 1 < word.size();
  const bool has_capital = word.front() >= 'A' && word.front() <= 'Z';
  return has_ending || word.contains('/') || has_capital;
}

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  std::set<std::string_view> seen;
  while (!text.empty() && words.size() < kMostWordsRead) {
    const auto begin = std::ranges::find_if_not(text, is_separator);
    text.remove_prefix(static_cast<std::size_t>(begin - text.begin()));
    const auto end = std::ranges::find_if(text, is_separator);
    const auto size = static_cast<std::size_t>(end - text.begin());
    const std::string_view word = bare(text.substr(0, size));
    if (looks_like_file(word) && seen.insert(word).second) words.push_back(word);
    text.remove_prefix(size);
  }
  return words;
}

std::string_view last_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

// Returns true if the path is the word, or ends with it after a slash.
bool ends_with_path(std::string_view path, std::string_view word) {
  if (!path.ends_with(word)) return false;
  return path.size() == word.size() || path[path.size() - word.size() - 1] == '/';
}

using Namesakes = std::map<std::string_view, std::vector<std::string>>;

// Finds the files that each word may mean, in one pass over all names.
Namesakes namesakes_of(const TreeNames& names, const std::vector<std::string_view>& words) {
  std::unordered_map<std::string_view, std::vector<std::string_view>> by_name;
  for (const std::string_view word : words) by_name[last_name(word)].push_back(word);
  Namesakes found;
  names.each([&](std::string_view path) {
    const auto candidates = by_name.find(last_name(path));
    if (candidates == by_name.end()) return;
    for (const std::string_view word : candidates->second) {
      std::vector<std::string>& paths = found[word];
      if (paths.size() <= kMostNamesakes && ends_with_path(path, word)) paths.emplace_back(path);
    }
  });
  return found;
}

}  // namespace

base::Result<std::vector<std::string>> mentioned_in(git::ObjectStore& store,
                                                    const git::ObjectId& tree,
                                                    const TreeNames& names, std::string_view text,
                                                    std::size_t limit) {
  const std::vector<std::string_view> words = words_of(text);
  const Namesakes namesakes = namesakes_of(names, words);
  std::vector<std::string> mentioned;
  std::set<std::string> seen;
  const auto add = [&](const std::string& path) {
    if (mentioned.size() < limit && seen.insert(path).second) mentioned.push_back(path);
  };
  for (const std::string_view word : words) {
    const auto path = git::TreePath::parse(word);
    if (path.ok()) {
      CLEVER_ASSIGN(const auto node, file_at(store, tree, *path));
      if (node) {
        add(path->text());
        continue;
      }
    }
    const auto found = namesakes.find(word);
    if (found == namesakes.end() || found->second.size() > kMostNamesakes) continue;
    for (const std::string& namesake : found->second) add(namesake);
  }
  return mentioned;
}

}  // namespace clever::engine::internal
