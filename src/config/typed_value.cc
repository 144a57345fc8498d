#include "config/typed_value.h"

#include <algorithm>
#include <optional>

#include "config/internal/config_file.h"
#include "config/internal/text.h"

namespace clever::config {
namespace {

// "[::1]:80" and "[ab]*" are items of lists, not arrays.
bool looks_like_array(std::string_view text) {
  const std::size_t inside = text.find_first_not_of(" \t\r\n", 1);
  const bool closed = text.find(']') == text.size() - 1 && text.find_first_of(",\"'") != text.npos;
  return text.starts_with('[') && inside != text.npos &&
         (closed || std::string_view("\"']").contains(text[inside]));
}

std::optional<internal::Leaf> array_in(std::string_view text) {
  const auto document = internal::parse("value = " + std::string(text), "the value");
  if (!document.ok() || document->leaves.size() != 1) return std::nullopt;
  const internal::Leaf& leaf = document->leaves.front();
  return leaf.kind == internal::Kind::kArray ? std::optional(leaf) : std::nullopt;
}

base::Result<std::string> list_from_array(const KeyInfo& info, std::string_view key,
                                          std::string_view text) {
  auto array = array_in(text);
  if (!array) {
    return base::invalid_argument(
        std::string(key) + ": " + internal::shown(text) +
        " begins like a list but is not one; write [\"a\", \"b\"], or a, b");
  }
  array->path = internal::split(key);
  return internal::checked_text(info, *array);
}

}  // namespace

base::Result<std::string> typed_value(const KeyInfo& info, std::string_view key,
                                      std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  const std::string_view bare = text.substr(std::min(first, text.size()));
  if (is_list(info.type) && looks_like_array(bare)) return list_from_array(info, key, bare);
  if (key.ends_with(".command") && info.type == Type::kString && array_in(bare)) {
    return base::invalid_argument(std::string(key) + ": " + internal::shown(text) +
                                  " is a list; expected one text for the shell, or the program "
                                  "alone with its arguments in a key of their own");
  }
  CLEVER_TRY(check_value(info, key, text));
  return std::string(text);
}

}  // namespace clever::config
