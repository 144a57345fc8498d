#include "cli/tui/cell_screen.h"

#include <algorithm>

#include "cli/theme.h"
#include "cli/words.h"
#include "service/text.h"

namespace clever::cli {
namespace {

// More bytes of marks than this add nothing to a letter.
constexpr std::size_t kLongestCell = 24;
// Rewrites unchanged cells if that is shorter than moving the cursor.
constexpr std::size_t kShortGap = 4;

}  // namespace

CellScreen::CellScreen(io::TerminalSize size, Theme theme) : size_(size), theme_(theme) {
  resize(size);
}

void CellScreen::resize(io::TerminalSize size) {
  size_ = size;
  drawn_.assign(size.rows * size.columns, Cell());
  shown_.clear();
  at_.reset();
}

void CellScreen::clear() {
  std::ranges::fill(drawn_, Cell());
  cursor_.reset();
}

// Half a wide character cannot be shown.
void CellScreen::blank_halves(std::size_t row, std::size_t column, std::size_t width) {
  if (cell(row, column).text.empty() && column > 0) cell(row, column - 1).text = " ";
  const std::size_t after = column + width;
  if (after < size_.columns && cell(row, after).text.empty()) cell(row, after).text = " ";
}

std::size_t CellScreen::put(CellPlace place, std::string_view text, CellStyle style,
                            std::size_t width) {
  if (place.row >= size_.rows || place.column >= size_.columns) return 0;
  const std::size_t room = std::min(width, size_.columns - place.column);
  const std::string shown = printable(text);
  std::size_t used = 0;
  for (std::size_t at = 0; at < shown.size();) {
    const std::size_t begin = at;
    static_cast<void>(next_code_point(shown, at));
    const std::string_view character = std::string_view(shown).substr(begin, at - begin);
    const std::size_t wide = columns(character);
    if (wide == 0) {
      if (used == 0) continue;
      Cell* last = &cell(place.row, place.column + used - 1);
      if (last->text.empty()) --last;
      if (last->text.size() + character.size() <= kLongestCell) last->text.append(character);
      continue;
    }
    if (used + wide > room) break;
    blank_halves(place.row, place.column + used, wide);
    cell(place.row, place.column + used) = {std::string(character), style};
    if (wide == 2) cell(place.row, place.column + used + 1) = {"", style};
    used += wide;
  }
  return used;
}

void CellScreen::restyle(CellPlace place, std::size_t width, bool reverse) {
  if (place.row >= size_.rows) return;
  const std::size_t end = std::min(size_.columns, place.column + width);
  for (std::size_t column = place.column; column < end; ++column) {
    cell(place.row, column).style.reverse = reverse;
  }
}

void CellScreen::move_to(CellPlace place, std::string& bytes) {
  if (at_ == place) return;
  bytes += "\x1b[" + std::to_string(place.row + 1) + ";" + std::to_string(place.column + 1) + "H";
  at_ = place;
}

void CellScreen::set_style(const CellStyle& style, std::string& bytes) {
  if (style_ == style) return;
  bytes += "\x1b[0";
  const std::string_view parameters = color_parameters(theme_, style.tone);
  if (!parameters.empty()) bytes.append(";").append(parameters);
  if (style.reverse) bytes += ";7";
  bytes += "m";
  style_ = style;
}

void CellScreen::flush_row(std::size_t row, std::string& bytes) {
  const auto differs = [&](std::size_t column) {
    const std::size_t index = row * size_.columns + column;
    return drawn_[index] != shown_[index];
  };
  for (std::size_t column = 0; column < size_.columns; ++column) {
    if (!differs(column)) continue;
    // Writes both halves of a wide character together.
    if (cell(row, column).text.empty() && column > 0) --column;
    if (at_ && at_->row == row && at_->column < column && column - at_->column <= kShortGap &&
        !cell(row, at_->column).text.empty()) {
      column = at_->column;
    }
    move_to({row, column}, bytes);
    const Cell& here = cell(row, column);
    set_style(here.style, bytes);
    bytes += here.text.empty() ? " " : here.text;
    const bool wide = column + 1 < size_.columns && cell(row, column + 1).text.empty();
    shown_[row * size_.columns + column] = here;
    if (wide) shown_[row * size_.columns + column + 1] = cell(row, column + 1);
    column += wide ? 1 : 0;
    // After the last column, terminals differ in where the cursor is.
    at_ = column + 1 < size_.columns ? std::optional(CellPlace{row, column + 1}) : std::nullopt;
  }
}

std::string CellScreen::flush() {
  std::string bytes;
  if (shown_.empty()) {
    shown_.assign(drawn_.size(), Cell());
    bytes = "\x1b[0m\x1b[2J";
    style_ = {};
    at_.reset();
  }
  for (std::size_t row = 0; row < size_.rows; ++row) flush_row(row, bytes);
  if (cursor_) move_to(*cursor_, bytes);
  if (cursor_.has_value() != cursor_shown_) bytes += cursor_ ? "\x1b[?25h" : "\x1b[?25l";
  cursor_shown_ = cursor_.has_value();
  return bytes;
}

std::string CellScreen::text() const {
  std::string all;
  for (std::size_t row = 0; row < size_.rows; ++row) {
    std::string line;
    for (std::size_t column = 0; column < size_.columns; ++column) {
      line += drawn_[row * size_.columns + column].text;
    }
    all += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return all;
}

}  // namespace clever::cli
