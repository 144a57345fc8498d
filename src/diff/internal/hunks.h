#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "diff/internal/line_changes.h"
#include "diff/text_diff.h"

namespace clever::diff::internal {

/// Two texts, their lines and their changes. Refers to the texts.
struct Comparison {
  Comparison(std::string_view before, std::string_view after);

  std::vector<std::string_view> old_lines;
  std::vector<std::string_view> new_lines;
  std::vector<LineChange> changes;
};

/// One hunk per change, in the same order.
[[nodiscard]] std::vector<Hunk> make_hunks(std::string_view path, const Comparison& comparison,
                                           std::size_t context);

/// Joins touching hunks: what a patch has between two lines with "@@". `id` is that of the first.
[[nodiscard]] std::vector<Hunk> join_touching(std::span<const Hunk> hunks);

/// The first old line of the hunk, from 0.
[[nodiscard]] std::uint64_t old_begin(const Hunk& hunk);

/// How many lines the hunks add or remove.
[[nodiscard]] std::uint64_t count_lines(std::span<const Hunk> hunks, LineKind kind);

/// The text of one side of a hunk.
[[nodiscard]] std::string side_of(const Hunk& hunk, LineKind without);

}  // namespace clever::diff::internal
