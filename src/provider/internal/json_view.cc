#include "provider/internal/json_view.h"

#include <array>
#include <charconv>
#include <cmath>

#include "base/utf8.h"
#include "provider/internal/characters.h"

namespace clever::provider::internal {
namespace {

int hex_value(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// Characters that stand for themselves in a string and do not end it.
constexpr std::array<bool, 256> plain_characters() {
  std::array<bool, 256> plain{};
  for (std::size_t c = 0x20; c < plain.size(); ++c) plain[c] = c != '"' && c != '\\';
  return plain;
}
constexpr auto kPlain = plain_characters();

// Four digits that parse() has checked.
char32_t hex4(std::string_view text) {
  char32_t value = 0;
  for (const char c : text.substr(0, 4)) value = value * 16 + static_cast<char32_t>(hex_value(c));
  return value;
}

bool is_high(char32_t unit) { return unit >= 0xD800 && unit < 0xDC00; }
bool is_low(char32_t unit) { return unit >= 0xDC00 && unit < 0xE000; }

// Decodes the four hex digits at the start of `rest`; takes the second half of a surrogate pair
// too.
char32_t take_unicode(std::string_view& rest) {
  const char32_t unit = hex4(rest);
  rest.remove_prefix(4);
  if (!is_high(unit)) return is_low(unit) ? U'\uFFFD' : unit;
  if (!rest.starts_with("\\u")) return U'\uFFFD';
  const char32_t low = hex4(rest.substr(2));
  if (!is_low(low)) return U'\uFFFD';
  rest.remove_prefix(6);
  return 0x10000 + ((unit - 0xD800) << 10U) + (low - 0xDC00);
}

char simple_escape(char c) {
  switch (c) {
    case 'b':
      return '\b';
    case 'f':
      return '\f';
    case 'n':
      return '\n';
    case 'r':
      return '\r';
    case 't':
      return '\t';
    default:
      return c;
  }
}

void append_unescaped(std::string& text, std::string_view rest) {
  while (!rest.empty()) {
    const std::size_t backslash = rest.find('\\');
    text.append(rest.substr(0, backslash));
    if (backslash == std::string_view::npos) return;
    const char kind = rest[backslash + 1];
    rest.remove_prefix(backslash + 2);
    if (kind == 'u') {
      base::append_utf8(text, take_unicode(rest));
    } else {
      text.push_back(simple_escape(kind));
    }
  }
}

}  // namespace

// ---- JsonView ----------------------------------------------------------------------------------

bool JsonView::exists() const {
  return document_ != nullptr && document_->nodes_[index_].kind != JsonDocument::Kind::kNull;
}

bool JsonView::is_string() const {
  return document_ != nullptr && document_->nodes_[index_].kind == JsonDocument::Kind::kString;
}

bool JsonView::is_object() const {
  return document_ != nullptr && document_->nodes_[index_].kind == JsonDocument::Kind::kObject;
}

bool JsonView::is_array() const {
  return document_ != nullptr && document_->nodes_[index_].kind == JsonDocument::Kind::kArray;
}

bool JsonView::is_true() const {
  return document_ != nullptr && document_->nodes_[index_].kind == JsonDocument::Kind::kTrue;
}

JsonView JsonView::operator[](std::string_view key) const {
  if (!is_object()) return {};
  const std::uint32_t after = document_->nodes_[index_].after;
  for (std::uint32_t i = index_ + 1; i < after; i = document_->nodes_[i + 1].after) {
    if (JsonView(document_, i).is(key)) return {document_, i + 1};
  }
  return {};
}

JsonView JsonView::at(std::size_t position) const {
  if (!is_array()) return {};
  for (const JsonView element : *this) {
    if (position-- == 0) return element;
  }
  return {};
}

std::string_view JsonView::raw() const {
  if (document_ == nullptr) return {};
  const JsonDocument::Node& node = document_->nodes_[index_];
  return document_->text_.substr(node.begin, node.end - node.begin);
}

std::string JsonView::text() const {
  std::string text;
  append_text(text);
  return text;
}

void JsonView::append_text(std::string& text) const {
  if (!is_string()) return;
  const std::string_view written = raw();
  const std::string_view inside = written.substr(1, written.size() - 2);
  const std::size_t before = text.size();
  if (document_->nodes_[index_].escaped) {
    append_unescaped(text, inside);
  } else {
    text.append(inside);
  }
  const std::string_view added = std::string_view(text).substr(before);
  if (!base::is_utf8(added)) text.replace(before, std::string::npos, base::to_valid_utf8(added));
}

bool JsonView::is(std::string_view text) const {
  if (!is_string()) return false;
  if (document_->nodes_[index_].escaped) return this->text() == text;
  const std::string_view written = raw();
  return written.substr(1, written.size() - 2) == text;
}

std::optional<std::int64_t> JsonView::integer() const {
  if (document_ == nullptr || document_->nodes_[index_].kind != JsonDocument::Kind::kNumber) {
    return std::nullopt;
  }
  const std::string_view written = raw();
  std::int64_t whole = 0;
  const char* const end = written.data() + written.size();
  if (std::from_chars(written.data(), end, whole).ptr == end) return whole;
  // Some servers write counts as 12.0.
  double real = 0;
  if (std::from_chars(written.data(), end, real).ec != std::errc() || std::abs(real) > 9e15) {
    return std::nullopt;
  }
  return static_cast<std::int64_t>(real);
}

JsonView JsonView::Iterator::operator*() const {
  return JsonView(document_, keyed_ ? index_ + 1 : index_);
}

JsonView::Iterator& JsonView::Iterator::operator++() {
  index_ = document_->nodes_[keyed_ ? index_ + 1 : index_].after;
  return *this;
}

JsonView::Iterator JsonView::begin() const {
  if (!is_array() && !is_object()) return end();
  return {document_, index_ + 1, is_object()};
}

JsonView::Iterator JsonView::end() const {
  return {document_, document_ == nullptr ? 0 : document_->nodes_[index_].after, is_object()};
}

// ---- JsonDocument ------------------------------------------------------------------------------

bool JsonDocument::parse(std::string_view text) {
  text_ = text;
  at_ = 0;
  nodes_.clear();
  const bool whole = text.size() <= kLongest && value(0);
  skip_space();
  if (whole && at_ == text_.size()) return true;
  nodes_.clear();
  return false;
}

JsonView JsonDocument::root() const { return nodes_.empty() ? JsonView() : JsonView(this, 0); }

void JsonDocument::skip_space() {
  while (at_ < text_.size() &&
         (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\r' || text_[at_] == '\t')) {
    ++at_;
  }
}

bool JsonDocument::next_is(char c) {
  skip_space();
  if (at_ >= text_.size() || text_[at_] != c) return false;
  ++at_;
  return true;
}

std::uint32_t JsonDocument::open(Kind kind) {
  nodes_.push_back({.kind = kind, .begin = static_cast<std::uint32_t>(at_)});
  return static_cast<std::uint32_t>(nodes_.size() - 1);
}

bool JsonDocument::close(std::uint32_t node) {
  nodes_[node].after = static_cast<std::uint32_t>(nodes_.size());
  nodes_[node].end = static_cast<std::uint32_t>(at_);
  return true;
}

bool JsonDocument::value(std::size_t depth) {
  skip_space();
  if (at_ >= text_.size() || depth > kDeepest) return false;
  switch (text_[at_]) {
    case '{':
      return object(depth);
    case '[':
      return array(depth);
    case '"':
      return string();
    case 't':
      return word("true", Kind::kTrue);
    case 'f':
      return word("false", Kind::kFalse);
    case 'n':
      return word("null", Kind::kNull);
    default:
      return number();
  }
}

bool JsonDocument::object(std::size_t depth) {
  const std::uint32_t node = open(Kind::kObject);
  ++at_;
  if (next_is('}')) return close(node);
  do {
    skip_space();
    if (at_ >= text_.size() || text_[at_] != '"' || !string()) return false;
    if (!next_is(':') || !value(depth + 1)) return false;
  } while (next_is(','));
  return next_is('}') && close(node);
}

bool JsonDocument::array(std::size_t depth) {
  const std::uint32_t node = open(Kind::kArray);
  ++at_;
  if (next_is(']')) return close(node);
  do {
    if (!value(depth + 1)) return false;
  } while (next_is(','));
  return next_is(']') && close(node);
}

bool JsonDocument::string() {
  const std::uint32_t node = open(Kind::kString);
  ++at_;
  bool escaped = false;
  while (true) {
    std::size_t end = at_;
    while (end < text_.size() && kPlain[static_cast<unsigned char>(text_[end])]) ++end;
    at_ = end;
    if (at_ >= text_.size()) return false;
    if (text_[at_] == '"') break;
    if (text_[at_] != '\\' || !escape()) return false;
    escaped = true;
    ++at_;
  }
  ++at_;
  nodes_[node].escaped = escaped;
  return close(node);
}

// From the backslash to the last character of the escape.
bool JsonDocument::escape() {
  ++at_;
  if (at_ >= text_.size()) return false;
  if (text_[at_] != 'u') return std::string_view("\"\\/bfnrt").contains(text_[at_]);
  for (int i = 0; i < 4; ++i) {
    ++at_;
    if (at_ >= text_.size() || hex_value(text_[at_]) < 0) return false;
  }
  return true;
}

bool JsonDocument::digits() {
  const std::size_t first = at_;
  while (at_ < text_.size() && is_digit(text_[at_])) ++at_;
  return at_ > first;
}

bool JsonDocument::number() {
  const std::uint32_t node = open(Kind::kNumber);
  if (text_[at_] == '-') ++at_;
  const std::size_t first = at_;
  if (!digits() || (text_[first] == '0' && at_ > first + 1)) return false;
  if (at_ < text_.size() && text_[at_] == '.') {
    ++at_;
    if (!digits()) return false;
  }
  if (at_ < text_.size() && (text_[at_] == 'e' || text_[at_] == 'E')) {
    ++at_;
    if (at_ < text_.size() && (text_[at_] == '+' || text_[at_] == '-')) ++at_;
    if (!digits()) return false;
  }
  return close(node);
}

bool JsonDocument::word(std::string_view word, Kind kind) {
  if (!text_.substr(at_).starts_with(word)) return false;
  const std::uint32_t node = open(kind);
  at_ += word.size();
  return close(node);
}

bool is_json_object(std::string_view text) {
  JsonDocument document;
  return document.parse(text) && document.root().is_object();
}

bool is_json_array(std::string_view text) {
  JsonDocument document;
  return document.parse(text) && document.root().is_array();
}

}  // namespace clever::provider::internal
