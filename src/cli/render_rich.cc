#include <algorithm>
#include <cctype>

#include "cli/markdown.h"
#include "cli/render.h"
#include "cli/words.h"
#include "diff/tree_diff.h"
#include "service/text.h"

namespace clever::cli {
namespace {

Span mark(Verdict verdict, const Look& look) {
  switch (verdict) {
    case Verdict::kOk:
      return {look.unicode ? "✔" : "+", Tone::kGood};
    case Verdict::kWarn:
      return {look.unicode ? "▲" : "!", Tone::kWarn};
    case Verdict::kFail:
      break;
  }
  return {look.unicode ? "✘" : "x", Tone::kBad};
}

class RichWriter {
 public:
  explicit RichWriter(const Look& look) : look_(look) {}

  std::string write(const View& view) {
    check_width_ = widest_check(view);
    for (const Block& block : view) {
      if (&block != &view.front() && !std::holds_alternative<Raw>(block)) text_.push_back('\n');
      std::visit([this](const auto& part) { add(part); }, block);
    }
    return std::move(text_);
  }

 private:
  void add(const Prose& prose) {
    for (const Line& line : prose.lines) end_line(painted(line, look_));
  }
  void add(const Markdown& markdown) {
    for (std::string& row : markdown_rows(markdown, look_)) end_line(std::move(row));
  }
  void add(const Raw& raw) { text_.append(raw.text); }
  void add(const Changes& changes) { text_.append(diff::unified(changes.files)); }
  void add(const Table& table) {
    title(table.title);
    text_.append(boxed(table, look_));
  }

  void add(const Fields& fields) {
    title(fields.title);
    std::size_t width = 0;
    for (const auto& field : fields.fields) width = std::max(width, columns(field.name));
    for (const auto& field : fields.fields) {
      hang(painted("  " + padded(field.name, width) + "  ", Tone::kDim, look_), width + 4,
           field.value);
    }
  }

  void add(const Checks& checks) {
    const std::size_t width = check_width_;
    title(checks.title);
    for (const auto& check : checks.checks) {
      const Span symbol = mark(check.verdict, look_);
      hang("  " + painted(symbol.text, symbol.tone, look_) + " " + padded(check.name, width) + "  ",
           width + 6, {check.detail, check.verdict == Verdict::kOk ? Tone::kDim : symbol.tone});
      if (!check.hint.empty()) {
        hang(std::string(width + 6, ' ') + painted(look_.unicode ? "→ " : "> ", Tone::kDim, look_),
             width + 8, {check.hint});
      }
    }
  }

  // All sections share one column for details.
  static std::size_t widest_check(const View& view) {
    std::size_t width = 0;
    for (const Block& block : view) {
      const auto* checks = std::get_if<Checks>(&block);
      if (checks == nullptr) continue;
      for (const auto& check : checks->checks) width = std::max(width, columns(check.name));
    }
    return width;
  }

  void title(std::string text) {
    if (text.empty()) return;
    text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
    end_line(painted(text, Tone::kStrong, look_));
  }

  // A value after its label; further lines start below the value.
  void hang(std::string lead, std::size_t indent, const Span& value) {
    constexpr std::size_t kLeast = 20;
    const std::size_t width =
        look_.width == 0 ? 0 : std::max(look_.width - std::min(indent, look_.width), kLeast);
    for (const std::string& line : wrapped(printable(value.text), width)) {
      end_line(lead + painted(line, value.tone, look_));
      lead = std::string(indent, ' ');
    }
  }

  void end_line(std::string line) {
    line.erase(line.find_last_not_of(' ') + 1);
    text_.append(line).push_back('\n');
  }

  const Look& look_;
  std::size_t check_width_ = 0;
  std::string text_;
};

}  // namespace

std::string render_rich(const View& view, const Look& look) { return RichWriter(look).write(view); }

}  // namespace clever::cli
