#include "config/internal/edit_text.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>

#include "config/internal/text.h"

namespace clever::config::internal {
namespace {

// A header, or the start of the file, and its content up to the next header.
struct Section {
  Path path;
  /// Where the first line below the header begins.
  std::size_t body;
  std::size_t end;
};

using LeafContents = std::map<Path, std::pair<Kind, std::string>>;

LeafContents leaf_contents(const Document& document) {
  LeafContents contents;
  for (const Leaf& leaf : document.leaves)
    contents.emplace(leaf.path, std::pair(leaf.kind, leaf.text));
  return contents;
}

Path relative(const Path& path, const Path& base) {
  return Path(path.begin() + static_cast<std::ptrdiff_t>(base.size()), path.end());
}

Path parent_of(const Path& path) { return Path(path.begin(), path.end() - 1); }

bool is_blank(char c) { return c == ' ' || c == '\t'; }

// A text and its possible changes.
class Editor {
 public:
  Editor(std::string_view text, const Document& document) : text_(text), document_(document) {
    find_sections();
  }

  [[nodiscard]] std::string replaced(const Leaf& leaf, std::string_view literal) const {
    return spliced(leaf.begin, leaf.end, literal);
  }

  /// Texts with the new key, the most natural first.
  [[nodiscard]] std::vector<std::string> additions(const Path& path,
                                                   std::string_view literal) const {
    if (const Table* braces = deepest_braces(path)) {
      return {added_in_braces(*braces, path, literal)};
    }
    std::vector<std::string> result;
    for (const Section& section : sections_) {
      if (section.path == parent_of(path)) result.push_back(added(section, path, literal));
    }
    for (const Section& section : sections_for(path)) {
      if (const Leaf* kin = last_kin(section, path)) {
        result.push_back(added_after(*kin, section, path, literal));
      }
    }
    if (path.size() > 1) result.push_back(with_new_table(path, literal));
    for (const Section& section : sections_for(path)) {
      result.push_back(added(section, path, literal));
    }
    return result;
  }

  [[nodiscard]] std::string removed(const Leaf& leaf) const {
    if (leaf.in_braces) return removed_from_braces(leaf);
    return spliced(line_begin(leaf.begin), line_end(leaf.end), "");
  }

 private:
  void find_sections() {
    std::map<std::size_t, const Table*> headers;
    // A header names its whole path; of the tables that begin with it, the deepest is its own.
    for (const Table& table : document_.tables) {
      if (table.form == Form::kHeader || table.form == Form::kArrayHeader) {
        headers.insert_or_assign(table.begin, &table);
      }
    }
    const std::size_t start = text_.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0;
    sections_.push_back({.path = {}, .body = start, .end = text_.size()});
    for (const auto& [begin, table] : headers) {
      sections_.back().end = begin;
      sections_.push_back({.path = table->path, .body = line_end(table->end), .end = text_.size()});
      if (table->form == Form::kArrayHeader) arrays_.push_back(sections_.size() - 1);
    }
    // An array element only ends the section before it; nothing is added to it.
    for (auto index = arrays_.rbegin(); index != arrays_.rend(); ++index) {
      sections_.erase(sections_.begin() + static_cast<std::ptrdiff_t>(*index));
    }
  }

  // Sections that can take a key, the deepest first.
  [[nodiscard]] std::vector<Section> sections_for(const Path& path) const {
    std::vector<Section> result;
    std::ranges::copy_if(sections_, std::back_inserter(result), [&](const Section& section) {
      return section.path.size() < path.size() && starts_with(path, section.path);
    });
    std::ranges::sort(result, std::greater{},
                      [](const Section& section) { return section.path.size(); });
    return result;
  }

  [[nodiscard]] const Table* deepest_braces(const Path& path) const {
    const Table* deepest = nullptr;
    for (const Table& table : document_.tables) {
      const bool around = table.form == Form::kBraces && starts_with(path, table.path);
      if (around && (deepest == nullptr || table.path.size() > deepest->path.size())) {
        deepest = &table;
      }
    }
    return deepest;
  }

  // The last leaf of a section that passes a test.
  template <class Test>
  [[nodiscard]] const Leaf* last_leaf(const Section& section, Test test) const {
    const Leaf* last = nullptr;
    for (const Leaf& leaf : document_.leaves) {
      const bool inside = leaf.begin >= section.body && leaf.end <= section.end;
      if (inside && (last == nullptr || leaf.end > last->end) && test(leaf)) last = &leaf;
    }
    return last;
  }

