#include "support/internal/request_parser.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <utility>

namespace clever::test::internal {
namespace {

std::string lower(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return result;
}

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") + 1 - begin);
}

std::optional<std::size_t> number(std::string_view text, int base) {
  std::size_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (error != std::errc() || end == text.data()) return std::nullopt;
  return value;
}

}  // namespace

std::optional<SeenRequest> RequestParser::next() {
  if (broken_ || (!head_ && !parse_head()) || !take_body()) return std::nullopt;
  asked_ = false;
  if (buffer_.empty()) std::string().swap(buffer_);
  return std::exchange(head_, std::nullopt);
}

bool RequestParser::take_expectation() {
  if (!head_ || asked_ || head_->header("expect") != "100-continue") return false;
  asked_ = true;
  return true;
}

bool RequestParser::parse_head() {
  // A TLS handshake, say.
  broken_ = !buffer_.empty() && std::isalpha(static_cast<unsigned char>(buffer_.front())) == 0;
  const std::size_t end = buffer_.find("\r\n\r\n");
  if (end == std::string::npos) return false;
  head_.emplace();
  parse_lines(std::string_view(buffer_).substr(0, end + 2));
  buffer_.erase(0, end + 4);
  return !broken_;
}

void RequestParser::parse_lines(std::string_view head) {
  const std::string_view first = head.substr(0, head.find("\r\n"));
  const std::size_t space = first.find(' ');
  const std::size_t last_space = first.rfind(' ');
  broken_ = space == std::string_view::npos || last_space == space ||
            !first.substr(last_space + 1).starts_with("HTTP/1.");
  if (broken_) return;
  head_->method = first.substr(0, space);
  head_->target = first.substr(space + 1, last_space - space - 1);
  for (std::size_t at = first.size() + 2; at < head.size();) {
    const std::size_t end = head.find("\r\n", at);
    const std::string_view line = head.substr(at, end - at);
    const std::size_t colon = line.find(':');
    if (colon != std::string_view::npos) {
      head_->headers.push_back(
          {lower(line.substr(0, colon)), std::string(trimmed(line.substr(colon + 1)))});
    }
    at = end + 2;
  }
}

bool RequestParser::take_body() {
  if (head_->header("transfer-encoding") == "chunked") return take_chunked_body();
  const std::size_t length = number(head_->header("content-length"), 10).value_or(0);
  if (buffer_.size() < length) return false;
  head_->body = buffer_.substr(0, length);
  buffer_.erase(0, length);
  return true;
}

bool RequestParser::take_chunked_body() {
  while (true) {
    const std::size_t line = buffer_.find("\r\n");
    if (line == std::string::npos) return false;
    const std::optional<std::size_t> size = number(std::string_view(buffer_).substr(0, line), 16);
    broken_ = !size.has_value();
    if (broken_ || buffer_.size() < line + 2 + *size + 2) return false;
    head_->body.append(buffer_, line + 2, *size);
    buffer_.erase(0, line + 2 + *size + 2);
    if (*size == 0) return true;
  }
}

}  // namespace clever::test::internal
