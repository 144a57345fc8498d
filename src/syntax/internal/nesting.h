#pragma once
#include <string_view>

#include "syntax/language.h"

namespace clever::syntax::internal {

/// Whether the text nests deeper, by indentation, quoting or here-documents, than the scanner of
/// its grammar is made for. Such scanners keep a record for each level with every token, and some
/// of them write it without looking at the room that they have.
[[nodiscard]] bool nests_too_deep(Language language, std::string_view content) noexcept;

}  // namespace clever::syntax::internal
