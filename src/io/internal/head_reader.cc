#include "io/internal/head_reader.h"

#include <charconv>

#include "base/text.h"

namespace clever::io::internal {
namespace {}  // namespace

HeadReader::Line HeadReader::add(std::string_view line) {
  if (complete_) return Line::kMore;
  size_ += line.size();
  if (size_ > kLimit) return Line::kTooLarge;
  const std::string_view text = base::trimmed(line);
  if (text.empty()) {
    complete_ = head_.status >= 200;
    return complete_ ? Line::kComplete : Line::kMore;
  }
  if (line.starts_with("HTTP/")) {
    begin(text);
  } else if (line.front() == ' ' || line.front() == '\t') {
    if (!head_.headers.empty()) head_.headers.back().value.append(" ").append(text);
  } else {
    add_field(text);
  }
  return Line::kMore;
}

void HeadReader::reset() {
  head_ = {};
  size_ = 0;
  complete_ = false;
}

void HeadReader::begin(std::string_view status_line) {
  head_ = {};
  const std::string_view rest = status_line.substr(5);
  const std::size_t space = rest.find(' ');
  head_.version = rest.substr(0, space);
  if (space == std::string_view::npos) return;
  const std::string_view status = rest.substr(space + 1);
  std::from_chars(status.data(), status.data() + status.size(), head_.status);
}

void HeadReader::add_field(std::string_view line) {
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos) return;
  head_.headers.push_back({base::lower_case(base::trimmed(line.substr(0, colon))),
                           std::string(base::trimmed(line.substr(colon + 1)))});
}

}  // namespace clever::io::internal
