#include "model/document_json.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <vector>

#include "base/utf8.h"

namespace clever::model {
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
      // Stricter than JSON: C1 controls and the line separators, at which YAML would break lines.
      if (c < 0x20 || (c >= 0x7F && c < 0xA0) || c == 0x2028 || c == 0x2029 || c == 0xFEFF) {
        append_escape(to, c);
      } else {
        base::append_utf8(to, c);
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

// Builds a Document while nlohmann parses, so that no text needs a second tree.
class DocumentReader final : public nlohmann::json_sax<nlohmann::json> {
 public:
  [[nodiscard]] Document take() { return std::move(root_); }
  [[nodiscard]] const std::string& error() const { return error_; }

  bool null() override { return add({}); }
  bool boolean(bool value) override { return add(value); }
  bool number_integer(number_integer_t value) override { return add(value); }
  bool number_unsigned(number_unsigned_t value) override {
    if (value <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
      return add(static_cast<std::int64_t>(value));
    }
    return add(static_cast<double>(value));
  }
  bool number_float(number_float_t value, const string_t& /*text*/) override { return add(value); }
  bool string(string_t& value) override { return add(std::move(value)); }
  bool binary(binary_t& /*value*/) override { return false; }
  bool start_object(std::size_t /*elements*/) override { return open(true); }
  bool start_array(std::size_t /*elements*/) override { return open(false); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool key(string_t& value) override {
    open_.back().key = std::move(value);
    return true;
  }
  bool parse_error(std::size_t at, const std::string& /*token*/,
                   const nlohmann::json::exception& /*error*/) override {
    return fail("it is not JSON from byte " + std::to_string(at));
  }

 private:
  struct Level {
    bool is_map = false;
    Document::Map map{};
    Document::List list{};
    std::string key{};
  };

  bool open(bool is_map) {
    if (open_.size() >= kDeepestJson) {
      return fail("it is nested deeper than " + std::to_string(kDeepestJson) + " levels");
    }
    open_.push_back({.is_map = is_map});
    return true;
  }

  bool close() {
    Level level = std::move(open_.back());
    open_.pop_back();
    if (!level.is_map) return add(Document(std::move(level.list)));
    // Two readers of one text must agree on which value counts.
    std::vector<std::string_view> keys;
    for (const Document::Entry& entry : level.map) keys.emplace_back(entry.key);
    std::ranges::sort(keys);
    const auto twice = std::ranges::adjacent_find(keys);
    if (twice != keys.end()) return fail("the key " + json_string(*twice) + " comes twice");
    return add(Document(std::move(level.map)));
  }

  bool add(Document document) {
    if (open_.empty()) {
      root_ = std::move(document);
    } else if (Level& level = open_.back(); level.is_map) {
      level.map.push_back({std::move(level.key), std::move(document)});
    } else {
      level.list.push_back(std::move(document));
    }
    return true;
  }

  bool fail(std::string error) {
    error_ = std::move(error);
    return false;
  }

  std::vector<Level> open_;
  Document root_;
  std::string error_;
};

}  // namespace

std::string to_json(const Document& document) {
  std::string text;
  std::visit(JsonWriter{text}, document.value());
  return text;
}

base::Result<Document> parse_document(std::string_view json) {
  DocumentReader reader;
  if (nlohmann::json::sax_parse(json, &reader)) return reader.take();
  return base::invalid_argument(reader.error().empty() ? "it is not JSON" : reader.error());
}

std::string json_string(std::string_view text) {
  std::string result = "\"";
  for (std::size_t at = 0; at < text.size();) {
    const base::CodePoint next = base::decode_utf8(text, at);
    append_character(result, next.value);
    at += next.size;
  }
  result.push_back('"');
  return result;
}

std::string json_number(double value) {
  if (!std::isfinite(value)) return "null";
  std::array<char, 32> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
  return {digits.data(), end};
}

}  // namespace clever::model
