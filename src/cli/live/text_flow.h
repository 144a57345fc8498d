#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace clever::cli {

/// Text that comes in pieces, as rows of a terminal: nothing in it can steer the terminal, no
/// character is torn, and no row is wider than the width; it is broken between words where there
/// are some. A value.
class TextFlow {
 public:
  /// Rows that are complete now. `width`: columns that a row may take; 0: rows end with their lines
  /// alone.
  [[nodiscard]] std::vector<std::string> feed(std::string_view text, std::size_t width);
  /// What has been fed and is no complete row yet; may be empty.
  [[nodiscard]] std::string rest() const;
  /// Ends the row that was begun, if one was.
  [[nodiscard]] std::vector<std::string> end();

 private:
  void take(std::string_view shown, std::size_t width, std::vector<std::string>& rows);

  // Clean text of the row so far, and bytes of a character that is not complete.
  std::string row_;
  std::string torn_;
};

}  // namespace clever::cli
