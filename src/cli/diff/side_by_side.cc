#include "cli/diff/side_by_side.h"

#include <algorithm>
#include <optional>

#include "cli/diff/painted_diff.h"
#include "cli/words.h"
#include "service/diff/changed_pieces.h"
#include "service/diff/diff_words.h"
#include "service/text.h"

namespace clever::cli {
namespace {

using diff::FileDiff;
using diff::Hunk;
using diff::LineKind;

// One side of a row.
struct Side {
  std::uint64_t number = 0;
  char sign = ' ';
  service::LinePieces pieces{};
};

std::string without_end(const std::string& line) {
  return line.ends_with('\n') ? line.substr(0, line.size() - 1) : line;
}

std::uint64_t last_line(const std::vector<FileDiff>& files) {
  std::uint64_t last = 1;
  for (const FileDiff& file : files) {
    for (const Hunk& hunk : file.hunks) {
      last = std::max({last, hunk.old_start + hunk.old_lines, hunk.new_start + hunk.new_lines});
    }
  }
  return last;
}

class Sides {
 public:
  Sides(const std::vector<FileDiff>& files, std::size_t width, const Look& look)
      : look_(look), gutter_(std::to_string(last_line(files)).size()) {
    constexpr std::size_t kBetween = 3;  // " | "
    constexpr std::size_t kBeside = 2;   // a blank and the sign
    const std::size_t side = (std::max(width, kLeastForSides) - kBetween) / 2;
    text_width_ = side - std::min(side - 1, gutter_ + kBeside);
  }

  void add(const FileDiff& file) {
    if (!text_.empty()) text_ += "\n";
    text_ += painted(title_of(file), Tone::kStrong, look_) + "\n";
    const Hunk* before = nullptr;
    for (const Hunk& hunk : file.hunks) {
      const bool touches = before != nullptr &&
                           before->old_start + before->old_lines == hunk.old_start &&
                           before->new_start + before->new_lines == hunk.new_start;
      if (!touches) text_ += painted(place_of(hunk), Tone::kAccent, look_) + "\n";
      add(hunk);
      before = &hunk;
    }
  }
  std::string finish() { return std::move(text_); }

 private:
  static std::string title_of(const FileDiff& file) {
    std::string title = printable(file.from ? *file.from + " → " + file.path : file.path);
    for (const std::string& remark : service::remarks_on(file)) title += "  (" + remark + ")";
    return title;
  }
  static std::string place_of(const Hunk& hunk) {
    const std::string line = "line " + std::to_string(std::max<std::uint64_t>(hunk.new_start, 1));
    return "@@ " + line + (hunk.heading.empty() ? "" : ": " + service::shown_line(hunk.heading));
  }

  void add(const Hunk& hunk) {
    old_ = hunk.old_lines == 0 ? hunk.old_start + 1 : hunk.old_start;
    new_ = hunk.new_lines == 0 ? hunk.new_start + 1 : hunk.new_start;
    std::vector<std::string> removed;
    std::vector<std::string> added;
    for (const diff::Line& line : hunk.lines) {
      if (line.kind == LineKind::kRemoved) {
        removed.push_back(without_end(line.text));
      } else if (line.kind == LineKind::kAdded) {
        added.push_back(without_end(line.text));
      } else {
        changed(removed, added);
        same(without_end(line.text));
      }
    }
    changed(removed, added);
  }

  void same(const std::string& line) {
    const service::LinePieces pieces = service::shown_pieces({{line, false}});
    row(Side{old_++, ' ', pieces}, Side{new_++, ' ', pieces});
  }
  void changed(std::vector<std::string>& removed, std::vector<std::string>& added) {
    const service::ComparedLines compared = service::compare_lines(removed, added);
    for (std::size_t i = 0; i < std::max(removed.size(), added.size()); ++i) {
      std::optional<Side> left;
      std::optional<Side> right;
      if (i < removed.size()) left = Side{old_++, '-', service::shown_pieces(compared.removed[i])};
      if (i < added.size()) right = Side{new_++, '+', service::shown_pieces(compared.added[i])};
      row(left, right);
    }
    removed.clear();
    added.clear();
  }

  void row(const std::optional<Side>& left, const std::optional<Side>& right) {
    const std::vector<std::string> lefts = cells(left, Tone::kBad, true);
    const std::vector<std::string> rights = cells(right, Tone::kGood, false);
    const std::string blank(gutter_ + 2 + text_width_, ' ');
    const std::string between = painted(look_.unicode ? " │ " : " | ", Tone::kDim, look_);
    for (std::size_t i = 0; i < std::max(lefts.size(), rights.size()); ++i) {
      text_ += (i < lefts.size() ? lefts[i] : blank) + between;
      if (i < rights.size()) text_ += rights[i];
      text_ += "\n";
    }
  }
  // The rows that one side needs, padded if another column follows.
  [[nodiscard]] std::vector<std::string> cells(const std::optional<Side>& side, Tone tone,
                                               bool pad) const {
    std::vector<std::string> all;
    if (!side) return all;
    std::string number = std::to_string(side->number);
    number.insert(0, gutter_ - std::min(gutter_, number.size()), ' ');
    for (const service::LinePieces& line : service::broken(side->pieces, text_width_)) {
      service::LinePieces pieces{{all.empty() ? std::string(1, side->sign) : " ", false}};
      pieces.insert(pieces.end(), line.begin(), line.end());
      std::string cell = painted(number + " ", Tone::kDim, look_) +
                         painted_pieces(pieces, side->sign == ' ' ? Tone::kPlain : tone, look_);
      const std::size_t used = service::columns_of(line);
      if (pad && used < text_width_) cell.append(text_width_ - used, ' ');
      all.push_back(std::move(cell));
      number = std::string(gutter_, ' ');
    }
    return all;
  }

  const Look& look_;
  const std::size_t gutter_;
  std::size_t text_width_ = 0;
  std::uint64_t old_ = 0;
  std::uint64_t new_ = 0;
  std::string text_;
};

}  // namespace

std::string side_by_side(const std::vector<FileDiff>& files, std::size_t width, const Look& look) {
  Sides sides(files, width, look);
  for (const FileDiff& file : files) sides.add(file);
  return sides.finish();
}

}  // namespace clever::cli
