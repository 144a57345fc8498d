#include "config/internal/nesting.h"

#include <algorithm>
#include <string>

namespace clever::config::internal {
namespace {

constexpr int kMostSegments = 32;
constexpr int kMostBrackets = 32;

// Scans the text outside strings and comments.
class NestingScanner {
 public:
  explicit NestingScanner(std::string_view text) : text_(text) {}

  std::optional<std::size_t> first_line_too_deep() {
    while (at_ < text_.size()) {
      step();
      if (segments_ > kMostSegments || brackets_ > kMostBrackets) return line();
    }
    return std::nullopt;
  }

 private:
  void step() {
    const char c = text_[at_];
    if (c == '"' || c == '\'') return skip_string(c);
    if (c == '#') return skip_to(text_.find('\n', at_));
    ++at_;
    if (c == '.') ++segments_;
    if (c == '\n' || c == '=' || c == ',' || c == '{' || c == '[') segments_ = 0;
    if (c == '{' || c == '[') ++brackets_;
    if (c == '}' || c == ']') brackets_ = std::max(0, brackets_ - 1);
  }

  void skip_string(char quote) {
    const std::string three(3, quote);
    const bool multi_line = text_.substr(at_).starts_with(three);
    at_ += multi_line ? 3 : 1;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '\\' && quote == '"') {
        skip_to(at_ + 2);
      } else if (multi_line && text_.substr(at_).starts_with(three)) {
        // Up to two quotes before the closing three belong to the string.
        return skip_to(text_.find_first_not_of(quote, at_));
      } else if (!multi_line && (c == quote || c == '\n')) {
        return skip_to(at_ + 1);
      } else {
        ++at_;
      }
    }
  }

  void skip_to(std::size_t position) { at_ = std::min(position, text_.size()); }

  [[nodiscard]] std::size_t line() const {
    return 1 + static_cast<std::size_t>(std::ranges::count(text_.substr(0, at_), '\n'));
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int segments_ = 0;
  int brackets_ = 0;
};

}  // namespace

std::optional<std::size_t> first_line_too_deep(std::string_view text) {
  return NestingScanner(text).first_line_too_deep();
}

}  // namespace clever::config::internal
