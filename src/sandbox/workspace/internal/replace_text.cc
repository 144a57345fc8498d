#include "sandbox/workspace/internal/replace_text.h"

#include <vector>

#include "sandbox/workspace/internal/line_ends.h"
#include "sandbox/workspace/internal/nearest_lines.h"

namespace clever::sandbox::internal {
namespace {

struct Span {
  std::size_t begin = 0;
  std::size_t end = 0;
};

constexpr std::size_t kMostLinesNamed = 20;

std::vector<Span> find_all(std::string_view text, std::string_view wanted) {
  std::vector<Span> spans;
  for (std::size_t at = text.find(wanted); at != std::string_view::npos;
       at = text.find(wanted, at + wanted.size())) {
    spans.push_back({at, at + wanted.size()});
  }
  return spans;
}

// Spans in the content's own bytes.
std::vector<Span> find_any_line_ends(std::string_view content, const UnixText& text,
                                     std::string_view old_text) {
  std::vector<Span> spans = find_all(text.text(), UnixText(old_text).text());
  // "a\r" occurs in "a\r\n", though not in its lines.
  if (spans.empty()) return find_all(content, old_text);
  for (Span& span : spans) {
    span = {text.original_offset(span.begin), text.original_offset(span.end)};
  }
  return spans;
}

// A replaced text with a line end shows which kind to use; otherwise the file decides.
bool wants_windows_ends(std::string_view replaced, const UnixText& text) {
  const std::size_t end = replaced.find('\n');
  if (end == std::string_view::npos) return text.mostly_windows();
  return end > 0 && replaced[end - 1] == '\r';
}

base::Error ambiguous(std::string_view content, const std::vector<Span>& spans) {
  std::string lines;
  for (std::size_t i = 0; i < spans.size() && i < kMostLinesNamed; ++i) {
    lines += (i == 0 ? "" : ", ") + std::to_string(line_number(content, spans[i].begin));
  }
  if (spans.size() > kMostLinesNamed) lines += ", …";
  return base::conflict("the file has old_text " + std::to_string(spans.size()) +
                        " times, at lines " + lines +
                        ": add lines around the one you mean, or set replace_all");
}

base::Error too_large(std::size_t largest) {
  return base::resource_exhausted("the file would be larger than " + std::to_string(largest) +
                                  " bytes");
}

std::string assemble(std::string_view content, const std::vector<Span>& spans,
                     std::string_view new_text, const UnixText& text) {
  const std::string windows = with_windows_ends(new_text);
  std::string result;
  std::size_t from = 0;
  for (const Span& span : spans) {
    result += content.substr(from, span.begin - from);
    const std::string_view replaced = content.substr(span.begin, span.end - span.begin);
    result += wants_windows_ends(replaced, text) ? std::string_view(windows) : new_text;
    from = span.end;
  }
  result += content.substr(from);
  return result;
}

}  // namespace

base::Result<Replaced> replace_text(std::string_view content, std::string_view old_text,
                                    std::string_view new_text, bool replace_all,
                                    std::size_t largest) {
  if (old_text.empty()) {
    return base::invalid_argument("old_text is empty; to create a file, use write_file");
  }
  if (old_text == new_text) return base::invalid_argument("old_text and new_text are the same");
  const UnixText text(content);
  const std::vector<Span> spans = find_any_line_ends(content, text, old_text);
  if (spans.empty()) {
    return base::not_found("the file does not have old_text: " +
                           explain_missing(content, old_text, new_text));
  }
  if (spans.size() > 1 && !replace_all) return ambiguous(content, spans);
  // Checked before building it: a small text a million times must not fill the memory.
  if (spans.size() > 1 && new_text.size() > largest / spans.size()) return too_large(largest);
  Replaced replaced{assemble(content, spans, new_text, text), spans.size()};
  if (replaced.content.size() > largest) return too_large(largest);
  return replaced;
}

}  // namespace clever::sandbox::internal
