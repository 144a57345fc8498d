#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "git/tree_path.h"

namespace {

using clever::git::TreePath;

void check_path(const TreePath& path) {
  std::string_view rest = path.text();
  CLEVER_CHECK(!rest.empty() && rest.size() <= TreePath::kLongest, "the length of a path");
  CLEVER_CHECK(!rest.contains('\0'), "a NUL in a path");
  while (true) {
    const std::string_view name = rest.substr(0, rest.find('/'));
    CLEVER_CHECK(!name.empty() && name != "." && name != ".." && name != ".git", "a name");
    if (name.size() == rest.size()) break;
    rest.remove_prefix(name.size() + 1);
  }
  const auto again = TreePath::parse(path.text());
  CLEVER_CHECK(again.ok() && *again == path, "a path is not read as itself");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const auto path = TreePath::parse(text); path.ok()) check_path(*path);
  if (const auto path = TreePath::parse(text, "/project"); path.ok()) check_path(*path);
  return 0;
}
