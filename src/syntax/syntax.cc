#include "syntax/syntax.h"

#include <array>
#include <cstddef>

namespace clever::syntax {

std::string_view to_string(SymbolKind kind) noexcept {
  constexpr std::array<std::string_view, 14> kNames{
      "function", "method",   "class", "struct", "interface", "enum",    "type",
      "constant", "variable", "field", "macro",  "module",    "section", "key"};
  return kNames[static_cast<std::size_t>(kind)];
}

}  // namespace clever::syntax
