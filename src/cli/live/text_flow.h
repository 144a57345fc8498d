#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace clever::cli {

/// Turns text that arrives in pieces into rows of a terminal: nothing in it can steer the terminal,
/// no character is torn, and no row is wider than the width; rows break at spaces if possible. A
/// value.
class TextFlow {
 public:
  /// Returns the complete rows. `width`: the columns of a row; 0: only line ends complete a row.
  [[nodiscard]] std::vector<std::string> feed(std::string_view text, std::size_t width);
  /// The text after the last complete row; may be empty.
  [[nodiscard]] std::string rest() const;
  /// Ends the row in progress, if there is one.
  [[nodiscard]] std::vector<std::string> end();

 private:
  void take(std::string_view shown, std::size_t width, std::vector<std::string>& rows);

  // Clean text of the row so far, and the bytes of an incomplete character.
  std::string row_;
  std::string torn_;
};

}  // namespace clever::cli
