#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace clever::base {

/// The number of insertions, deletions, replacements or swaps of neighbours between two words,
/// ignoring ASCII case.
[[nodiscard]] std::size_t edit_distance(std::string_view left, std::string_view right);

/// The candidate that a mistyped `word` most likely meant: at most one change per three letters,
/// the first of equally near ones. Nothing if none is that near.
[[nodiscard]] std::optional<std::string> nearest_match(std::string_view word,
                                                       const std::vector<std::string>& candidates);

}  // namespace clever::base
