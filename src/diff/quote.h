#pragma once
#include <string>
#include <string_view>

namespace clever::diff {

/// A path as git prints it: in double quotes with C escapes if it contains a quote, a backslash, a
/// control character or a byte above 127; otherwise unchanged.
[[nodiscard]] std::string quoted_path(std::string_view path);
/// The same, always in quotes; git reads that too.
[[nodiscard]] std::string always_quoted(std::string_view path);

}  // namespace clever::diff
