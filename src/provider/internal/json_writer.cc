#include "provider/internal/json_writer.h"

#include <array>
#include <charconv>
#include <cmath>

#include "base/base64.h"
#include "base/utf8.h"

namespace clever::provider::internal {
namespace {

bool is_plain(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= 0x20 && byte < 0x80 && c != '"' && c != '\\';
}

void append_control(std::string& out, char c) {
  constexpr std::string_view kHex = "0123456789abcdef";
  const auto byte = static_cast<unsigned char>(c);
  out.append("\\u00").push_back(kHex[byte >> 4U]);
  out.push_back(kHex[byte & 15U]);
}

void append_escaped(std::string& out, char c) {
  switch (c) {
    case '"':
      out.append("\\\"");
      return;
    case '\\':
      out.append("\\\\");
      return;
    case '\n':
      out.append("\\n");
      return;
    case '\r':
      out.append("\\r");
      return;
    case '\t':
      out.append("\\t");
      return;
    default:
      append_control(out, c);
  }
}

}  // namespace

void JsonWriter::separate() {
  if (out_.empty()) return;
  const char last = out_.back();
  if (last != '{' && last != '[' && last != ':') out_.push_back(',');
}

void JsonWriter::quote(std::string_view value) {
  out_.push_back('"');
  for (std::size_t at = 0; at < value.size();) {
    std::size_t end = at;
    while (end < value.size() && is_plain(value[end])) ++end;
    out_.append(value.substr(at, end - at));
    at = end;
    if (at == value.size()) break;
    if (static_cast<unsigned char>(value[at]) < 0x80) {
      append_escaped(out_, value[at++]);
      continue;
    }
    const base::CodePoint point = base::decode_utf8(value, at);
    out_.append(point.valid ? value.substr(at, point.size) : "\xEF\xBF\xBD");
    at += point.size;
  }
  out_.push_back('"');
}

void JsonWriter::name(std::string_view key) {
  separate();
  quote(key);
  out_.push_back(':');
}

void JsonWriter::text(std::string_view value) {
  separate();
  quote(value);
}

void JsonWriter::text(std::string_view key, std::string_view value) {
  name(key);
  quote(value);
}

void JsonWriter::number(std::string_view key, std::int64_t value) {
  name(key);
  out_.append(std::to_string(value));
}

void JsonWriter::real(std::string_view key, double value) {
  name(key);
  if (!std::isfinite(value)) value = 0;
  std::array<char, 32> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
  out_.append(digits.data(), end);
}

void JsonWriter::boolean(std::string_view key, bool value) {
  name(key);
  out_.append(value ? "true" : "false");
}

void JsonWriter::null(std::string_view key) {
  name(key);
  out_.append("null");
}

void JsonWriter::raw(std::string_view json) {
  separate();
  out_.append(json);
}

void JsonWriter::raw(std::string_view key, std::string_view json) {
  name(key);
  out_.append(json);
}

void JsonWriter::base64(std::string_view prefix, std::string_view bytes) {
  separate();
  out_.push_back('"');
  out_.append(prefix);
  base::append_base64(out_, bytes);
  out_.push_back('"');
}

void JsonWriter::base64(std::string_view key, std::string_view prefix, std::string_view bytes) {
  name(key);
  base64(prefix, bytes);
}

std::string json_string(std::string_view text) {
  JsonWriter writer;
  writer.text(text);
  return writer.take();
}

}  // namespace clever::provider::internal
