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

/// A run of changed lines with the lines around it. A value.
struct Hunk {
  /// Names the change, not its place: the hash of the path, the changed lines and the nearest
  /// context, with a number if the same change occurs again in the file. It stays the same when
  /// other parts of the file change or move.
  std::string id;
  std::uint64_t old_start = 0;  // 1, 2, 3, …; 0 for nothing
  std::uint64_t old_lines = 0;
  std::uint64_t new_start = 0;
  std::uint64_t new_lines = 0;
  /// The nearest line above that names a function or section, as git shows it; may be empty.
  std::string heading{};
  std::vector<Line> lines{};

  friend bool operator==(const Hunk&, const Hunk&) = default;
};

struct DiffOptions {
  std::size_t context = 3;
};

/// A pure function of its arguments. Bytes are kept as they are (CRLF, no newline at the end).
[[nodiscard]] std::vector<Hunk> hunks_of(std::string_view path, std::string_view before,
                                         std::string_view after, const DiffOptions& options = {});

/// `before` with only these hunks (of hunks_of(before, after)) applied: all of them give `after`,
/// none gives `before`. `invalid_argument` names an id that is not there, and the ones that are.
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
/// `before`, without the removed ones `after`.
[[nodiscard]] std::vector<WordPiece> words_of(std::string_view before, std::string_view after);

[[nodiscard]] bool is_binary(std::string_view content) noexcept;

}  // namespace clever::diff
