#include "context/internal/commit_table.h"

namespace clever::context::internal {

std::uint32_t TextTable::add(std::string_view text) {
  if (const auto found = numbers_.find(text); found != numbers_.end()) return found->second;
  const auto number = static_cast<std::uint32_t>(texts_.size());
  texts_.emplace_back(text);
  numbers_.emplace(texts_.back(), number);
  return number;
}

std::uint32_t TextTable::find(std::string_view text) const {
  const auto found = numbers_.find(text);
  return found == numbers_.end() ? kNone : found->second;
}

}  // namespace clever::context::internal
