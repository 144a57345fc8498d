#pragma once
#include <array>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "base/check.h"
#include "config/internal/config_file.h"
#include "config/internal/edit_tables.h"
#include "config/internal/edit_text.h"
#include "config/typed_value.h"

// Checks that hold for any text; shared by the fuzzer and the seeded test.
namespace clever::config::internal {

inline std::map<Path, std::pair<Kind, std::string>> values_of(std::string_view text) {
  const auto document = parse(text, "after an edit");
  CLEVER_CHECK(document.ok(), "an edit produced broken TOML");
  std::map<Path, std::pair<Kind, std::string>> values;
  for (const Leaf& leaf : document->leaves) values[leaf.path] = {leaf.kind, leaf.text};
  return values;
}

inline void exercise_edit(std::string_view text, const std::string& key, std::string_view value) {
  const Path path = split(key);
  const KeyInfo* info = find_key(key);
  const auto before = values_of(text);
  const auto edited = with_value(text, path, literal(*info, value), "fuzz.toml");
  // It may refuse because of other content, but it must always find a position.
  if (!edited.ok()) {
    CLEVER_CHECK(edited.error().code() == base::ErrorCode::kInvalidArgument,
                 edited.error().to_string());
    return;
  }
  auto wanted = before;
  wanted[path] = {Kind::kString, std::string(value)};
  CLEVER_CHECK(values_of(*edited) == wanted, "an edit changed another value");
  CLEVER_CHECK(with_value(*edited, path, literal(*info, value), "fuzz.toml").value() == *edited,
               "an edit that changes nothing changed the text");
  const auto removed = without_value(*edited, path, "fuzz.toml");
  CLEVER_CHECK(removed.ok(), "what was set could not be removed");
  wanted.erase(path);
  CLEVER_CHECK(values_of(*removed) == wanted, "removing a value changed another");
}

inline void exercise_tables(std::string_view text, const Document& document) {
  for (const Element& element : document.elements) {
    CLEVER_CHECK(element.begin < element.end && element.end <= text.size(),
                 "a table outside the text");
    const TableInfo* info = find_table(to_string(element.path));
    if (info == nullptr) continue;
    const auto checked = checked_table(*info, element, "fuzz.toml");
    CLEVER_CHECK(checked.ok() || checked.error().message().starts_with("fuzz.toml:"),
                 "a wrong table without its place");
  }
  const TableInfo& info = *find_table("validation");
  const TableValues values = {{"name", {"\"\n\\é"}}, {"command", {"make", "", "te,st"}}};
  const auto added = with_table(text, info, values, "fuzz.toml");
  if (!added.ok()) return;
  CLEVER_CHECK(with_table(*added, info, values, "fuzz.toml").error().code() ==
                   base::ErrorCode::kAlreadyExists,
               "a table was added twice");
  const auto removed = without_table(*added, info, values.at("name").front(), "fuzz.toml");
  CLEVER_CHECK(removed.ok(), "a table that was added could not be removed");
  CLEVER_CHECK(values_of(*removed) == values_of(text), "a table left something behind");
}

// A value parsed as a list must be a list, in any notation.
inline void exercise_typed(std::string_view text) {
  static const KeyInfo kInfo{.name = "fuzz.list", .type = Type::kList};
  const auto value = typed_value(kInfo, kInfo.name, text);
  CLEVER_CHECK(!value.ok() || check_value(kInfo, kInfo.name, *value).ok(),
               "a typed list became none");
}

/// Parses `text`, checks its values, and sets and removes keys in it. Aborts if the parser or
/// editor breaks a promise.
inline void exercise(std::string_view text) {
  exercise_typed(text);
  const auto document = parse(text, "fuzz.toml");
  if (!document.ok()) {
    CLEVER_CHECK(document.error().code() == base::ErrorCode::kInvalidArgument &&
                     document.error().message().starts_with("fuzz.toml:"),
                 "a parse error without its place");
    return;
  }
  for (const Leaf& leaf : document->leaves) {
    CLEVER_CHECK(leaf.begin < leaf.end && leaf.end <= text.size(), "a value outside the text");
    const KeyInfo* info = find_key(to_string(leaf.path));
    if (info == nullptr) continue;
    const auto checked = checked_text(*info, leaf);
    CLEVER_CHECK(checked.ok() || checked.error().message().size() < 1000, "an endless message");
  }
  static const std::array<std::pair<std::string, std::string>, 4> kEdits = {{
      {"model.default", "a/b"},
      {"model.alias.x", "c/d"},
      {"output.format", "json"},
      {"log.file", "\"\\ \n\x01é"},
  }};
  for (const auto& [key, value] : kEdits) exercise_edit(text, key, value);
  exercise_tables(text, *document);
}

}  // namespace clever::config::internal
