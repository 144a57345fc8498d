#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/words.h"
#include "io/terminal.h"
#include "service/view.h"

namespace clever::cli {

/// The style of a cell. A value.
struct CellStyle {
  Tone tone = Tone::kPlain;
  bool reverse = false;
  friend bool operator==(const CellStyle&, const CellStyle&) = default;
};

/// A place on a screen, both from 0.
struct CellPlace {
  std::size_t row = 0;
  std::size_t column = 0;
  friend bool operator==(const CellPlace&, const CellPlace&) = default;
};

/// A rectangle of cells that is redrawn at will, and turned into the few bytes that update the
/// terminal. Knows wide characters (two cells) and combining marks.
///
/// A value, used by one thread. Cuts off what lies outside; no text in it can steer the terminal.
class CellScreen {
 public:
  explicit CellScreen(io::TerminalSize size, Theme theme = Theme::kDefault);

  [[nodiscard]] const io::TerminalSize& size() const { return size_; }
  /// After it, the next flush redraws everything.
  void resize(io::TerminalSize size);
  /// Empties all cells; hides the cursor.
  void clear();

  /// Puts text into one row, at most `width` columns of it; returns how many it used.
  std::size_t put(CellPlace place, std::string_view text, CellStyle style = {},
                  std::size_t width = SIZE_MAX);
  /// Changes the style of existing cells: a selected row.
  void restyle(CellPlace place, std::size_t width, bool reverse);
  /// Shows the cursor there at the next flush; none hides it.
  void place_cursor(std::optional<CellPlace> place) { cursor_ = place; }

  /// Returns the bytes that update the terminal; empty if it is up to date.
  [[nodiscard]] std::string flush();
  /// The rows without blanks at their ends, each with a line break: for tests.
  [[nodiscard]] std::string text() const;

 private:
  struct Cell {
    /// A character with its marks; empty: the second half of a wide one.
    std::string text = " ";
    CellStyle style{};
    friend bool operator==(const Cell&, const Cell&) = default;
  };

  Cell& cell(std::size_t row, std::size_t column) { return drawn_[row * size_.columns + column]; }
  void blank_halves(std::size_t row, std::size_t column, std::size_t width);
  void flush_row(std::size_t row, std::string& bytes);
  void move_to(CellPlace place, std::string& bytes);
  void set_style(const CellStyle& style, std::string& bytes);

  io::TerminalSize size_;
  Theme theme_;
  std::vector<Cell> drawn_;
  /// The terminal's content; empty if unknown.
  std::vector<Cell> shown_;
  std::optional<CellPlace> cursor_{};
  bool cursor_shown_ = false;
  std::optional<CellPlace> at_{};
  CellStyle style_{};
};

}  // namespace clever::cli
