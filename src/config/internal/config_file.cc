#include "config/internal/config_file.h"

#include "config/internal/text.h"
#include "io/file.h"

namespace clever::config::internal {
namespace {

bool is_list(Type type) { return type == Type::kList || type == Type::kModels; }

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
      return kind == Kind::kString || kind == Kind::kArray;
    default:
      return kind == Kind::kString;
  }
}

// An array as the text that its items make.
base::Result<std::string> text_of(const KeyInfo& info, const std::string& key, const Leaf& leaf) {
  if (leaf.kind != Kind::kArray) return leaf.text;
  if (!leaf.only_strings) {
    return base::invalid_argument(key + " is an array of other things than texts; expected " +
                                  expectation(info) + ", each in quotes");
  }
  std::string text;
  for (const std::string& item : leaf.items) {
    if (item.empty() || item.find(',') != std::string::npos) {
      return base::invalid_argument(key + " has " + shown(item) +
                                    " in it; expected texts without commas");
    }
    text += (text.empty() ? "" : ", ") + item;
  }
  return text;
}

}  // namespace

base::Result<std::string> read_text(const std::filesystem::path& path) {
  auto text = io::read_file(path, kLargestFile);
  if (!text.ok() && text.error().code() == base::ErrorCode::kNotFound) return std::string();
  return text;
}

base::Result<std::string> checked_text(const KeyInfo& info, const Leaf& leaf) {
  const std::string key = to_string(leaf.path);
  if (!is_of_type(leaf.kind, info.type)) {
    const bool wants_quotes = is_of_type(Kind::kString, info.type);
    return base::invalid_argument(key + " is " + std::string(describe(leaf.kind)) + "; expected " +
                                  expectation(info) +
                                  (wants_quotes && !is_list(info.type) ? ", in quotes" : ""));
  }
  CLEVER_ASSIGN(std::string text, text_of(info, key, leaf));
  CLEVER_TRY(check_value(info, key, text));
  return text;
}

}  // namespace clever::config::internal
