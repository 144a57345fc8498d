#include "diff/internal/markers.h"

#include <algorithm>
#include <set>

#include "diff/internal/line_changes.h"
#include "git/tree_path.h"

namespace clever::diff::internal {
namespace {

constexpr std::size_t kUsual = 7;
constexpr std::size_t kLongest = 1000;

std::size_t marker_length(std::string_view line) {
  if (line.empty() || !std::string_view("<|=>").contains(line.front())) return 0;
  return std::min(line.find_first_not_of(line.front()), line.size());
}

}  // namespace

std::size_t marker_size(std::initializer_list<std::string_view> texts) {
  std::set<std::size_t> taken;
  for (const std::string_view text : texts) {
    for (const std::string_view line : split_lines(text)) taken.insert(marker_length(line));
  }
  std::size_t size = kUsual;
  while (size < kLongest && taken.contains(size)) ++size;
  return size;
}

std::uint64_t count_markers(std::string_view text, std::size_t size) {
  return static_cast<std::uint64_t>(std::ranges::count_if(
      split_lines(text),
      [&](std::string_view line) { return line.front() == '<' && marker_length(line) == size; }));
}

MarkerNames::MarkerNames(const TextNames& names)
    : ours(git::printable(names.ours)),
      base(git::printable(names.base)),
      theirs(git::printable(names.theirs)) {}

}  // namespace clever::diff::internal
