#pragma once
#include <string>
#include <string_view>

namespace clever::sandbox::internal {

/// Why `old_text` is not in the content, for whoever wrote it: a guess (white space differs, the
/// change is already there) and the lines that come nearest, with their numbers. Costs time in
/// proportion to the content, of which at most the first 4 MiB are looked at.
[[nodiscard]] std::string explain_missing(std::string_view content, std::string_view old_text,
                                          std::string_view new_text);

}  // namespace clever::sandbox::internal
