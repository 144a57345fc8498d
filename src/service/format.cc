#include "service/format.h"

#include <algorithm>

namespace clever::service {
namespace {

// Indexed by Format.
constexpr std::array<std::string_view, 6> kNames{"rich", "plain", "json", "yaml", "table", "jsonl"};

}  // namespace

std::string_view to_string(Format format) noexcept {
  return kNames[static_cast<std::size_t>(format)];
}

std::optional<Format> format_from_string(std::string_view name) noexcept {
  const auto it = std::ranges::find(kNames, name);
  if (it == kNames.end()) return std::nullopt;
  return static_cast<Format>(it - kNames.begin());
}

std::vector<std::string_view> format_names() { return {kNames.begin(), kNames.end()}; }

}  // namespace clever::service
