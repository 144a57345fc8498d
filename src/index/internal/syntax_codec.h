#pragma once
#include <string>
#include <string_view>

#include "base/result.h"
#include "syntax/syntax.h"

// Encodes a file's syntax for a segment. Pure functions.
namespace clever::index::internal {

void encode_syntax(const syntax::Syntax& syntax, std::string& bytes);
/// `corruption` for anything that encode_syntax() did not write.
[[nodiscard]] base::Result<syntax::Syntax> decode_syntax(std::string_view bytes);
/// Only the imports.
[[nodiscard]] std::vector<std::string> decode_imports(std::string_view bytes);

}  // namespace clever::index::internal
