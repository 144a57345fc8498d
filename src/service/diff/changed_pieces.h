#pragma once
// Which words of changed lines are the change. Pure functions. Private to the module.
#include <string>
#include <string_view>
#include <vector>

namespace clever::service {

/// A part of a line.
struct LinePiece {
  std::string text;
  /// It is not on the other side.
  bool changed = false;

  friend bool operator==(const LinePiece&, const LinePiece&) = default;
};
using LinePieces = std::vector<LinePiece>;

struct ComparedLines {
  /// One for each line, in order; joined they are the line.
  std::vector<LinePieces> removed;
  std::vector<LinePieces> added;
};

/// Lines that were replaced and what replaced them, both without line ends. Where the two have too
/// little in common for marks to help, or are very long, no piece is marked.
[[nodiscard]] ComparedLines compare_lines(const std::vector<std::string>& removed,
                                          const std::vector<std::string>& added);

/// A line for a terminal: no control characters, tabs as the blanks that they stand for, the '\r'
/// of a CRLF as "^M". Marks stay where they are.
[[nodiscard]] LinePieces shown_pieces(const LinePieces& pieces);
/// The same of a line without marks.
[[nodiscard]] std::string shown_line(std::string_view line);

/// Broken after at most `width` columns, wherever that is; at least one line.
[[nodiscard]] std::vector<LinePieces> broken(const LinePieces& pieces, std::size_t width);

[[nodiscard]] std::size_t columns_of(const LinePieces& pieces);

}  // namespace clever::service
