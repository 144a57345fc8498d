#pragma once
#include <string_view>

#include "syntax/language.h"

namespace clever::syntax::internal {

/// Whether the text nests deeper, by indentation, quoting or here-documents, than its grammar's
/// scanner supports. Such scanners store a record for each level with every token, and some do not
/// check the size of their buffer.
[[nodiscard]] bool nests_too_deep(Language language, std::string_view content) noexcept;

}  // namespace clever::syntax::internal
