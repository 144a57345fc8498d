#include "config/internal/config_file.h"

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "config/internal/text.h"
#include "io/file.h"

namespace clever::config::internal {
namespace {

using Texts = std::vector<std::string>;
using TableValues = std::map<std::string, Texts>;

bool has_other_forms(Type type) {
  return is_list(type) || type == Type::kCommand || type == Type::kObject;
}

bool is_of_type(Kind kind, Type type) {
  switch (type) {
    case Type::kInteger:
      return kind == Kind::kInteger;
    case Type::kNumber:
      return kind == Kind::kNumber || kind == Kind::kInteger;
    case Type::kBoolean:
      return kind == Kind::kBoolean;
    case Type::kList:
    case Type::kModels:
    case Type::kRules:
    case Type::kTools:
    case Type::kCommand:
      return kind == Kind::kString || kind == Kind::kArray;
    case Type::kObject:
      return kind == Kind::kString || kind == Kind::kTable;
    default:
      return kind == Kind::kString;
  }
}

// Returns the text that an array's items form.
base::Result<std::string> value_text(const KeyInfo& info, const std::string& key,
                                     const Leaf& leaf) {
  if (leaf.kind != Kind::kArray) return leaf.text;
  if (!leaf.only_strings) {
    return base::invalid_argument(key + " is an array with items that are not texts; expected " +
                                  expectation(info) + ", each in quotes");
  }
  std::string text;
  for (const std::string& item : leaf.items) {
    const bool several = info.type != Type::kRules && item.find(',') != std::string::npos;
    if (item.empty() || several) {
      return base::invalid_argument(key + " has " + shown(item) +
                                    " in it; expected texts without commas");
    }
    text += (text.empty() ? "" : ", ") + item;
  }
  return text;
}

base::Result<void> check_type(const KeyInfo& info, const std::string& key, const Leaf& leaf) {
  if (is_of_type(leaf.kind, info.type)) return {};
  const bool wants_quotes = is_of_type(Kind::kString, info.type) && !has_other_forms(info.type);
  return base::invalid_argument(key + " is " + std::string(describe(leaf.kind)) + "; expected " +
                                expectation(info) + (wants_quotes ? ", in quotes" : ""));
}

// A program and its arguments; only the program must not be empty.
base::Result<Texts> arguments_of(const KeyInfo& info, const std::string& key, const Leaf& leaf) {
  if (!leaf.only_strings || leaf.items.empty()) {
    return base::invalid_argument(
        key + " is an array of " +
        (leaf.items.empty() && leaf.only_strings ? "nothing" : "items that are not texts") +
        "; expected " + expectation(info));
  }
  CLEVER_TRY(check_value(info, key, leaf.items.front()));
  return leaf.items;
}

base::Result<Texts> checked_texts(const KeyInfo& info, const Leaf& leaf) {
  const std::string& key = info.name;
  if (info.type == Type::kCommand && leaf.kind == Kind::kArray)
    return arguments_of(info, key, leaf);
  CLEVER_ASSIGN(std::string text, checked_text(info, leaf));
  if (info.type == Type::kCommand) return Texts{"sh", "-c", std::move(text)};
  if (is_list(info.type)) return list_of(text);
  return Texts{std::move(text)};
}

base::Error at(std::string_view place, std::size_t line, const std::string& sentence) {
  return base::invalid_argument(std::string(place) + ":" + std::to_string(line) + ": " + sentence);
}

// Returns which key a table lacks or has too often; empty if it is complete.
std::string complaint_about(const TableInfo& info, const TableValues& values) {
  const auto has = [&](const std::string& key) {
    const auto found = values.find(key);
    return found != values.end() && !(found->second.size() == 1 && found->second[0].empty());
  };
  for (const std::string& key : info.needed) {
    if (!has(key)) return "this [[" + info.name + "]] has no " + key + "; give it one";
  }
  const auto given = std::ranges::count_if(info.either, has);
  if (info.either.empty() || given == 1) return {};
  return "this [[" + info.name + "]] has " +
         (given == 0 ? "neither " + base::joined(info.either, " nor ")
                     : base::joined(info.either, " and ")) +
         "; give it one of them";
}

}  // namespace

base::Result<TableValues> checked_table(const TableInfo& info, const Element& element,
                                        std::string_view place) {
  TableValues values;
  for (const Leaf& leaf : element.leaves) {
    const KeyInfo* key = find_key(info.keys, to_string(leaf.path));
    if (key == nullptr) {
      return at(place, leaf.line, unknown_key(info, to_string(leaf.path)).message());
    }
    auto texts = checked_texts(*key, leaf);
    if (!texts.ok()) return at(place, leaf.line, texts.error().message());
    values.emplace(key->name, std::move(texts).value());
  }
  const std::string complaint = complaint_about(info, values);
  if (!complaint.empty()) return at(place, element.line, complaint);
  for (const KeyInfo& key : info.keys) {
    if (!key.default_value.empty()) values.try_emplace(key.name, Texts{key.default_value});
  }
  return values;
}

base::Result<std::string> read_text(const std::filesystem::path& path) {
  auto text = io::read_file(path, kLargestFile);
  if (!text.ok() && text.error().code() == base::ErrorCode::kNotFound) return std::string();
  return text;
}

base::Result<std::string> checked_text(const KeyInfo& info, const Leaf& leaf) {
  const std::string key = to_string(leaf.path);
  CLEVER_TRY(check_type(info, key, leaf));
  CLEVER_ASSIGN(std::string text, value_text(info, key, leaf));
  CLEVER_TRY(check_value(info, key, text));
  return text;
}

}  // namespace clever::config::internal
