#pragma once
#include <string>
#include <string_view>

#include "base/result.h"
#include "syntax/syntax.h"

// What was understood of a file, as a segment keeps it. Plain functions.
namespace clever::index::internal {

void encode_syntax(const syntax::Syntax& syntax, std::string& bytes);
/// `corruption` for what encode_syntax() did not make.
[[nodiscard]] base::Result<syntax::Syntax> decode_syntax(std::string_view bytes);
/// The imports alone.
[[nodiscard]] std::vector<std::string> decode_imports(std::string_view bytes);

}  // namespace clever::index::internal
