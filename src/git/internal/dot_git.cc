#include "git/internal/dot_git.h"

#include <algorithm>
#include <cstddef>
#include <string>

#include "base/utf8.h"

namespace clever::git::internal {
namespace {

bool is_ignored_by_hfs(char32_t character) {
  return (character >= 0x200c && character <= 0x200f) ||
         (character >= 0x202a && character <= 0x202e) ||
         (character >= 0x206a && character <= 0x206f) || character == 0xfeff;
}

char lower(char letter) {
  return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
}

// Normalises a name for the comparison: lower case, without ignored characters, up to the first
// byte that is not UTF-8.
std::string folded(std::string_view name) {
  std::string text;
  for (std::size_t at = 0; at < name.size();) {
    const base::CodePoint point = base::decode_utf8(name, at);
    if (!point.valid) break;
    if (!is_ignored_by_hfs(point.value)) {
      for (const char byte : name.substr(at, point.size)) text += lower(byte);
    }
    at += point.size;
  }
  return text;
}

std::string_view as_windows_reads_it(std::string_view name) {
  name = name.substr(0, name.find(':'));
  while (name.ends_with('.') || name.ends_with(' ')) name.remove_suffix(1);
  return name;
}

bool is_short_name(std::string_view name) {
  constexpr std::string_view kPrefix = "git~";
  return name.size() > kPrefix.size() && name.starts_with(kPrefix) &&
         std::ranges::all_of(name.substr(kPrefix.size()),
                             [](char digit) { return digit >= '0' && digit <= '9'; });
}

bool part_means_dot_git(std::string_view part) {
  const std::string text = folded(part);
  const std::string_view name = as_windows_reads_it(text);
  return name == ".git" || is_short_name(name);
}

}  // namespace

bool means_dot_git(std::string_view name) {
  while (true) {
    const std::size_t end = name.find('\\');
    if (part_means_dot_git(name.substr(0, end))) return true;
    if (end == std::string_view::npos) return false;
    name.remove_prefix(end + 1);
  }
}

}  // namespace clever::git::internal
