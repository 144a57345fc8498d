#pragma once
#include <string>
#include <string_view>

namespace clever::diff {

/// A path as git prints it: in double quotes with C's escapes if it holds a quote, a backslash, a
/// control character or a byte above 127, else as it is.
[[nodiscard]] std::string quoted_path(std::string_view path);
/// The same in quotes whatever it holds; git reads that too.
[[nodiscard]] std::string always_quoted(std::string_view path);

}  // namespace clever::diff
