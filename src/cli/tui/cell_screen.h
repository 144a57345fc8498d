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

/// What a cell looks like. A value.
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

/// A rectangle of cells that is drawn anew as often as one likes, and turned into the few bytes
/// that change what a terminal shows into it. Knows wide characters (two cells) and marks that
/// combine.
///
/// A value, used by one thread. What lies outside is cut off; nothing that is put there steers the
/// terminal.
class CellScreen {
 public:
  explicit CellScreen(io::TerminalSize size, Theme theme = Theme::kDefault);

  [[nodiscard]] const io::TerminalSize& size() const { return size_; }
  /// Everything is drawn anew after it.
  void resize(io::TerminalSize size);
  /// All cells empty; the cursor hidden.
  void clear();

  /// Puts text into one row, at most `width` columns of it; how many it took.
  std::size_t put(CellPlace place, std::string_view text, CellStyle style = {},
                  std::size_t width = SIZE_MAX);
  /// The style of cells as they are: a row that is chosen.
  void restyle(CellPlace place, std::size_t width, bool reverse);
  /// Shown there once flushed; none: hidden.
  void place_cursor(std::optional<CellPlace> place) { cursor_ = place; }

  /// What makes the terminal show it; empty if it does already.
  [[nodiscard]] std::string flush();
  /// The rows without what is empty at their ends, each ended by a line break: for tests.
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
  /// What the terminal shows; empty if unknown.
  std::vector<Cell> shown_;
  std::optional<CellPlace> cursor_{};
  bool cursor_shown_ = false;
  std::optional<CellPlace> at_{};
  CellStyle style_{};
};

}  // namespace clever::cli
