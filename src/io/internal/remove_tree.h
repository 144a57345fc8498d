#pragma once
#include <string_view>

#include "base/result.h"

namespace clever::io::internal {

/// Removes `name` in the folder `above`, and everything below it. Works at any depth with a handful
/// of descriptors and no recursion: moves inner folders up to the one being removed, until all are
/// flat. `path` is for messages. `not_found` if nothing is there.
[[nodiscard]] base::Result<void> remove_tree(int above, const char* name, std::string_view path);

}  // namespace clever::io::internal
