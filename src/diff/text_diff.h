#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace clever::diff {

enum class LineKind : std::uint8_t { kContext, kAdded, kRemoved };

struct Line {
  LineKind kind = LineKind::kContext;
  /// With its line end, if it has one.
  std::string text;

  friend bool operator==(const Line&, const Line&) = default;
};

/// One run of changed lines with unchanged lines around it. A value.
///
/// The hunks of a file neither overlap nor share a line: each hunk shows its half of the lines
/// between two close runs. Touching hunks are printed as one block, as in git.
struct Hunk {
  /// Names the change, not its position: the hash of the path, the changed lines and the unchanged
  /// line on either side, followed by "-2", "-3", … for further occurrences of the same change. It
  /// stays the same when other hunks are added, removed or move this one.
  std::string id;
  /// Lines count from 1. For a hunk without lines on that side: the line before it, 0 at the top.
  std::uint64_t old_start = 0;
  std::uint64_t old_lines = 0;
  std::uint64_t new_start = 0;
  std::uint64_t new_lines = 0;
  /// The nearest line above that names a function or section, as in git; may be empty.
  std::string heading{};
  std::vector<Line> lines{};

  friend bool operator==(const Hunk&, const Hunk&) = default;
};

struct DiffOptions {
  /// The unchanged lines on either side. `git apply` requires at least one.
  std::size_t context = 3;
};

/// The differing lines, in file order, as git finds them (Myers, with its indentation heuristic). A
/// pure function of any bytes, which are kept (CRLF, no newline at the end). A line ends with its
/// '\n'.
[[nodiscard]] std::vector<Hunk> hunks_of(std::string_view path, std::string_view before,
                                         std::string_view after, const DiffOptions& options = {});

/// Applies only these hunks (of hunks_of(path, before, after)) to `before`, in any order: all of
/// them give `after`, none gives `before`. `invalid_argument` names an unknown id, and the known
/// ones.
[[nodiscard]] base::Result<std::string> apply_hunks(std::string_view path, std::string_view before,
                                                    std::string_view after,
                                                    const std::vector<std::string>& ids,
                                                    const DiffOptions& options = {});

/// A piece of a line in a word diff.
struct WordPiece {
  LineKind kind = LineKind::kContext;
  std::string text;

  friend bool operator==(const WordPiece&, const WordPiece&) = default;
};
/// The words that differ between two texts, for display: without the added pieces it joins to
/// `before`, without the removed ones to `after`. Neighbours differ in kind. A word is a run of
/// letters, digits, `_` and bytes above 127; any other character stands for itself, and blanks
/// together.
[[nodiscard]] std::vector<WordPiece> words_of(std::string_view before, std::string_view after);

/// As in git: a NUL among the first 8,000 bytes.
[[nodiscard]] bool is_binary(std::string_view content) noexcept;

}  // namespace clever::diff
