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
/// The hunks of a file neither overlap nor share a line: of the lines between two runs that lie
/// close together each hunk shows its half. Hunks that touch are printed as one block, as git does.
struct Hunk {
  /// Names the change, not its place: the hash of the path, the changed lines and the unchanged
  /// line on either side, followed by "-2", "-3", … where the same change occurs again further down
  /// the file. It stays the same when other hunks come, go or move this one.
  std::string id;
  /// Lines count from 1. For a hunk without lines on that side: the line before it, 0 at the top.
  std::uint64_t old_start = 0;
  std::uint64_t old_lines = 0;
  std::uint64_t new_start = 0;
  std::uint64_t new_lines = 0;
  /// The nearest line above that names a function or section, as git shows it; may be empty.
  std::string heading{};
  std::vector<Line> lines{};

  friend bool operator==(const Hunk&, const Hunk&) = default;
};

struct DiffOptions {
  /// Unchanged lines shown on either side. `git apply` wants at least one.
  std::size_t context = 3;
};

/// The lines that differ, in the order of the file, as git finds them (Myers, with its indentation
/// heuristic). A pure function of its arguments, for any bytes; they are kept as they are (CRLF, no
/// newline at the end). A line ends with its '\n'.
[[nodiscard]] std::vector<Hunk> hunks_of(std::string_view path, std::string_view before,
                                         std::string_view after, const DiffOptions& options = {});

/// `before` with only these hunks (of hunks_of(path, before, after)) applied, in whatever order
/// they are named: all of them give `after`, none gives `before`. `invalid_argument` names an id
/// that is not there, and the ones that are.
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
/// The words that differ between two texts, for showing: joined without the added pieces it is
/// `before`, without the removed ones `after`. No two neighbours are of the same kind. A word is a
/// run of letters, digits, `_` and bytes above 127; each other character stands for itself, and
/// blanks for themselves together.
[[nodiscard]] std::vector<WordPiece> words_of(std::string_view before, std::string_view after);

/// As git decides it: a NUL among the first 8,000 bytes.
[[nodiscard]] bool is_binary(std::string_view content) noexcept;

}  // namespace clever::diff
