#pragma once
// Shows Markdown in a terminal: headings, lists, quotes, emphasis, and code in the colours of its
// language. Private to the module.
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "cli/words.h"

namespace clever::cli {

/// Formats Markdown line by line, so that a text can be shown while a model writes it. Remembers
/// the code block it is in. Leaves what it cannot read as it is. A value.
class MarkdownLines {
 public:
  explicit MarkdownLines(bool unicode = true) : unicode_(unicode) {}

  /// Formats one line of the text, without its line end.
  [[nodiscard]] Line line(std::string_view text);

 private:
  bool unicode_;
  // The line that ends the code block; empty: no code block is open.
  std::string fence_;
  std::string language_;
};

/// Colours the comments, strings, numbers and keywords of a line of code; in unknown languages only
/// strings and numbers.
[[nodiscard]] Line code_line(std::string_view text, std::string_view language);

/// Splits the line into rows of at most `width` columns, at spaces if possible; further rows have
/// the first one's indent. 0: one row.
[[nodiscard]] std::vector<Line> broken(const Line& line, std::size_t width);

/// Formats and colours the whole text as rows within the look's width.
[[nodiscard]] std::vector<std::string> markdown_rows(const Markdown& markdown, const Look& look);

}  // namespace clever::cli
