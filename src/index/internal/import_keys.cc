#include "index/internal/import_keys.h"

#include <algorithm>
#include <iterator>

namespace clever::index::internal {
namespace {

bool is_path_like(std::string_view import) {
  return import.contains('/') || import.starts_with('.') || import.contains('\\');
}

// "plan.h" is one name, "os.path" are two: the extension of an included file is short and last, and
// such imports have no other dots.
bool is_file_name(std::string_view import) {
  static constexpr std::string_view kEndings[] = {
      "h",   "hh", "hpp", "hxx", "inc", "c",  "cc", "cpp",  "js",   "ts",  "mjs", "tsx",
      "jsx", "rb", "sh",  "css", "go",  "rs", "py", "json", "yaml", "yml", "bash"};
  const std::size_t dot = import.rfind('.');
  return dot != std::string_view::npos &&
         std::ranges::find(kEndings, import.substr(dot + 1)) != std::end(kEndings);
}

bool says_where(std::string_view part) {
  return part.empty() || part == "." || part == ".." || part == "crate" || part == "self" ||
         part == "super" || part == "*" || part == "@" || part == "~";
}

void add_parts(std::string_view text, std::string_view separators,
               std::vector<std::string_view>& parts) {
  while (true) {
    const std::size_t end = text.find_first_of(separators);
    const std::string_view part = text.substr(0, end);
    if (!says_where(part)) parts.push_back(part);
    if (end == std::string_view::npos) return;
    text.remove_prefix(end + 1);
  }
}

}  // namespace

std::string_view stem_of_name(std::string_view name) noexcept {
  const std::size_t dot = name.find('.', 1);
  return name.substr(0, dot);
}

std::vector<std::string_view> import_parts(std::string_view import) {
  std::vector<std::string_view> parts;
  if (import.contains("::")) {
    add_parts(import, ":{}, ", parts);
  } else if (is_path_like(import) && !import.starts_with("...") &&
             (import.contains('/') || import.contains('\\'))) {
    add_parts(import, "/\\", parts);
  } else if (is_file_name(import)) {
    parts.push_back(import);
  } else {
    add_parts(import, ".", parts);
  }
  return parts;
}

std::vector<std::string> import_keys(std::string_view import) {
  std::vector<std::string> keys;
  const auto parts = import_parts(import);
  for (std::size_t i = parts.size() > 2 ? parts.size() - 2 : 0; i < parts.size(); ++i) {
    std::string key(stem_of_name(parts[i]));
    if (std::ranges::find(keys, key) == keys.end()) keys.push_back(std::move(key));
  }
  return keys;
}

}  // namespace clever::index::internal
