#pragma once
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "syntax/parser.h"
#include "syntax/syntax.h"

// Readable results for tests. For tests only.
namespace clever::syntax::internal {

inline Syntax parsed(Language language, std::string_view content) {
  return Parser().parse(language, content);
}

/// "class Shape", "  method area": kinds and names, indented by nesting.
inline std::vector<std::string> definitions(const Syntax& syntax) {
  std::vector<std::string> result;
  std::vector<std::size_t> nesting;
  for (const Symbol& symbol : syntax.symbols) {
    nesting.push_back(symbol.parent < 0 ? 0 : nesting[static_cast<std::size_t>(symbol.parent)] + 1);
    result.push_back(std::string(2 * nesting.back(), ' ') + std::string(to_string(symbol.kind)) +
                     " " + symbol.name);
  }
  return result;
}

/// Names of one kind, sorted; with the count if it is not 1: "f", "g*2".
inline std::vector<std::string> references(const Syntax& syntax, ReferenceKind kind) {
  std::vector<std::string> result;
  for (const Reference& each : syntax.references) {
    if (each.kind == kind) {
      result.push_back(each.name + (each.count == 1 ? "" : "*" + std::to_string(each.count)));
    }
  }
  return result;
}

inline const Symbol* symbol_named(const Syntax& syntax, std::string_view name) {
  const auto found = std::ranges::find(syntax.symbols, name, &Symbol::name);
  return found == syntax.symbols.end() ? nullptr : &*found;
}

/// The outline of the symbol without its body.
inline std::string signature(const Syntax& syntax, std::string_view content,
                             std::string_view name) {
  const Symbol* const symbol = symbol_named(syntax, name);
  if (symbol == nullptr) {
    return "(not defined)";
  }
  return std::string(
      content.substr(symbol->signature_begin, symbol->signature_end - symbol->signature_begin));
}

}  // namespace clever::syntax::internal
