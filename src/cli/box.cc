#include <algorithm>
#include <array>

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

/// Draws one table; if the terminal is too narrow, the last column shrinks.
class Box {
 public:
  Box(const Table& table, const Look& look)
      : table_(table),
        look_(look),
        frame_(look.unicode ? kUnicodeFrame : kAsciiFrame),
        widths_(measure()) {}

  std::string draw() {
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
  std::vector<std::size_t> measure() const {
    std::vector<std::size_t> widths;
    for (const std::string& column : table_.columns) widths.push_back(columns(column));
    for (const auto& cells : table_.rows) {
      for (std::size_t i = 0; i < cells.size(); ++i) {
        widths[i] = std::max(widths[i], columns(printable(cells[i].text)));
      }
    }
    narrow(widths);
    return widths;
  }

  void narrow(std::vector<std::size_t>& widths) const {
    constexpr std::size_t kLeast = 16;
    if (look_.width == 0 || widths.empty()) return;
    std::size_t total = 1;
    for (const std::size_t width : widths) total += width + 3;
    if (total <= look_.width) return;
    const std::size_t excess = total - look_.width;
    std::size_t& last = widths.back();
    last = last > excess + kLeast ? last - excess : std::min(last, kLeast);
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
    // Cuts a word that is wider than the column, because it would break the box.
    std::vector<std::string> last;
    for (const Line& part : broken({{cells.back().text}}, widths_.back())) {
      last.push_back(part.empty() ? "" : part.back().text);
    }
    for (std::size_t n = 0; n < last.size(); ++n) {
      for (std::size_t i = 0; i + 1 < cells.size(); ++i) {
        cell(n == 0 ? printable(cells[i].text) : "", cells[i].tone, widths_[i]);
      }
      cell(last[n], cells.back().tone, widths_.back());
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
