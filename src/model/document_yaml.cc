#include "model/document_yaml.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "model/document_json.h"

namespace clever::model {
namespace {

// Words that YAML 1.1 parsers read as a bool or null without quotes.
constexpr std::array<std::string_view, 11> kReserved{"true", "false", "null", "yes", "no", "on",
                                                     "off",  "y",     "n",    "nan", "inf"};

bool is_reserved(std::string_view text) {
  return std::ranges::any_of(kReserved, [text](std::string_view word) {
    return std::ranges::equal(text, word, {}, [](char c) {
      return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    });
  });
}

// Accepts a narrow set that every YAML version reads the same way; anything else is quoted.
bool is_plain_scalar(std::string_view text) {
  const auto letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; };
  const auto inner = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
           std::string_view("_-./ ").find(c) != std::string_view::npos;
  };
  return !text.empty() && (letter(text[0]) || text[0] == '/') && text.back() != ' ' &&
         std::ranges::all_of(text, inner) && !is_reserved(text);
}

std::string scalar(std::string_view text) {
  return is_plain_scalar(text) ? std::string(text) : model::json_string(text);
}

struct YamlWriter {
  std::string& to;
  std::size_t depth;
  // The introduction of the value, "- " or "key:", is written; a scalar follows on its line.
  void operator()(std::monostate) const { to.append("null\n"); }
  void operator()(bool value) const { to.append(value ? "true\n" : "false\n"); }
  void operator()(std::int64_t value) const { to.append(std::to_string(value)).push_back('\n'); }
  void operator()(double value) const { to.append(model::json_number(value)).push_back('\n'); }
  void operator()(const std::string& value) const { to.append(scalar(value)).push_back('\n'); }
  void operator()(const Document::List& list) const {
    if (list.empty()) to.append("[]\n");
    for (const Document& item : list) {
      if (&item != &list.front()) indent();
      to.append("- ");
      std::visit(YamlWriter{to, depth + 1}, item.value());
    }
  }
  void operator()(const Document::Map& map) const {
    if (map.empty()) to.append("{}\n");
    for (const Document::Entry& entry : map) {
      if (&entry != &map.front()) indent();
      to.append(scalar(entry.key)).push_back(':');
      write_after_key(entry.value);
    }
  }

 private:
  void indent() const { to.append(depth * 2, ' '); }

  void write_after_key(const Document& value) const {
    if (is_nested(value)) {
      to.push_back('\n');
      to.append((depth + 1) * 2, ' ');
    } else {
      to.push_back(' ');
    }
    std::visit(YamlWriter{to, depth + 1}, value.value());
  }

  static bool is_nested(const Document& document) {
    const auto* list = std::get_if<Document::List>(&document.value());
    const auto* map = std::get_if<Document::Map>(&document.value());
    return (list != nullptr && !list->empty()) || (map != nullptr && !map->empty());
  }
};

}  // namespace

std::string to_yaml(const Document& document) {
  std::string text;
  std::visit(YamlWriter{text, 0}, document.value());
  return text;
}

}  // namespace clever::model
