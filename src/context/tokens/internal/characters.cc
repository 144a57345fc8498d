#include "context/tokens/internal/characters.h"

#include <algorithm>
#include <optional>

#include "base/number.h"

namespace clever::context::internal {
namespace {

constexpr char32_t kPlane = 0x10000;

CharacterClass class_of(char kind, char32_t place) {
  switch (kind) {
    case 'U':
      return CharacterClass::kUpper;
    case 'L':
      return CharacterClass::kLower;
    case 'O':
      return CharacterClass::kLetter;
    case 'M':
      return CharacterClass::kMark;
    case 'N':
      return CharacterClass::kNumber;
    case 'S':
      return CharacterClass::kSpace;
    case 'A':
      return place % 2 == 0 ? CharacterClass::kUpper : CharacterClass::kLower;
    default:
      return CharacterClass::kOther;
  }
}

std::string_view take(std::string_view& text, char end) {
  const std::size_t size = std::min(text.find(end), text.size());
  const std::string_view taken = text.substr(0, size);
  text.remove_prefix(std::min(size + 1, text.size()));
  return taken;
}

std::optional<char32_t> character_from(std::string_view text) {
  const auto number = base::to_number<std::uint32_t>(text, 16);
  if (!number) return std::nullopt;
  return char32_t{*number};
}

}  // namespace

Characters::Characters(std::string_view lines) : plane_(kPlane) {
  while (!lines.empty()) {
    std::string_view line = take(lines, '\n');
    const auto first = character_from(take(line, ' '));
    const auto last = line.contains(' ') ? character_from(take(line, ' ')) : first;
    if (first && last && *first <= *last && line.size() == 1) add({*first, *last, line[0]});
  }
}

void Characters::add(const Range& range) {
  if (range.first >= kPlane) {
    beyond_.push_back(range);
    return;
  }
  for (char32_t at = range.first; at <= range.last && at < kPlane; ++at) {
    plane_[at] = class_of(range.kind, at - range.first);
  }
}

CharacterClass Characters::of(char32_t character) const {
  if (character < kPlane) return plane_[character];
  const auto range = std::ranges::lower_bound(beyond_, character, {}, &Range::last);
  if (range == beyond_.end() || character < range->first) return CharacterClass::kOther;
  return class_of(range->kind, character - range->first);
}

}  // namespace clever::context::internal
