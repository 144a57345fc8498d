#include <algorithm>
#include <array>

#include "base/text.h"
#include "cli/markdown.h"
#include "cli/render.h"
#include "cli/words.h"
#include "service/text.h"

namespace clever::cli {
namespace {

struct Border {
  std::string_view left, line, cross, right;
};
struct Frame {
  Border top, middle, bottom;
  std::string_view bar;
};

constexpr Frame kUnicodeFrame{
    {"╭", "─", "┬", "╮"}, {"├", "─", "┼", "┤"}, {"╰", "─", "┴", "╯"}, "│"};
constexpr Frame kAsciiFrame{{"+", "-", "+", "+"}, {"+", "-", "+", "+"}, {"+", "-", "+", "+"}, "|"};

std::size_t longest_word(const std::string& text) {
  std::size_t longest = 0;
  for (const std::string_view word : base::split(text, ' ')) {
    longest = std::max(longest, columns(word));
  }
  return longest;
}

/// Draws one table. When the terminal is too narrow, the last column shrinks first, then the
/// others, down to their longest words; a terminal that is narrower still gets one line for each
/// cell.
class Box {
 public:
  Box(const Table& table, const Look& look)
      : table_(table),
        look_(look),
        frame_(look.unicode ? kUnicodeFrame : kAsciiFrame),
        widths_(measure()) {}

  std::string draw() {
    if (look_.width > 0 && total(widths_) > look_.width) return cards();
    rule(frame_.top);
    Line header;
    for (const std::string& column : table_.columns) header.push_back({column, Tone::kStrong});
    row(header);
    rule(frame_.middle);
    for (const auto& cells : table_.rows) row(cells);
    rule(frame_.bottom);
    return std::move(text_);
  }

 private:
  static std::size_t total(const std::vector<std::size_t>& widths) {
    std::size_t sum = 1;
    for (const std::size_t width : widths) sum += width + 3;
    return sum;
  }

  [[nodiscard]] std::vector<std::size_t> widest(std::size_t (*measured)(const std::string&)) const {
    std::vector<std::size_t> widths;
    for (const std::string& column : table_.columns) widths.push_back(measured(column));
    for (const auto& cells : table_.rows) {
      for (std::size_t i = 0; i < cells.size(); ++i) {
        widths[i] = std::max(widths[i], measured(printable(cells[i].text)));
      }
    }
    return widths;
  }

  [[nodiscard]] std::vector<std::size_t> measure() const {
    auto widths = widest([](const std::string& text) { return columns(text); });
    if (look_.width > 0 && !widths.empty()) narrow(widths);
    return widths;
  }

  void narrow(std::vector<std::size_t>& widths) const {
    constexpr std::size_t kLeastLast = 16;
    std::vector<std::size_t> least = widest(longest_word);
    // Its words may be cut: they are a person's.
    least.back() = std::min(least.back(), kLeastLast);
    const auto give = [&](std::size_t column, std::size_t floor) {
      const std::size_t now = total(widths);
      if (now <= look_.width || widths[column] <= floor) return;
      widths[column] -= std::min(now - look_.width, widths[column] - floor);
    };
    give(widths.size() - 1, std::max(kLeastLast, least.back()));
    for (std::size_t i = 0; i + 1 < widths.size(); ++i) give(i, least[i]);
    give(widths.size() - 1, least.back());
  }

  // One line for each cell, behind the name of its column.
  std::string cards() {
    std::size_t label = 0;
    for (const std::string& column : table_.columns) label = std::max(label, columns(column));
    const std::size_t room = look_.width > label + 2 ? look_.width - label - 2 : 1;
    for (const auto& cells : table_.rows) {
      if (!text_.empty()) text_.push_back('\n');
      for (std::size_t i = 0; i < cells.size(); ++i) {
        std::string name = painted(padded(table_.columns[i], label), Tone::kDim, look_);
        for (const std::string& part : pieces(cells[i], room)) {
          text_ += name + (part.empty() ? "" : "  " + painted(part, cells[i].tone, look_)) + "\n";
          name = std::string(label, ' ');
        }
      }
    }
    return std::move(text_);
  }

  // Cuts a word that is wider than the column, because it would break the box.
  static std::vector<std::string> pieces(const Span& cell, std::size_t width) {
    std::vector<std::string> texts;
    for (const Line& part : broken({{printable(cell.text)}}, width)) {
      texts.push_back(part.empty() ? "" : part.back().text);
    }
    if (texts.empty()) texts.emplace_back();
    return texts;
  }

  void rule(const Border& border) {
    std::string line(border.left);
    for (std::size_t i = 0; i < widths_.size(); ++i) {
      if (i > 0) line.append(border.cross);
      for (std::size_t n = 0; n < widths_[i] + 2; ++n) line.append(border.line);
    }
    line.append(border.right);
    text_.append(painted(line, Tone::kDim, look_)).push_back('\n');
  }

  void row(const Line& cells) {
    std::vector<std::vector<std::string>> parts;
    std::size_t height = 1;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      parts.push_back(pieces(cells[i], widths_[i]));
      height = std::max(height, parts.back().size());
    }
    for (std::size_t n = 0; n < height; ++n) {
      for (std::size_t i = 0; i < cells.size(); ++i) {
        cell(n < parts[i].size() ? parts[i][n] : "", cells[i].tone, widths_[i]);
      }
      text_.append(painted(frame_.bar, Tone::kDim, look_)).push_back('\n');
    }
  }

  void cell(const std::string& text, Tone tone, std::size_t width) {
    text_.append(painted(frame_.bar, Tone::kDim, look_)).push_back(' ');
    text_.append(painted(text, tone, look_));
    text_.append(padded(text, width).substr(text.size())).push_back(' ');
  }

  const Table& table_;
  const Look& look_;
  const Frame& frame_;
  const std::vector<std::size_t> widths_;
  std::string text_;
};

}  // namespace

std::string boxed(const Table& table, const Look& look) { return Box(table, look).draw(); }

}  // namespace clever::cli
