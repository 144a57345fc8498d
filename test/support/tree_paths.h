#pragma once
#include <string_view>

#include "git/tree_path.h"

namespace clever::test {

/// The path as git writes it; it must be one.
inline git::TreePath path_of(std::string_view text) { return git::TreePath::parse(text).value(); }

}  // namespace clever::test
