#pragma once
#include <tree_sitter/api.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "syntax/language.h"

namespace clever::syntax::internal {

class Walker;

/// The fields of children that handlers use.
enum class Field : std::uint8_t {
  kAlias,
  kArgument,
  kArguments,
  kAttribute,
  kBody,
  kConstructor,
  kDeclarator,
  kField,
  kFunction,
  kKey,
  kLeft,
  kMacro,
  kMethod,
  kModuleName,
  kName,
  kObject,
  kParameters,
  kPath,
  kPattern,
  kProperty,
  kReceiver,
  kRight,
  kSource,
  kSuperclasses,
  kTrait,
  kType,
  kValue,
};
inline constexpr std::size_t kFields = 27;

/// Called for a node when the walk reaches it, before its children.
using Handler = void (*)(Walker&, TSNode);

/// The handler of a type of node.
struct Rule {
  std::string_view node;
  Handler handler;
};

/// A language's parse tables, and its rules by the grammar's node numbers. Immutable.
class Grammar {
 public:
  /// Not for kText.
  explicit Grammar(Language language);

  [[nodiscard]] const TSLanguage* language() const noexcept { return language_; }
  [[nodiscard]] Handler handler(TSSymbol symbol) const noexcept {
    return symbol < handlers_.size() ? handlers_[symbol] : nullptr;
  }
  /// 0 if the grammar lacks the field.
  [[nodiscard]] TSFieldId field(Field field) const noexcept {
    return fields_[static_cast<std::size_t>(field)];
  }

 private:
  const TSLanguage* language_;
  std::vector<Handler> handlers_;
  std::array<TSFieldId, kFields> fields_{};
};

}  // namespace clever::syntax::internal
