#pragma once
// Markdown for eyes: headings, lists, quotes, emphasis, and code in the colours of its language.
// Private to the module.
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "cli/words.h"

namespace clever::cli {

/// Shows Markdown line by line, so that a text can be shown while it is being written. Remembers
/// the code block it is in. Whatever it cannot read stays as it is written. A value.
class MarkdownLines {
 public:
  explicit MarkdownLines(bool unicode = true) : unicode_(unicode) {}

  /// A line of the text, without its end.
  [[nodiscard]] Line line(std::string_view text);

 private:
  bool unicode_;
  // What ends the code block; empty: there is none.
  std::string fence_;
  std::string language_;
};

/// A line of code: comments, strings, numbers and keywords set off. Unknown languages have strings
/// and numbers alone.
[[nodiscard]] Line code_line(std::string_view text, std::string_view language);

/// The line as rows of at most `width` columns, broken between words where there are some; further
/// rows are indented as the first. 0: one row.
[[nodiscard]] std::vector<Line> broken(const Line& line, std::size_t width);

/// The whole text, painted, as rows within the look's width.
[[nodiscard]] std::vector<std::string> markdown_rows(const Markdown& markdown, const Look& look);

}  // namespace clever::cli