  // The last leaf that shares more of its key with `path` than its section's header names.
  [[nodiscard]] const Leaf* last_kin(const Section& section, const Path& path) const {
    const std::size_t depth = section.path.size();
    return last_leaf(section, [&](const Leaf& leaf) {
      return leaf.path.size() > depth + 1 && path.size() > depth + 1 &&
             leaf.path[depth] == path[depth];
    });
  }

  [[nodiscard]] std::string added(const Section& section, const Path& path,
                                  std::string_view literal) const {
    if (const Leaf* last = last_leaf(section, [](const Leaf&) { return true; })) {
      return added_after(*last, section, path, literal);
    }
    return with_line(section.body, "", relative(path, section.path), literal);
  }

  [[nodiscard]] std::string added_after(const Leaf& leaf, const Section& section, const Path& path,
                                        std::string_view literal) const {
    const std::size_t begin = line_begin(leaf.begin);
    std::size_t indented = begin;
    while (is_blank(text_[indented])) ++indented;
    return with_line(line_end(leaf.end), text_.substr(begin, indented - begin),
                     relative(path, section.path), literal);
  }

  [[nodiscard]] std::string added_in_braces(const Table& table, const Path& path,
                                            std::string_view literal) const {
    const std::string entry = assignment(relative(path, table.path), literal);
    std::size_t end = table.end - 1;
    while (is_blank(text_[end - 1])) --end;
    const bool empty = text_[end - 1] == '{';
    return spliced(end, table.end - 1, (empty ? " " : ", ") + entry + " ");
  }

  [[nodiscard]] std::string with_new_table(const Path& path, std::string_view literal) const {
    const std::string header = "[" + to_string(parent_of(path)) + "]" + new_line();
    const bool first = text_.empty() || text_ == kByteOrderMark;
    const std::string gap = first ? "" : new_line();
    std::string result(text_);
    if (!first && !text_.ends_with('\n')) result += new_line();
    return result + gap + header + assignment({path.back()}, literal) + new_line();
  }

  [[nodiscard]] std::string with_line(std::size_t at, std::string_view indentation, const Path& key,
                                      std::string_view literal) const {
    // Only the last line of a file can lack its end.
    const bool unfinished = at == text_.size() && at > 0 && text_[at - 1] != '\n';
    const bool after_mark = text_ == kByteOrderMark;
    return spliced(at, at,
                   (unfinished && !after_mark ? new_line() : "") + std::string(indentation) +
                       assignment(key, literal) + new_line());
  }

  [[nodiscard]] std::string removed_from_braces(const Leaf& leaf) const {
    std::size_t begin = key_begin(leaf);
    std::size_t end = leaf.end;
    while (is_blank(text_[end])) ++end;
    if (text_[end] == ',') {
      ++end;
      while (is_blank(text_[end])) ++end;
    } else {
      std::size_t before = begin;
      while (is_blank(text_[before - 1])) --before;
      if (text_[before - 1] == ',') begin = before - 1;
    }
    return spliced(begin, end, text_[end] == '}' ? " " : "");
  }

  // Returns where the first segment of the leaf's dotted key begins. Names of settings contain no
  // quotes, so a quoted segment begins with the quote before its last.
  [[nodiscard]] std::size_t key_begin(const Leaf& leaf) const {
    std::size_t begin = leaf.key_begin;
    while (true) {
      std::size_t at = begin;
      while (is_blank(text_[at - 1])) --at;
      if (text_[at - 1] != '.') return begin;
      --at;
      while (is_blank(text_[at - 1])) --at;
      begin = segment_begin(at);
    }
  }

  // Returns where the segment that ends at `end` begins.
  [[nodiscard]] std::size_t segment_begin(std::size_t end) const {
    const char last = text_[end - 1];
    if (last == '"' || last == '\'') {
      const std::size_t opening = text_.rfind(last, end - 2);
      return opening == std::string_view::npos ? 1 : opening;
    }
    while (end > 1 && is_bare_key(text_.substr(end - 1, 1))) --end;
    return end;
  }

  [[nodiscard]] static std::string assignment(const Path& key, std::string_view literal) {
    return to_string(key) + " = " + std::string(literal);
  }

  [[nodiscard]] std::string new_line() const {
    const std::size_t first = text_.find('\n');
    const bool carriage = first != std::string_view::npos && first > 0 && text_[first - 1] == '\r';
    return carriage ? "\r\n" : "\n";
  }

