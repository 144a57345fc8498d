#include <algorithm>
#include <cstddef>
#include <vector>

#include "base/utf8.h"
#include "syntax/internal/lines.h"
#include "syntax/outline.h"

namespace clever::syntax {
namespace {

// Definitions nested deeper are split like paragraphs.
constexpr std::size_t kDeepestCut = 6;
constexpr std::string_view kSpace = " \t\r\n\f\v";

struct Piece {
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// Splits large pieces, and joins small neighbours.
class Cutter {
 public:
  Cutter(const Syntax& syntax, std::string_view content, std::size_t largest)
      : syntax_(syntax),
        content_(content),
        largest_(std::max<std::size_t>(largest, 4)),
        lines_(content),
        levels_(kDeepestCut) {
    collect_cuts();
  }

  std::vector<Chunk> run() {
    std::vector<Piece> pieces{{.begin = 0, .end = content_.size()}};
    for (std::size_t level = 0; level < levels_.size(); ++level) {
      pieces = cut_all(pieces, levels_[level], level == 0);
    }
    pieces = cut_all(pieces, paragraphs(), false);
    pieces = cut_all(pieces, line_begins(), false);
    return chunks_of(merged(cut_lines(pieces)));
  }

 private:
  void collect_cuts() {
    std::vector<std::size_t> nesting(syntax_.symbols.size());
    for (std::size_t index = 0; index < nesting.size(); ++index) {
      const Symbol& symbol = syntax_.symbols[index];
      nesting[index] = symbol.parent < 0 ? 0 : nesting[static_cast<std::size_t>(symbol.parent)] + 1;
      if (nesting[index] >= kDeepestCut || symbol.range.end > content_.size()) {
        continue;
      }
      levels_[nesting[index]].push_back(line_begin(symbol.range.begin));
      levels_[nesting[index]].push_back(next_text(symbol.range.end));
    }
    for (std::vector<std::size_t>& level : levels_) {
      std::ranges::sort(level);
    }
  }

  [[nodiscard]] std::size_t line_begin(std::size_t byte) const {
    return lines_.begin(lines_.line_of(byte));
  }

  // Returns the first line after `byte` that is not blank.
  [[nodiscard]] std::size_t next_text(std::size_t byte) const {
    const std::size_t line_end = content_.find('\n', byte == 0 ? 0 : byte - 1);
    const std::size_t text = content_.find_first_not_of(kSpace, line_end);
    return text == std::string_view::npos ? content_.size() : line_begin(text);
  }

  [[nodiscard]] std::vector<std::size_t> paragraphs() const {
    std::vector<std::size_t> cuts;
    for (std::uint32_t line = 2; line <= lines_.count(); ++line) {
      if (lines_.blank(line - 1) && !lines_.blank(line)) {
        cuts.push_back(lines_.begin(line));
      }
    }
    return cuts;
  }

  [[nodiscard]] std::vector<std::size_t> line_begins() const {
    std::vector<std::size_t> cuts;
    for (std::uint32_t line = 1; line <= lines_.count(); ++line) {
      cuts.push_back(lines_.begin(line));
    }
    return cuts;
  }

  [[nodiscard]] std::vector<Piece> cut_all(const std::vector<Piece>& pieces,
                                           const std::vector<std::size_t>& cuts,
                                           bool small_ones_too) const {
    std::vector<Piece> result;
    for (const Piece& piece : pieces) {
      std::size_t begin = piece.begin;
      if (small_ones_too || piece.end - piece.begin > largest_) {
        for (auto cut = std::ranges::upper_bound(cuts, begin);
             cut != cuts.end() && *cut < piece.end; ++cut) {
          if (*cut > begin) {
            result.push_back({.begin = begin, .end = *cut});
            begin = *cut;
          }
        }
      }
      result.push_back({.begin = begin, .end = piece.end});
    }
    return result;
  }

  [[nodiscard]] std::vector<Piece> cut_lines(const std::vector<Piece>& pieces) const {
    std::vector<Piece> result;
    for (Piece piece : pieces) {
      while (piece.end - piece.begin > largest_) {
        const std::string_view rest = content_.substr(piece.begin, piece.end - piece.begin);
        const std::size_t size = std::max<std::size_t>(base::utf8_prefix(rest, largest_).size(), 1);
        result.push_back({.begin = piece.begin, .end = piece.begin + size});
        piece.begin += size;
      }
      result.push_back(piece);
    }
    return result;
  }

  // A piece joins the chunk before it while that has less than a quarter of its limit, or if the
  // piece is hardly more than a closing bracket.
  [[nodiscard]] std::vector<Piece> merged(const std::vector<Piece>& pieces) const {
    std::vector<Piece> result;
    for (const Piece& piece : pieces) {
      const bool is_small = piece.end - piece.begin < largest_ / 32;
      if (!result.empty() && piece.end - result.back().begin <= largest_ &&
          (is_small || result.back().end - result.back().begin < largest_ / 4)) {
        result.back().end = piece.end;
      } else {
        result.push_back(piece);
      }
    }
    return result;
  }

  [[nodiscard]] std::vector<Chunk> chunks_of(const std::vector<Piece>& pieces) const {
    std::vector<Chunk> result;
    result.reserve(pieces.size());
    for (const Piece& piece : pieces) {
      result.push_back({.range = lines_.range(piece.begin, piece.end), .symbol = holder(piece)});
    }
    return result;
  }

  [[nodiscard]] bool holds(const Symbol& symbol, const Piece& text) const {
    return symbol.range.begin <= text.begin && text.end <= symbol.range.end;
  }

  [[nodiscard]] Piece without_space(const Piece& piece) const {
    const std::string_view all = content_.substr(0, piece.end);
    const std::size_t begin = all.find_first_not_of(kSpace, piece.begin);
    if (begin == std::string_view::npos) {
      return piece;
    }
    return {.begin = begin, .end = all.find_last_not_of(kSpace) + 1};
  }

  // Symbols are sorted by their beginnings: the innermost is the last one that begins before the
  // text, or one around it.
  [[nodiscard]] std::int32_t holder(const Piece& piece) const {
    const Piece text = without_space(piece);
    const auto after = std::ranges::upper_bound(
        syntax_.symbols, text.begin, {}, [](const Symbol& each) { return each.range.begin; });
    auto index = static_cast<std::int32_t>(after - syntax_.symbols.begin()) - 1;
    while (index >= 0 && !holds(syntax_.symbols[static_cast<std::size_t>(index)], text)) {
      index = syntax_.symbols[static_cast<std::size_t>(index)].parent;
    }
    return index;
  }

  const Syntax& syntax_;
  std::string_view content_;
  std::size_t largest_;
  internal::Lines lines_;
  std::vector<std::vector<std::size_t>> levels_;
};

}  // namespace

std::vector<Chunk> chunks(const Syntax& syntax, std::string_view content, std::size_t largest) {
  if (content.empty()) {
    return {};
  }
  return Cutter(syntax, content, largest).run();
}

}  // namespace clever::syntax
