#pragma once
#include <string>
#include <string_view>

#include "base/result.h"

namespace clever::model {

/// "run_command(git push *)", "write_file(docs/**)", "mcp__*": a tool by name (`*` and `?` are
/// wildcards), and its argument. A value.
///
///   a command      words, as a shell reads them; `*` alone stands for any further words, within a
///                  word for any letters
///   a path         `*` within one name, `**` over folders, from the project's root
///   other          a text; `*` stands for anything
struct PermissionPattern {
  std::string tool{};
  /// Empty: any argument.
  std::string argument{};
  friend bool operator==(const PermissionPattern&, const PermissionPattern&) = default;
};

/// Pure and total; `invalid_argument` says what is wrong and what would be right.
[[nodiscard]] base::Result<PermissionPattern> parse_permission(std::string_view text);

}  // namespace clever::model
