#include "tool/output_text.h"

#include "base/utf8.h"
#include "tool/internal/filled.h"

namespace clever::tool {
namespace {

bool continues_character(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

// The longest end of at most `size` bytes that does not begin inside a character.
std::string_view utf8_suffix(std::string_view text, std::size_t size) {
  std::size_t from = text.size() - size;
  while (from < text.size() && continues_character(text[from])) ++from;
  return text.substr(from);
}

std::string mark(std::size_t bytes) { return filled("\n[… {} bytes cut …]\n", grouped(bytes)); }

}  // namespace

std::string cut_middle(std::string_view text, std::size_t limit) {
  if (text.size() <= limit) return std::string(text);
  const std::size_t reserved = mark(text.size()).size();
  const std::size_t kept = limit > reserved ? limit - reserved : 0;
  const std::string_view head = base::utf8_prefix(text, kept - kept / 2);
  const std::string_view tail = utf8_suffix(text, kept / 2);
  return std::string(head) + mark(text.size() - head.size() - tail.size()) + std::string(tail);
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
