#include "config/internal/config_file.h"

#include "io/file.h"

namespace clever::config::internal {
namespace {

bool is_of_type(Kind kind, Type type) {
  switch (type) {
    case Type::kInteger:
      return kind == Kind::kInteger;
    case Type::kNumber:
      return kind == Kind::kNumber || kind == Kind::kInteger;
    case Type::kBoolean:
      return kind == Kind::kBoolean;
    default:
      return kind == Kind::kString;
  }
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
                                  expectation(info) + (wants_quotes ? ", in quotes" : ""));
  }
  CLEVER_TRY(check_value(info, key, leaf.text));
  return leaf.text;
}

}  // namespace clever::config::internal
