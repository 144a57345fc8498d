#pragma once
// Splits C++ tokens into declarations with the scope they stand in. A sketch of a parser: it knows
// namespaces, classes and functions apart, and what is an initializer rather than a body.
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "tidy/match.h"

namespace clever::tidy {

enum class Scope : std::uint8_t { kNamespace, kClass, kEnum, kFunction };

struct Declaration {
  Scope scope;
  /// Counts the classes of the file, so that members of one class can be told from another's.
  int class_id;
  /// Without template headers, attributes, access labels and initializers in braces.
  std::vector<Token> tokens;
  /// It is followed by a body: a function, a class or a namespace.
  bool has_body;
  /// The named namespaces around it, "clever::io", and whether the innermost one has no name.
  std::string enclosing{};
  bool unnamed = false;
};

[[nodiscard]] std::vector<Declaration> declarations_of(Tokens tokens);

}  // namespace clever::tidy
