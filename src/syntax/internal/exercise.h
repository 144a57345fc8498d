#pragma once
#include <string>
#include <string_view>

#include "syntax/language.h"

namespace clever::syntax::internal {

/// Parses, splits and outlines a text, and names the first broken promise of these functions; empty
/// if none. For the fuzzer and the property tests.
[[nodiscard]] std::string broken_promise(Language language, std::string_view content);

}  // namespace clever::syntax::internal
