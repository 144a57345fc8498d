#include "git/ignore_file.h"

#include <algorithm>
#include <ranges>

#include "git/internal/lines.h"

namespace clever::git {
namespace {

std::string_view without_mark(std::string_view text) {
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  return text;
}

// Spaces at the end count only after a backslash.
std::string_view without_trailing_spaces(std::string_view line) {
  std::size_t end = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const bool escape = line[i] == '\\';
    if (!escape && line[i] == ' ') continue;
    if (escape) ++i;
    end = std::min(i + 1, line.size());
  }
  return line.substr(0, end);
}

}  // namespace

IgnoreFile::IgnoreFile(std::string_view text) {
  for (std::string_view line : internal::lines_of(without_mark(text))) {
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.empty() || line.starts_with('#')) continue;
    if (auto pattern = parse(without_trailing_spaces(line))) {
      patterns_.push_back(*std::move(pattern));
    }
  }
}

std::optional<IgnoreFile::Pattern> IgnoreFile::parse(std::string_view line) {
  const bool keeps = line.starts_with('!');
  if (keeps) line.remove_prefix(1);
  const bool folders_only = line.ends_with('/');
  if (folders_only) line.remove_suffix(1);
  if (line.empty()) return std::nullopt;
  const bool by_name = !line.contains('/');
  if (line.starts_with('/')) line.remove_prefix(1);
  return Pattern{.glob = base::Glob(line, {.names = !by_name}),
                 .keeps = keeps,
                 .folders_only = folders_only,
                 .by_name = by_name,
                 .name = std::string(line.substr(line.rfind('/') + 1))};
}

bool IgnoreFile::matches(const Pattern& pattern, std::string_view path) {
  return pattern.glob.matches(pattern.by_name ? path.substr(path.rfind('/') + 1) : path);
}

std::optional<IgnoreFile::Decision> IgnoreFile::decision(std::string_view path,
                                                         bool is_folder) const {
  for (const Pattern& pattern : patterns_ | std::views::reverse) {
    if (pattern.folders_only && !is_folder) continue;
    if (!matches(pattern, path)) continue;
    return Decision{.ignores = !pattern.keeps,
                    .by_name = pattern.name == path.substr(path.rfind('/') + 1)};
  }
  return std::nullopt;
}

std::optional<bool> IgnoreFile::decides(std::string_view path, bool is_folder) const {
  const auto decided = decision(path, is_folder);
  return decided ? std::optional(decided->ignores) : std::nullopt;
}

}  // namespace clever::git
