#include "diff/internal/file_header.h"
#include "diff/internal/hunks.h"
#include "diff/internal/line_changes.h"
#include "diff/tree_diff.h"

namespace clever::diff {
namespace {

struct Marks {
  std::string_view open;
  std::string_view close;
};

Marks marks_of(LineKind kind) {
  switch (kind) {
    case LineKind::kAdded:
      return {"{+", "+}"};
    case LineKind::kRemoved:
      return {"[-", "-]"};
    case LineKind::kContext:
      break;
  }
  return {};
}

// Marks do not span lines, so that each line is readable alone.
void print_words(const WordPiece& piece, std::string& text) {
  const Marks marks = marks_of(piece.kind);
  for (const std::string_view line : internal::split_lines(piece.text)) {
    const bool ends = line.ends_with('\n');
    const std::string_view words = ends ? line.substr(0, line.size() - 1) : line;
    if (!words.empty()) text.append(marks.open).append(words).append(marks.close);
    if (ends) text += '\n';
  }
}

void print_file_words(const FileDiff& file, std::string& text) {
  text += internal::file_header(file);
  for (const Hunk& block : internal::join_touching(file.hunks)) {
    text += internal::hunk_header(block);
    const std::string before = internal::side_of(block, LineKind::kAdded);
    const std::string after = internal::side_of(block, LineKind::kRemoved);
    for (const WordPiece& piece : words_of(before, after)) print_words(piece, text);
    if (!text.ends_with('\n')) text += '\n';
  }
}

}  // namespace

std::string word_diff(const std::vector<FileDiff>& files) {
  std::string text;
  for (const FileDiff& file : files) {
    for (const FileDiff& part : internal::printed_parts(file)) print_file_words(part, text);
  }
  return text;
}

}  // namespace clever::diff
