#pragma once
#include <string>
#include <string_view>

#include "syntax/language.h"

namespace clever::syntax::internal {

/// Parses, cuts and outlines a text, and says which of the promises of these functions was broken;
/// empty: none. For the fuzzer and the property tests.
[[nodiscard]] std::string broken_promise(Language language, std::string_view content);

}  // namespace clever::syntax::internal
