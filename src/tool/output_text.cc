#include "tool/output_text.h"

#include <algorithm>

#include "base/utf8.h"
#include "tool/internal/filled.h"

namespace clever::tool {
namespace {

bool continues_character(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

// Returns the longest suffix of at most `size` bytes that does not begin inside a character.
std::string_view utf8_suffix(std::string_view text, std::size_t size) {
  std::size_t from = text.size() - size;
  while (from < text.size() && continues_character(text[from])) ++from;
  return text.substr(from);
}

constexpr std::string_view kMarkBegins = "[… ";
constexpr std::string_view kMarkEnds = " bytes cut …]";

std::string mark(std::size_t bytes) { return "\n" + cut_mark(bytes) + "\n"; }

}  // namespace

std::string cut_middle(std::string_view text, std::size_t limit) {
  if (text.size() <= limit) return std::string(text);
  const std::size_t reserved = mark(text.size()).size();
  const std::size_t kept = limit > reserved ? limit - reserved : 0;
  const std::string_view head = base::utf8_prefix(text, kept - kept / 2);
  const std::string_view tail = utf8_suffix(text, kept / 2);
  return std::string(head) + mark(text.size() - head.size() - tail.size()) + std::string(tail);
}

std::string cut_mark(std::uint64_t bytes) {
  return std::string(kMarkBegins) + grouped(bytes) + std::string(kMarkEnds);
}

std::vector<std::string_view> cut_marks_in(std::string_view text) {
  std::vector<std::string_view> marks;
  for (std::size_t at = text.find(kMarkBegins); at != std::string_view::npos;
       at = text.find(kMarkBegins, at + 1)) {
    const std::size_t number = at + kMarkBegins.size();
    const std::size_t end = std::min(text.find_first_not_of("0123456789,", number), text.size());
    if (end == number || !text.substr(end).starts_with(kMarkEnds)) continue;
    marks.push_back(text.substr(at, end + kMarkEnds.size() - at));
  }
  std::ranges::sort(marks);
  return marks;
}

std::string grouped(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, ",");
  return digits;
}

std::string counted(std::uint64_t number, std::string_view thing) {
  return filled("{} {}{}", grouped(number), thing, number == 1 ? "" : "s");
}

}  // namespace clever::tool
