#pragma once
#include <string>
#include <string_view>

#include "git/tree_path.h"

namespace clever::git::internal {

/// For messages: the path in quotes, printable.
[[nodiscard]] inline std::string in_quotes(std::string_view path) {
  return "'" + printable(path) + "'";
}

}  // namespace clever::git::internal
