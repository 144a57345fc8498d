#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "plan/expression.h"

namespace clever::plan {

enum class ExpressionKind : std::uint8_t {
  kLiteral,
  kName,
  kNot,
  kMinus,
  kNumber,
  kLength,
  kAnd,
  kOr,
  kEqual,
  kUnequal,
  kLess,
  kLessOrEqual,
  kGreater,
  kGreaterOrEqual,
  kContains,
  kStartsWith,
  kEndsWith,
  kMatches,
  kAdd,
  kSubtract,
  kMultiply,
  kDivide,
  kRemainder,
};

/// One part of an expression; `left` and `right` are indices into the list of parts; unary parts
/// use `left`.
struct ExpressionPart {
  ExpressionKind kind = ExpressionKind::kLiteral;
  std::size_t column = 1;
  std::size_t left = 0;
  std::size_t right = 0;
  /// The value of a literal; for a name, its index.
  ExpressionValue value{};
};

/// The parts, leaves first; the root is the last.
struct Expression::Tree {
  std::vector<ExpressionPart> parts{};
  std::vector<ExpressionName> names{};
};

/// "==", "starts_with".
[[nodiscard]] std::string_view to_string(ExpressionKind kind) noexcept;

/// "column 7: WHAT".
[[nodiscard]] base::Error expression_error(std::size_t column, std::string_view what);

}  // namespace clever::plan
