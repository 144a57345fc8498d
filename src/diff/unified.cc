#include "diff/internal/file_header.h"
#include "diff/internal/hunks.h"
#include "diff/tree_diff.h"

namespace clever::diff {
namespace {

char sign_of(LineKind kind) {
  switch (kind) {
    case LineKind::kAdded:
      return '+';
    case LineKind::kRemoved:
      return '-';
    case LineKind::kContext:
      break;
  }
  return ' ';
}

void print_line(const Line& line, std::string& text) {
  text += sign_of(line.kind);
  text += line.text;
  if (!line.text.ends_with('\n')) text += "\n\\ No newline at end of file\n";
}

void print_file(const FileDiff& file, std::string& text) {
  text += internal::file_header(file);
  for (const Hunk& block : internal::join_touching(file.hunks)) {
    text += internal::hunk_header(block);
    for (const Line& line : block.lines) print_line(line, text);
  }
}

}  // namespace

std::string unified(const std::vector<FileDiff>& files) {
  std::string text;
  for (const FileDiff& file : files) {
    for (const FileDiff& part : internal::printed_parts(file)) print_file(part, text);
  }
  return text;
}

}  // namespace clever::diff
