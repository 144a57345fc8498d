#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

// The parts of a comparison of two texts. Pure functions.
namespace clever::diff::internal {

/// The lines of a text, each with its '\n'; the last may lack it. They refer to the text.
[[nodiscard]] std::vector<std::string_view> split_lines(std::string_view text);
/// Appends the lines [begin, end), from 0, to the text.
void append_lines(std::string& text, const std::vector<std::string_view>& lines, std::size_t begin,
                  std::size_t end);

/// Old lines [old_begin, old_begin + old_lines) became new lines [new_begin, new_begin +
/// new_lines), from 0. One of the two counts may be 0.
struct LineChange {
  std::size_t old_begin = 0;
  std::size_t old_lines = 0;
  std::size_t new_begin = 0;
  std::size_t new_lines = 0;

  [[nodiscard]] std::size_t old_end() const { return old_begin + old_lines; }
  [[nodiscard]] std::size_t new_end() const { return new_begin + new_lines; }
  friend bool operator==(const LineChange&, const LineChange&) = default;
};

/// In order, with at least one equal line between any two. Texts too large to compare (a gigabyte)
/// are one change.
[[nodiscard]] std::vector<LineChange> line_changes(std::string_view before, std::string_view after);

}  // namespace clever::diff::internal
