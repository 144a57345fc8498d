#pragma once
#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "service/text.h"

namespace clever::test {

/// What a terminal shows after some bytes: as much of one as this program uses. The alternate
/// screen, the cursor, erasing, UTF-8 with wide characters; colours are passed over.
class TerminalPicture {
 public:
  TerminalPicture(std::size_t columns, std::size_t rows) { resize(columns, rows); }

  void resize(std::size_t columns, std::size_t rows) {
    columns_ = columns;
    cells_.assign(rows, std::vector<std::string>(columns, " "));
    row_ = std::min(row_, rows - 1);
    column_ = std::min(column_, columns - 1);
  }

  void write(std::string_view bytes) {
    pending_.append(bytes);
    std::size_t at = 0;
    while (at < pending_.size()) {
      const std::size_t used = take(std::string_view(pending_).substr(at));
      if (used == 0) break;
      at += used;
    }
    pending_.erase(0, at);
  }

  /// Rows without what is empty at their ends, each ended by a line break.
  [[nodiscard]] std::string text() const {
    std::string all;
    for (const auto& cells : cells_) {
      std::string line;
      for (const std::string& cell : cells) line += cell;
      all += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
    }
    return all;
  }
  [[nodiscard]] bool is_alternate() const { return alternate_; }
  [[nodiscard]] bool shows_cursor() const { return cursor_; }
  [[nodiscard]] bool brackets_pastes() const { return brackets_; }
  [[nodiscard]] std::size_t row() const { return row_; }
  [[nodiscard]] std::size_t column() const { return column_; }
  [[nodiscard]] std::size_t bells() const { return bells_; }

 private:
  std::size_t take(std::string_view bytes) {
    const char first = bytes.front();
    if (first == '\x1b') return take_escape(bytes);
    if (first == '\n') return line_feed();
    if (first == '\r') column_ = 0;
    if (first == '\a') ++bells_;
    if (static_cast<unsigned char>(first) < ' ') return 1;
    std::size_t end = 0;
    const auto lead = static_cast<unsigned char>(first);
    const std::size_t length = lead < 0x80 ? 1 : lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
    if (bytes.size() < length) return 0;
    static_cast<void>(service::next_code_point(bytes, end));
    put(bytes.substr(0, end));
    return end;
  }

  std::size_t line_feed() {
    column_ = 0;
    if (row_ + 1 < cells_.size()) {
      ++row_;
    } else {
      cells_.erase(cells_.begin());
      cells_.emplace_back(columns_, " ");
    }
    return 1;
  }

  void put(std::string_view character) {
    const std::size_t wide = service::columns(character);
    if (wide == 0) {
      if (column_ > 0) cells_[row_][column_ - 1].append(character);
      return;
    }
    if (column_ + wide > columns_) line_feed();
    if (cells_[row_][column_].empty() && column_ > 0) cells_[row_][column_ - 1] = " ";
    cells_[row_][column_] = character;
    if (wide == 2) cells_[row_][column_ + 1] = "";
    column_ += wide;
    if (column_ < columns_ && cells_[row_][column_].empty()) cells_[row_][column_] = " ";
  }

  std::size_t take_escape(std::string_view bytes) {
    if (bytes.size() < 2) return 0;
    if (bytes[1] == ']') {
      const std::size_t end = bytes.find('\a');
      return end == std::string_view::npos ? 0 : end + 1;
    }
    if (bytes[1] != '[') return 2;
    std::size_t end = 2;
    while (end < bytes.size() && (bytes[end] < '@' || bytes[end] > '~')) ++end;
    if (end == bytes.size()) return 0;
    control(bytes.substr(2, end - 2), bytes[end]);
    return end + 1;
  }

  static std::size_t number(std::string_view text, std::size_t otherwise) {
    std::size_t value = 0;
    for (const char c : text) {
      if (c < '0' || c > '9') return otherwise;
      value = value * 10 + static_cast<std::size_t>(c - '0');
    }
    return text.empty() ? otherwise : value;
  }

  void control(std::string_view parameters, char last) {
    const std::size_t semicolon = std::min(parameters.find(';'), parameters.size());
    const std::size_t one = number(parameters.substr(0, semicolon), 1);
    const std::size_t two =
        semicolon < parameters.size() ? number(parameters.substr(semicolon + 1), 1) : 1;
    if (last == 'H') {
      row_ = std::min(one, cells_.size()) - 1;
      column_ = std::min(two, columns_) - 1;
    }
    if (last == 'A') row_ -= std::min(row_, one);
    if (last == 'B') row_ = std::min(row_ + one, cells_.size() - 1);
    if (last == 'C') column_ = std::min(column_ + one, columns_ - 1);
    if (last == 'K') erase(row_, column_);
    if (last == 'J') erase_screen(parameters == "2");
    if (last == 'h' || last == 'l') mode(parameters, last == 'h');
  }

  void erase(std::size_t row, std::size_t from) {
    std::fill(cells_[row].begin() + static_cast<std::ptrdiff_t>(std::min(from, columns_)),
              cells_[row].end(), " ");
  }
  void erase_screen(bool all) {
    if (!all) erase(row_, column_);
    for (std::size_t row = all ? 0 : row_ + 1; row < cells_.size(); ++row) erase(row, 0);
  }

  void mode(std::string_view which, bool on) {
    if (which == "?1049") {
      alternate_ = on;
      if (on) {
        kept_ = cells_;
        erase_screen(true);
      } else {
        cells_ = kept_;
      }
    }
    if (which == "?25") cursor_ = on;
    if (which == "?2004") brackets_ = on;
  }

  std::size_t columns_ = 0;
  std::vector<std::vector<std::string>> cells_;
  std::vector<std::vector<std::string>> kept_;
  std::string pending_;
  std::size_t row_ = 0;
  std::size_t column_ = 0;
  std::size_t bells_ = 0;
  bool alternate_ = false;
  bool cursor_ = true;
  bool brackets_ = false;
};

}  // namespace clever::test
