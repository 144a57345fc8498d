#pragma once
#include <string>
#include <string_view>

namespace clever::sandbox::internal {

/// Explains to the author why `old_text` is not in the content: a guess (different white space, the
/// change is already made) and the nearest lines with their numbers. Linear in the content, of
/// which it reads at most the first 4 MiB.
[[nodiscard]] std::string explain_missing(std::string_view content, std::string_view old_text,
                                          std::string_view new_text);

}  // namespace clever::sandbox::internal
