#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "syntax/language.h"

// A file's definitions, uses and imports. Values.
namespace clever::syntax {

enum class SymbolKind : std::uint8_t {
  kFunction,
  kMethod,
  kClass,
  kStruct,
  kInterface,
  kEnum,
  kType,
  kConstant,
  kVariable,
  kField,
  kMacro,
  kModule,
  /// A heading of a text.
  kSection,
  /// A key of a data file.
  kKey,
};
[[nodiscard]] std::string_view to_string(SymbolKind kind) noexcept;  // "function", "method", …

/// Bytes [begin, end) of a file, and their lines, from 1, inclusive.
struct Range {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  std::uint32_t first_line = 1;
  std::uint32_t last_line = 1;
  friend bool operator==(const Range&, const Range&) = default;
};

/// A definition.
struct Symbol {
  std::string name{};
  SymbolKind kind = SymbolKind::kFunction;
  /// Including the comment and the decorators right above it.
  Range range{};
  /// Where its signature begins and ends: the part shown without its body.
  std::uint32_t signature_begin = 0;
  std::uint32_t signature_end = 0;
  /// Index of the enclosing symbol in Syntax::symbols; -1: none.
  std::int32_t parent = -1;
  friend bool operator==(const Symbol&, const Symbol&) = default;
};

enum class ReferenceKind : std::uint8_t { kCall, kType, kOther };

/// A name that is used, but not defined at that place.
struct Reference {
  std::string name{};
  ReferenceKind kind = ReferenceKind::kOther;
  std::uint32_t count = 0;
  std::uint32_t first_line = 1;
  friend bool operator==(const Reference&, const Reference&) = default;
};

struct Syntax {
  Language language = Language::kText;
  /// Sorted by beginning; a parent comes before its contents.
  std::vector<Symbol> symbols{};
  /// Sorted by name, then kind, without duplicates.
  std::vector<Reference> references{};
  /// As written, in order, without duplicates: "engine/plan.h", "./util", "os.path", "fmt".
  std::vector<std::string> imports{};
  /// The text violates its language's syntax; the result has what could be parsed.
  bool has_errors = false;
  /// A limit was reached: later parts of the file are missing.
  bool truncated = false;
  friend bool operator==(const Syntax&, const Syntax&) = default;
};

}  // namespace clever::syntax