  [[nodiscard]] std::size_t line_begin(std::size_t at) const {
    const std::size_t before = at == 0 ? std::string_view::npos : text_.rfind('\n', at - 1);
    if (before != std::string_view::npos) return before + 1;
    return text_.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0;
  }

  // Returns the position after the line's end.
  [[nodiscard]] std::size_t line_end(std::size_t at) const {
    return std::min(text_.find('\n', at), text_.size() - 1) + 1;
  }

  [[nodiscard]] std::string spliced(std::size_t begin, std::size_t end,
                                    std::string_view middle) const {
    std::string result(text_.substr(0, begin));
    result += middle;
    result += text_.substr(std::max(begin, end));
    return result;
  }

  std::string_view text_;
  const Document& document_;
  std::vector<Section> sections_;
  std::vector<std::size_t> arrays_;
};

// Returns the first candidate with the wanted contents.
base::Result<std::string> first_exact(std::vector<std::string> candidates,
                                      const LeafContents& wanted, const Path& path,
                                      std::string_view name) {
  for (std::string& candidate : candidates) {
    const auto parsed = parse(candidate, name);
    if (parsed.ok() && leaf_contents(*parsed) == wanted) return std::move(candidate);
  }
  return base::internal_error(std::string(name) + ": cannot change " + to_string(path) +
                              " without disturbing the rest; edit the file by hand");
}

// Refuses if something else occupies the key's place.
base::Result<void> check_place(const Document& document, const Path& path, std::string_view name) {
  const auto in_the_way = [&](std::size_t line, const Path& what, std::string_view is) {
    return base::invalid_argument(std::string(name) + ":" + std::to_string(line) + ": " +
                                  to_string(what) + " is " + std::string(is) +
                                  " there; remove it before setting " + to_string(path));
  };
  for (Path above = parent_of(path); !above.empty(); above.pop_back()) {
    if (const Leaf* leaf = document.leaf(above)) {
      return in_the_way(leaf->line, above, describe(leaf->kind));
    }
  }
  if (const Table* table = document.table(path); table != nullptr && !document.leaf(path)) {
    return in_the_way(table->line, path, "a table");
  }
  return {};
}

std::string number_literal(std::string_view value) {
  std::int64_t whole{};
  const char* end = value.data() + value.size();
  if (std::from_chars(value.data(), end, whole).ptr == end) return std::to_string(whole);
  double number{};
  std::from_chars(value.data(), end, number);
  std::string text(32, '\0');
  text.resize(static_cast<std::size_t>(
      std::to_chars(text.data(), text.data() + text.size(), number).ptr - text.data()));
  return text;
}

std::string array_literal(const std::vector<std::string>& items) {
  std::string text;
  for (const std::string& item : items) text += (text.empty() ? "" : ", ") + in_quotes(item);
  return "[" + text + "]";
}

}  // namespace

std::string literal(const KeyInfo& info, std::string_view value) {
  switch (info.type) {
    case Type::kInteger:
    case Type::kNumber:
      return number_literal(value);
    case Type::kBoolean:
      return std::string(value);
    case Type::kList:
    case Type::kModels:
    case Type::kTools:
      return array_literal(list_of(value));
    case Type::kRules:
      return array_literal(rules_of(value));
    default:
      return in_quotes(value);
  }
}

base::Result<std::string> with_value(std::string_view text, const Path& path,
                                     std::string_view literal, std::string_view name) {
  CLEVER_ASSIGN(const Document document, parse(text, name));
  CLEVER_TRY(check_place(document, path, name));
  CLEVER_ASSIGN(const Document value, parse("value = " + std::string(literal), "the new value"));
  LeafContents wanted = leaf_contents(document);
  wanted.insert_or_assign(path, leaf_contents(value).at({"value"}));
  const Editor editor(text, document);
  const Leaf* old = document.leaf(path);
  return first_exact(old != nullptr ? std::vector{editor.replaced(*old, literal)}
                                    : editor.additions(path, literal),
                     wanted, path, name);
}

base::Result<std::string> without_value(std::string_view text, const Path& path,
                                        std::string_view name) {
  CLEVER_ASSIGN(const Document document, parse(text, name));
  const Leaf* leaf = document.leaf(path);
  if (leaf == nullptr) {
    return base::not_found(to_string(path) + " is not set in " + std::string(name));
  }
  LeafContents wanted = leaf_contents(document);
  wanted.erase(path);
  return first_exact({Editor(text, document).removed(*leaf)}, wanted, path, name);
}

}  // namespace clever::config::internal
