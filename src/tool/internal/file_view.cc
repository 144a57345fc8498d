#include "tool/internal/file_view.h"

#include <algorithm>
#include <array>

#include "base/sha256.h"
#include "base/utf8.h"
#include "tool/internal/filled.h"
#include "tool/output_text.h"

namespace clever::tool::internal {
namespace {

constexpr std::size_t kMostLines = 2000;
constexpr std::size_t kLongestLine = 2000;
constexpr std::size_t kForNotes = 512;

enum class LineEnds : std::uint8_t { kLf, kCrlf, kMixed };

LineEnds line_ends_of(std::string_view content) {
  std::size_t all = 0;
  std::size_t crlf = 0;
  for (std::size_t at = content.find('\n'); at != std::string_view::npos;
       at = content.find('\n', at + 1)) {
    ++all;
    if (at > 0 && content[at - 1] == '\r') ++crlf;
  }
  if (crlf == 0) return LineEnds::kLf;
  return crlf == all ? LineEnds::kCrlf : LineEnds::kMixed;
}

// Cuts off the next line, without its end. The carriage return belongs to the end if all lines have
// one; otherwise it is shown, so that a writer keeps it where it was.
std::string_view take_line(std::string_view& rest, LineEnds ends) {
  const std::size_t end = rest.find('\n');
  std::string_view text = rest.substr(0, end);
  rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
  if (ends == LineEnds::kCrlf && end != std::string_view::npos) text.remove_suffix(1);
  return text;
}

std::size_t count_lines(std::string_view content) {
  const auto ends = static_cast<std::size_t>(std::ranges::count(content, '\n'));
  return ends + (content.empty() || content.ends_with('\n') ? 0 : 1);
}

std::string shown_line(std::size_t number, std::string_view line) {
  constexpr std::size_t kNumberWidth = 6;
  const std::string digits = std::to_string(number);
  std::string shown(digits.size() < kNumberWidth ? kNumberWidth - digits.size() : 0, ' ');
  shown += digits + "\t";
  const std::string text = base::to_valid_utf8(line);
  const std::string_view head = base::utf8_prefix(text, kLongestLine);
  shown += head;
  if (head.size() < text.size()) {
    shown += " " + cut_mark(text.size() - head.size());
  }
  return shown + "\n";
}

class View {
 public:
  View(std::string_view content, std::size_t total, std::size_t limit)
      : content_(content),
        total_(total),
        limit_(limit > kForNotes ? limit - kForNotes : 0),
        ends_(line_ends_of(content)) {}

  FileView of(std::size_t first, std::size_t last) {
    std::string_view rest = content_;
    std::size_t number = 1;
    for (; number < first; ++number) take_line(rest, ends_);
    const std::size_t end = std::min({last, total_, first + kMostLines - 1});
    while (number <= end && add(number, take_line(rest, ends_))) ++number;
    if (number <= std::min(last, total_)) {
      view_.truncated = true;
      note(filled("lines {} to {} of {} are shown; read on with start_line={}", first, number - 1,
                  grouped(total_), number));
    } else if (first > 1 || last < total_) {
      note(filled("lines {} to {} of {}", first, number - 1, grouped(total_)));
    }
    describe_rest();
    return std::move(view_);
  }

 private:
  // Always shows at least one line.
  bool add(std::size_t number, std::string_view line) {
    const std::string text = shown_line(number, line);
    if (!view_.text.empty() && view_.text.size() + text.size() > limit_) return false;
    view_.text += text;
    invalid_ = invalid_ || !base::is_utf8(line);
    return true;
  }
  void describe_rest() {
    if (ends_ == LineEnds::kCrlf) note("lines end in CRLF");
    if (ends_ == LineEnds::kMixed) {
      note("some lines end in CRLF, others in LF: the carriage returns are shown with their lines");
    }
    if (invalid_) {
      note("bytes that are not UTF-8 are shown as \xEF\xBF\xBD; edit_file keeps them");
    }
    if (!content_.ends_with('\n')) note("no newline at the end of the file");
  }
  void note(std::string_view what) { view_.text += filled("[{}]\n", what); }

  const std::string_view content_;
  const std::size_t total_;
  const std::size_t limit_;
  const LineEnds ends_;
  FileView view_;
  bool invalid_ = false;
};

struct Signature {
  std::string_view start;
  std::string_view kind;
};

std::string_view kind_of_binary(std::string_view content) {
  using namespace std::string_view_literals;
  static constexpr auto kSignatures = std::to_array<Signature>({
      {"\x89PNG\r\n"sv, "PNG image"},
      {"\xFF\xD8\xFF"sv, "JPEG image"},
      {"GIF8"sv, "GIF image"},
      {"%PDF-"sv, "PDF document"},
      {"\x7F"
       "ELF"sv,
       "ELF program or library"},
      {"PK\x03\x04"sv, "ZIP archive"},
      {"\x1F\x8B"sv, "gzip data"},
      {"\x28\xB5\x2F\xFD"sv, "Zstandard data"},
      {"SQLite format 3"sv, "SQLite database"},
      {"\0asm"sv, "WebAssembly module"},
      {"\xFF\xFE"sv, "perhaps UTF-16 text"},
      {"\xFE\xFF"sv, "perhaps UTF-16 text"},
  });
  for (const Signature& signature : kSignatures) {
    if (content.starts_with(signature.start)) return signature.kind;
  }
  return "";
}

}  // namespace

base::Result<void> check_range(const LineRange& range) {
  const std::int64_t first = range.first.value_or(1);
  if (first >= 1 && first <= range.last.value_or(INT64_MAX)) return {};
  return base::invalid_argument(
      filled("lines {} to {} are not a range: start_line counts from 1, and end_line must not be "
             "before it",
             first, range.last.value_or(first)));
}

base::Result<FileView> view_lines(std::string_view content, const LineRange& range,
                                  std::size_t limit) {
  CLEVER_TRY(check_range(range));
  if (content.empty()) return FileView{.text = "[the file is empty]\n"};
  const std::size_t total = count_lines(content);
  const auto first = static_cast<std::uint64_t>(range.first.value_or(1));
  if (first > total) {
    return base::invalid_argument(
        filled("start_line is {}, but the file has only {}", first, counted(total, "line")));
  }
  const auto last = static_cast<std::uint64_t>(range.last.value_or(INT64_MAX));
  return View(content, total, limit).of(first, last);
}

std::string describe_binary(std::string_view content) {
  const std::string_view kind = kind_of_binary(content);
  return filled(
      "binary file{}, {}, SHA-256 {}\n[its bytes are not shown; a command can look "
      "into it]\n",
      kind.empty() ? "" : filled(" ({})", kind), counted(content.size(), "byte"),
      base::sha256(content).to_hex());
}

}  // namespace clever::tool::internal
