#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.h"
#include "plan/state.h"

// Conditions of graph actors: a small language without loops, calls or side effects.
//
//   or        =  and ("or" and)*
//   and       =  not ("and" not)*
//   not       =  "not" not | compared
//   compared  =  sum [("==" | "!=" | "<" | "<=" | ">" | ">=" |
//                      "contains" | "starts_with" | "ends_with" | "matches") sum]
//   sum       =  product (("+" | "-") product)*
//   product   =  value (("*" | "/" | "%") value)*
//   value     =  "-" value | NUMBER | "TEXT" | 'TEXT' | true | false | name | "(" or ")"
//             |  ("number" | "length") "(" or ")"
//   name      =  args.NAME | steps.ID.(state | summary | files) | plan.(title | attempt)
//
// Pure functions and values; safe from any thread.
namespace clever::plan {

/// A truth, a whole number, or a text.
using ExpressionValue = std::variant<bool, std::int64_t, std::string>;

/// A name in an expression: {"args", "name"}, {"steps", "build", "files"}, {"plan", "title"}.
struct ExpressionName {
  std::string of{};
  std::string id{};
  /// For a step; empty for others.
  std::string field{};
  /// Its column, from 1.
  std::size_t column = 1;
};
[[nodiscard]] std::string to_string(const ExpressionName& name);

/// Resolves a name; an error's message ends the evaluation.
using ExpressionNames = std::function<base::Result<ExpressionValue>(const ExpressionName&)>;

/// A parsed expression. Total: parsing and evaluation of any text end in a value or an
/// `invalid_argument` that says "column N: what is wrong; what would be right". An immutable value,
/// cheap to copy.
class Expression {
 public:
  static constexpr std::size_t kLongest = 8192;
  static constexpr std::size_t kMostParts = 1024;
  static constexpr std::size_t kDeepest = 64;
  /// The limit of an evaluation: values looked at, and characters compared.
  static constexpr std::size_t kMostWork = 4'000'000;

  [[nodiscard]] static base::Result<Expression> parse(std::string_view text);

  /// "and" and "or" evaluate their right side only if the left one does not decide.
  [[nodiscard]] base::Result<ExpressionValue> evaluate(const ExpressionNames& names) const;
  /// The same for a condition, which must be true or false.
  [[nodiscard]] base::Result<bool> holds(const ExpressionNames& names) const;

  [[nodiscard]] const std::vector<ExpressionName>& names() const;

 private:
  struct Tree;
  explicit Expression(std::shared_ptr<const Tree> tree) : tree_(std::move(tree)) {}
  friend class ExpressionReader;
  friend class ExpressionRun;

  std::shared_ptr<const Tree> tree_;
};

/// Resolves names in a plan: its arguments (all texts), its steps in their present state, its title
/// and attempt.
[[nodiscard]] ExpressionNames names_in(const State& plan);

/// Whether the step's condition holds; true without a condition.
[[nodiscard]] base::Result<bool> is_wanted(const State& plan, const Step& step);

}  // namespace clever::plan
