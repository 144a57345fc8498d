#include "cli/json.h"

#include <array>
#include <charconv>
#include <cmath>

#include "cli/text.h"

namespace clever::cli {
namespace {

void append_escape(std::string& to, char32_t c) {
  constexpr std::string_view kHex = "0123456789abcdef";
  to.append("\\u");
  for (unsigned shift = 16; shift > 0;) {
    shift -= 4;
    to.push_back(kHex[(c >> shift) & 0xFU]);
  }
}

void append_character(std::string& to, char32_t c) {
  switch (c) {
    case '"':
      to.append("\\\"");
      break;
    case '\\':
      to.append("\\\\");
      break;
    case '\n':
      to.append("\\n");
      break;
    case '\t':
      to.append("\\t");
      break;
    case '\r':
      to.append("\\r");
      break;
    default:
      // Beyond what JSON demands: C1 controls and the line separators, which YAML would break at.
      if (c < 0x20 || (c >= 0x7F && c < 0xA0) || c == 0x2028 || c == 0x2029 || c == 0xFEFF) {
        append_escape(to, c);
      } else {
        append_utf8(to, c);
      }
  }
}

struct JsonWriter {
  std::string& to;

  void operator()(std::monostate) const { to.append("null"); }
  void operator()(bool value) const { to.append(value ? "true" : "false"); }
  void operator()(std::int64_t value) const { to.append(std::to_string(value)); }
  void operator()(double value) const { to.append(json_number(value)); }
  void operator()(const std::string& value) const { to.append(json_string(value)); }
  void operator()(const Document::List& list) const {
    to.push_back('[');
    for (const Document& item : list) {
      if (&item != &list.front()) to.push_back(',');
      std::visit(*this, item.value());
    }
    to.push_back(']');
  }
  void operator()(const Document::Map& map) const {
    to.push_back('{');
    for (const Document::Entry& entry : map) {
      if (&entry != &map.front()) to.push_back(',');
      to.append(json_string(entry.key)).push_back(':');
      std::visit(*this, entry.value.value());
    }
    to.push_back('}');
  }
};

}  // namespace

std::string to_json(const Document& document) {
  std::string text;
  std::visit(JsonWriter{text}, document.value());
  return text;
}

std::string json_string(std::string_view text) {
  std::string result = "\"";
  for (std::size_t at = 0; at < text.size();) append_character(result, next_code_point(text, at));
  result.push_back('"');
  return result;
}

std::string json_number(double value) {
  if (!std::isfinite(value)) return "null";
  std::array<char, 32> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
  return {digits.data(), end};
}

}  // namespace clever::cli
