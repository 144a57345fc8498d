#include "confine/internal/kept_output.h"

#include <algorithm>

namespace clever::confine::internal {

void KeptOutput::add(std::string_view text) {
  const std::size_t room = std::min(head_limit_ - head_.size(), text.size());
  head_.append(text.substr(0, room));
  add_to_tail(text.substr(room));
}

void KeptOutput::add_to_tail(std::string_view text) {
  tail_.append(text);
  if (tail_.size() > 2 * tail_limit_) {
    cut_ += surplus();
    tail_.erase(0, surplus());
  }
  dropped_ = cut_ + surplus();
}

std::string KeptOutput::text() const {
  if (!truncated()) return head_ + tail_;
  return head_ + "\n[" + std::to_string(dropped_) + " bytes left out]\n" + tail_.substr(surplus());
}

std::string KeptOutput::last_lines(std::size_t limit) const {
  const std::string whole = text();
  if (whole.size() <= limit) return whole;
  const std::string end = whole.substr(whole.size() - limit);
  const std::size_t line = end.find('\n');
  return line == std::string::npos || line + 1 == end.size() ? end : end.substr(line + 1);
}

}  // namespace clever::confine::internal
