#include "service/diff/changed_pieces.h"

#include "diff/text_diff.h"
#include "service/text.h"

namespace clever::service {
namespace {

using diff::LineKind;
using diff::WordPiece;

constexpr std::size_t kMostCompared = 20'000;
constexpr std::size_t kTabWidth = 8;

std::string joined_lines(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text.append(line).push_back('\n');
  return text;
}

std::vector<LinePieces> unmarked(const std::vector<std::string>& lines) {
  std::vector<LinePieces> all;
  for (const std::string& line : lines) all.push_back({{line, false}});
  return all;
}

std::size_t letters(std::string_view text) {
  std::size_t count = 0;
  for (const char c : text) count += c != ' ' && c != '\n' && c != '\t' ? 1U : 0U;
  return count;
}

// At least two fifths of the shorter side must be equal.
bool is_alike(const std::vector<WordPiece>& words, const std::string& before,
              const std::string& after) {
  std::size_t common = 0;
  for (const WordPiece& word : words) {
    if (word.kind == LineKind::kContext) common += letters(word.text);
  }
  return common * 5 >= std::min(letters(before), letters(after)) * 2 && common > 0;
}

void add_piece(LinePieces& line, std::string_view text, bool changed) {
  if (text.empty()) return;
  if (!line.empty() && line.back().changed == changed) {
    line.back().text.append(text);
  } else {
    line.push_back({std::string(text), changed});
  }
}

// One side of the words, in lines.
std::vector<LinePieces> side_of(const std::vector<WordPiece>& words, LineKind without) {
  std::vector<LinePieces> lines(1);
  for (const WordPiece& word : words) {
    if (word.kind == without) continue;
    const bool changed = word.kind != LineKind::kContext;
    std::string_view rest = word.text;
    for (std::size_t end = rest.find('\n'); end != std::string_view::npos; end = rest.find('\n')) {
      add_piece(lines.back(), rest.substr(0, end), changed);
      lines.emplace_back();
      rest.remove_prefix(end + 1);
    }
    add_piece(lines.back(), rest, changed);
  }
  lines.pop_back();  // each line ends with a line end
  return lines;
}

// If little of a line is left, its sign is enough.
bool is_another(const LinePieces& line) {
  std::size_t all = 0;
  std::size_t changed = 0;
  for (const LinePiece& piece : line) {
    all += letters(piece.text);
    changed += piece.changed ? letters(piece.text) : 0U;
  }
  return changed * 4 >= all * 3;
}

std::vector<LinePieces> with_marks_that_help(std::vector<LinePieces> lines) {
  for (LinePieces& line : lines) {
    if (!is_another(line)) continue;
    LinePieces whole;
    for (const LinePiece& piece : line) add_piece(whole, piece.text, false);
    line = std::move(whole);
  }
  return lines;
}

void append_shown(std::string& shown, std::size_t& column, std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = at;
    const char32_t c = next_code_point(text, at);
    if (c == '\t') {
      const std::size_t blanks = kTabWidth - column % kTabWidth;
      shown.append(blanks, ' ');
      column += blanks;
      continue;
    }
    const std::string one =
        c == '\r' && at == text.size() ? "^M" : printable(text.substr(begin, at - begin));
    column += columns(one);
    shown += one;
  }
}

}  // namespace

ComparedLines compare_lines(const std::vector<std::string>& removed,
                            const std::vector<std::string>& added) {
  const std::string before = joined_lines(removed);
  const std::string after = joined_lines(added);
  if (removed.empty() || added.empty() || before.size() + after.size() > kMostCompared) {
    return {unmarked(removed), unmarked(added)};
  }
  const std::vector<WordPiece> words = diff::words_of(before, after);
  if (!is_alike(words, before, after)) return {unmarked(removed), unmarked(added)};
  return {with_marks_that_help(side_of(words, LineKind::kAdded)),
          with_marks_that_help(side_of(words, LineKind::kRemoved))};
}

LinePieces shown_pieces(const LinePieces& pieces) {
  LinePieces shown;
  std::size_t column = 0;
  for (const LinePiece& piece : pieces) {
    LinePiece& next = shown.emplace_back("", piece.changed);
    append_shown(next.text, column, piece.text);
  }
  return shown;
}

std::string shown_line(std::string_view line) {
  std::string shown;
  std::size_t column = 0;
  append_shown(shown, column, line);
  return shown;
}

std::vector<LinePieces> broken(const LinePieces& pieces, std::size_t width) {
  std::vector<LinePieces> lines(1);
  std::size_t used = 0;
  for (const LinePiece& piece : pieces) {
    for (std::size_t at = 0; at < piece.text.size();) {
      const std::size_t begin = at;
      static_cast<void>(next_code_point(piece.text, at));
      const std::string_view one = std::string_view(piece.text).substr(begin, at - begin);
      const std::size_t wide = columns(one);
      if (used > 0 && used + wide > width) {
        lines.emplace_back();
        used = 0;
      }
      add_piece(lines.back(), one, piece.changed);
      used += wide;
    }
  }
  return lines;
}

std::size_t columns_of(const LinePieces& pieces) {
  std::size_t sum = 0;
  for (const LinePiece& piece : pieces) sum += columns(piece.text);
  return sum;
}

}  // namespace clever::service
