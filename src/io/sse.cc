#include "io/sse.h"

#include <algorithm>
#include <charconv>

namespace clever::io {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

bool SseParser::take_line(std::string_view line) {
  if (at_beginning_) {
    at_beginning_ = false;
    if (line.starts_with(kByteOrderMark)) line.remove_prefix(kByteOrderMark.size());
  }
  if (line.empty()) {
    // The event's name ends with the event, even without data.
    if (data_.empty()) name_.clear();
    return !data_.empty();
  }
  const std::size_t colon = line.find(':');
  if (colon == 0) return false;
  std::string_view value;
  if (colon != std::string_view::npos) {
    value = line.substr(colon + 1);
    if (value.starts_with(' ')) value.remove_prefix(1);
  }
  take_field(line.substr(0, colon), value);
  return false;
}

void SseParser::take_field(std::string_view name, std::string_view value) {
  if (name == "data") {
    too_long_ = too_long_ || data_.size() + value.size() + 1 > longest_event_;
    if (too_long_) return;
    // event() removes the line end after the last line.
    data_.append(value).push_back('\n');
  } else if (name == "event") {
    name_ = value;
  } else if (name == "id") {
    if (value.find('\0') == std::string_view::npos) id_ = value;
  } else if (name == "retry") {
    if (!value.empty() && std::ranges::all_of(value, is_digit)) {
      std::from_chars(value.data(), value.data() + value.size(), retry_);
    }
  }
}

SseEvent SseParser::event() const {
  return {.name = name_.empty() ? std::string_view("message") : std::string_view(name_),
          .data = std::string_view(data_).substr(0, data_.size() - 1),
          .id = id_};
}

void SseParser::reset() {
  name_.clear();
  data_.clear();
}

}  // namespace clever::io
