#include "config/internal/edit_tables.h"

#include <algorithm>
#include <map>
#include <utility>

#include "config/internal/config_file.h"
#include "config/internal/document.h"
#include "config/internal/edit_text.h"
#include "config/internal/text.h"

namespace clever::config::internal {
namespace {

using Values = std::map<Path, std::pair<Kind, std::string>>;

Values values_of(const std::vector<Leaf>& leaves) {
  Values values;
  for (const Leaf& leaf : leaves) values.emplace(leaf.path, std::pair(leaf.kind, leaf.text));
  return values;
}

// The contents of a text, with this kind of tables separate from the rest.
struct TableContents {
  Values others;
  std::vector<Values> tables;
  friend bool operator==(const TableContents&, const TableContents&) = default;
};

TableContents table_contents(const Document& document, const Path& kind) {
  TableContents contents{.others = values_of(document.leaves), .tables = {}};
  contents.others.erase(kind);
  for (const Element& element : document.elements) {
    if (element.path == kind) contents.tables.push_back(values_of(element.leaves));
  }
  return contents;
}

bool is_named(const Element& element, const Path& kind, std::string_view name) {
  return element.path == kind && std::ranges::any_of(element.leaves, [&](const Leaf& leaf) {
           return leaf.path == Path{"name"} && leaf.kind == Kind::kString && leaf.text == name;
         });
}

const Element* find_named(const Document& document, const Path& kind, std::string_view name) {
  const auto found = std::ranges::find_if(
      document.elements, [&](const Element& element) { return is_named(element, kind, name); });
  return found == document.elements.end() ? nullptr : &*found;
}

std::string list_literal(const std::vector<std::string>& texts) {
  std::string literal;
  for (const std::string& text : texts) literal += (literal.empty() ? "" : ", ") + in_quotes(text);
  return "[" + literal + "]";
}

bool is_shell_command(const std::vector<std::string>& texts) {
  return texts.size() == 3 && texts[0] == "sh" && texts[1] == "-c";
}

std::string literal_of(const KeyInfo& info, const std::vector<std::string>& texts) {
  if (info.type == Type::kCommand) {
    return is_shell_command(texts) ? in_quotes(texts[2]) : list_literal(texts);
  }
  if (is_list(info.type)) return list_literal(texts);
  return literal(info, texts.empty() ? std::string() : texts.front());
}

std::string line_end_of(std::string_view text) {
  const std::size_t first = text.find('\n');
  const bool carriage = first != std::string_view::npos && first > 0 && text[first - 1] == '\r';
  return carriage ? "\r\n" : "\n";
}

base::Error cannot(std::string_view name, const TableInfo& info) {
  return base::invalid_argument(std::string(name) + ": cannot change [[" + info.name +
                                "]] without disturbing the rest; edit the file by hand");
}

base::Result<void> check_keys(const TableInfo& info, const TableValues& values) {
  for (const auto& [key, texts] : values) {
    const KeyInfo* known = find_key(info.keys, key);
    if (known == nullptr) return unknown_key(info, key);
    const bool plain = known->type != Type::kCommand && known->type != Type::kList;
    if (plain) CLEVER_TRY(check_value(*known, key, texts.empty() ? std::string() : texts.front()));
  }
  return {};
}

// Reads the new table back, to find mistakes as in a file.
base::Result<Element> read_back(const TableInfo& info, const std::string& addition) {
  CLEVER_ASSIGN(Document document, parse(addition, "the new [[" + info.name + "]]"));
  Element element = std::move(document.elements.at(0));
  CLEVER_TRY(checked_table(info, element, "the new [[" + info.name + "]]"));
  return element;
}

// From the header's line to the end of the last line, and the empty lines that follow.
std::pair<std::size_t, std::size_t> extent(std::string_view text, const Element& element) {
  std::size_t begin = element.begin;
  while (begin > 0 && text[begin - 1] != '\n') --begin;
  if (begin == 0 && text.starts_with(kByteOrderMark)) begin = kByteOrderMark.size();
  std::size_t end = std::min(text.find('\n', element.end), text.size() - 1) + 1;
  while (end < text.size() && (text[end] == '\n' || text[end] == '\r')) ++end;
  return {begin, end};
}

// Returns whether another table stands between the parts of this one.
bool is_interrupted(const Document& document, const Element& element) {
  return std::ranges::any_of(document.tables, [&](const Table& table) {
    const bool has_header = table.form == Form::kHeader || table.form == Form::kArrayHeader;
    const bool inside = table.begin > element.begin && table.begin < element.end;
    return has_header && inside && !starts_with(table.path, element.path);
  });
}

}  // namespace

std::string table_text(const TableInfo& info, const TableValues& values,
                       std::string_view new_line) {
  std::string text = "[[" + info.name + "]]" + std::string(new_line);
  for (const KeyInfo& key : info.keys) {
    const auto found = values.find(key.name);
    if (found == values.end()) continue;
    text.append(key.name).append(" = ").append(literal_of(key, found->second)).append(new_line);
  }
  return text;
}

base::Result<std::string> with_table(std::string_view text, const TableInfo& info,
                                     const TableValues& values, std::string_view name) {
  CLEVER_TRY(check_keys(info, values));
  CLEVER_ASSIGN(const Document document, parse(text, name));
  const Path kind{info.name};
  const auto named = values.find("name");
  if (named != values.end() && !named->second.empty()) {
    if (const Element* there = find_named(document, kind, named->second.front())) {
      return base::already_exists(std::string(name) + ":" + std::to_string(there->line) +
                                  " has a [[" + info.name + "]] of the name " +
                                  shown(named->second.front()));
    }
  }
  const std::string new_line = line_end_of(text);
  const std::string addition = table_text(info, values, new_line);
  CLEVER_ASSIGN(const Element element, read_back(info, addition));
  TableContents wanted = table_contents(document, kind);
  wanted.tables.push_back(values_of(element.leaves));
  std::string result(text);
  const bool first = text.empty() || text == kByteOrderMark;
  if (!first) result += text.ends_with('\n') ? new_line : new_line + new_line;
  result += addition;
  const auto parsed = parse(result, name);
  if (!parsed.ok() || table_contents(*parsed, kind) != wanted) return cannot(name, info);
  return result;
}

base::Result<std::string> without_table(std::string_view text, const TableInfo& info,
                                        std::string_view table, std::string_view name) {
  CLEVER_ASSIGN(const Document document, parse(text, name));
  const Path kind{info.name};
  const Element* element = find_named(document, kind, table);
  if (element == nullptr) {
    return base::not_found(std::string(name) + " has no [[" + info.name + "]] of the name " +
                           shown(table) + "; `agents " + info.name + " list` lists them");
  }
  if (is_interrupted(document, *element)) return cannot(name, info);
  TableContents wanted = table_contents(document, kind);
  std::size_t index = 0;
  for (const Element& other : document.elements) {
    if (&other == element) break;
    if (other.path == kind) ++index;
  }
  wanted.tables.erase(wanted.tables.begin() + static_cast<std::ptrdiff_t>(index));
  const auto [begin, end] = extent(text, *element);
  std::string result(text.substr(0, begin));
  result += text.substr(std::max(begin, end));
  const auto parsed = parse(result, name);
  if (!parsed.ok() || table_contents(*parsed, kind) != wanted) return cannot(name, info);
  return result;
}

}  // namespace clever::config::internal
