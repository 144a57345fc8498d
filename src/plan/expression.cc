#include "plan/expression.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/glob.h"
#include "base/nearest.h"
#include "base/number.h"
#include "base/utf8.h"
#include "plan/internal/expression_tree.h"

namespace clever::plan {
namespace {

using Kind = ExpressionKind;
using Value = ExpressionValue;

constexpr std::size_t kMostOfText = 40;

std::string type_of(const Value& value) {
  if (std::holds_alternative<bool>(value)) return "a truth";
  return std::holds_alternative<std::int64_t>(value) ? "a number" : "a text";
}

std::string shown_value(const Value& value) {
  if (const auto* truth = std::get_if<bool>(&value)) return *truth ? "true" : "false";
  if (const auto* number = std::get_if<std::int64_t>(&value)) return std::to_string(*number);
  const std::string text = base::to_valid_utf8(std::get<std::string>(value));
  return "\"" + std::string(base::utf8_prefix(text, kMostOfText)) +
         (text.size() > kMostOfText ? "…\"" : "\"");
}

bool is_arithmetic(Kind kind) { return kind >= Kind::kAdd; }
bool is_about_texts(Kind kind) { return kind >= Kind::kContains && kind <= Kind::kMatches; }

template <class T>
bool compares(Kind kind, const T& left, const T& right) {
  switch (kind) {
    case Kind::kLess:
      return left < right;
    case Kind::kLessOrEqual:
      return left <= right;
    case Kind::kGreater:
      return left > right;
    default:
      return left >= right;
  }
}

}  // namespace

/// One evaluation. The depth of a tree is bounded by that of its text.
class ExpressionRun {
 public:
  ExpressionRun(const Expression::Tree& tree, const ExpressionNames& names)
      : tree_(tree), names_(names) {}

  base::Result<Value> value() { return value(tree_.parts.size() - 1); }

 private:
  base::Result<Value> value(std::size_t place) {
    const ExpressionPart& part = tree_.parts[place];
    if (work_ == 0) return too_much(part);
    --work_;
    switch (part.kind) {
      case Kind::kLiteral:
        return part.value;
      case Kind::kName:
        return named(part);
      case Kind::kNot:
      case Kind::kMinus:
      case Kind::kNumber:
      case Kind::kLength:
        return unary(part);
      case Kind::kAnd:
      case Kind::kOr:
        return logical(part);
      default:
        return binary(part);
    }
  }

  base::Result<Value> named(const ExpressionPart& part) {
    const auto& name = tree_.names[static_cast<std::size_t>(std::get<std::int64_t>(part.value))];
    auto value = names_(name);
    if (!value.ok()) return expression_error(part.column, value.error().message());
    return value;
  }

  base::Result<Value> unary(const ExpressionPart& part) {
    CLEVER_ASSIGN(const Value inside, value(part.left));
    if (part.kind == Kind::kNot) {
      if (const auto* truth = std::get_if<bool>(&inside)) return Value(!*truth);
      return wrong(part, "a truth", inside);
    }
    if (part.kind == Kind::kMinus) {
      const auto* number = std::get_if<std::int64_t>(&inside);
      if (number == nullptr) return wrong(part, "a number", inside);
      std::int64_t result = 0;
      return checked(part, __builtin_sub_overflow(std::int64_t{0}, *number, &result), result);
    }
    if (part.kind == Kind::kNumber) return number_of(part, inside);
    if (const auto* text = std::get_if<std::string>(&inside)) {
      return Value(static_cast<std::int64_t>(text->size()));
    }
    return wrong(part, "a text", inside);
  }

  static base::Result<Value> number_of(const ExpressionPart& part, const Value& inside) {
    const auto* text = std::get_if<std::string>(&inside);
    if (text == nullptr) {
      if (std::holds_alternative<std::int64_t>(inside)) return inside;
      return wrong(part, "a text", inside);
    }
    if (const auto number = base::to_number<std::int64_t>(*text)) return Value(*number);
    return expression_error(
        part.column,
        shown_value(inside) + " is not a whole number; number() needs one such as \"3\"");
  }

  base::Result<Value> logical(const ExpressionPart& part) {
    CLEVER_ASSIGN(const bool left, truth(part, part.left));
    if (left == (part.kind == Kind::kOr)) return Value(left);
    CLEVER_ASSIGN(const bool right, truth(part, part.right));
    return Value(right);
  }
  base::Result<bool> truth(const ExpressionPart& part, std::size_t place) {
    CLEVER_ASSIGN(const Value found, value(place));
    if (const auto* is = std::get_if<bool>(&found)) return *is;
    return wrong(part, "truths", found);
  }

  base::Result<Value> binary(const ExpressionPart& part) {
    CLEVER_ASSIGN(const Value left, value(part.left));
    CLEVER_ASSIGN(const Value right, value(part.right));
    if (is_arithmetic(part.kind)) return arithmetic(part, left, right);
    if (is_about_texts(part.kind)) return about_texts(part, left, right);
    return comparison(part, left, right);
  }

  base::Result<Value> arithmetic(const ExpressionPart& part, const Value& left,
                                 const Value& right) {
    const auto* one = std::get_if<std::int64_t>(&left);
    const auto* other = std::get_if<std::int64_t>(&right);
    if (one == nullptr) return wrong(part, "numbers", left);
    if (other == nullptr) return wrong(part, "numbers", right);
    std::int64_t result = 0;
    switch (part.kind) {
      case Kind::kAdd:
        return checked(part, __builtin_add_overflow(*one, *other, &result), result);
      case Kind::kSubtract:
        return checked(part, __builtin_sub_overflow(*one, *other, &result), result);
      case Kind::kMultiply:
        return checked(part, __builtin_mul_overflow(*one, *other, &result), result);
      default:
        return division(part, *one, *other);
    }
  }

  static base::Result<Value> division(const ExpressionPart& part, std::int64_t left,
                                      std::int64_t right) {
    if (right == 0) {
      return expression_error(part.column,
                              "division by zero; ask first whether it is zero, as in "
                              "number(args.n) != 0 and 10 / number(args.n) > 1");
    }
    if (right == -1) {
      if (part.kind == Kind::kRemainder) return Value(std::int64_t{0});
      std::int64_t result = 0;
      return checked(part, __builtin_sub_overflow(std::int64_t{0}, left, &result), result);
    }
    return Value(part.kind == Kind::kDivide ? left / right : left % right);
  }

  base::Result<Value> about_texts(const ExpressionPart& part, const Value& left,
                                  const Value& right) {
    const auto* text = std::get_if<std::string>(&left);
    const auto* sought = std::get_if<std::string>(&right);
    if (text == nullptr) return wrong(part, "texts", left);
    if (sought == nullptr) return wrong(part, "texts", right);
    if (part.kind == Kind::kStartsWith) return Value(text->starts_with(*sought));
    if (part.kind == Kind::kEndsWith) return Value(text->ends_with(*sought));
    // Charges both kinds for their work.
    const auto found = part.kind == Kind::kMatches ? base::matches_wildcards(*sought, *text, work_)
                                                   : contains(*text, *sought);
    if (!found) return too_much(part);
    return Value(*found);
  }

  std::optional<bool> contains(const std::string& text, const std::string& sought) {
    const std::size_t most = text.size() * std::max<std::size_t>(sought.size(), 1);
    if (most >= work_) return std::nullopt;
    work_ -= most;
    return text.contains(sought);
  }

  static base::Result<Value> comparison(const ExpressionPart& part, const Value& left,
                                        const Value& right) {
    if (left.index() != right.index()) {
      const bool by_number =
          std::holds_alternative<std::int64_t>(left) || std::holds_alternative<std::int64_t>(right);
      return expression_error(
          part.column, std::string(to_string(part.kind)) + " compares " + type_of(left) + " (" +
                           shown_value(left) + ") with " + type_of(right) + " (" +
                           shown_value(right) + "); " +
                           (by_number ? "number(…) converts a text to a number"
                                      : "put the text in the quotes that the other side has, or "
                                        "compare with \"true\""));
    }
    if (part.kind == Kind::kEqual) return Value(left == right);
    if (part.kind == Kind::kUnequal) return Value(left != right);
    if (const auto* number = std::get_if<std::int64_t>(&left)) {
      return Value(compares(part.kind, *number, std::get<std::int64_t>(right)));
    }
    if (const auto* text = std::get_if<std::string>(&left)) {
      return Value(compares(part.kind, *text, std::get<std::string>(right)));
    }
    return wrong(part, "numbers or texts", left);
  }

  static base::Result<Value> checked(const ExpressionPart& part, bool overflows,
                                     std::int64_t result) {
    if (!overflows) return Value(result);
    return expression_error(part.column, "the result is too large; numbers have 64 bits");
  }
  static base::Error wrong(const ExpressionPart& part, std::string_view wanted,
                           const Value& found) {
    return expression_error(part.column, std::string(to_string(part.kind)) + " takes " +
                                             std::string(wanted) + ", but this is " +
                                             type_of(found) + ": " + shown_value(found));
  }
  static base::Error too_much(const ExpressionPart& part) {
    return expression_error(part.column, "the expression takes too long; make it simpler");
  }

  const Expression::Tree& tree_;
  const ExpressionNames& names_;
  std::size_t work_ = Expression::kMostWork;
};

base::Result<Value> Expression::evaluate(const ExpressionNames& names) const {
  return ExpressionRun(*tree_, names).value();
}

base::Result<bool> Expression::holds(const ExpressionNames& names) const {
  CLEVER_ASSIGN(const Value value, evaluate(names));
  if (const auto* truth = std::get_if<bool>(&value)) return *truth;
  return expression_error(1, "a condition must come to true or false, but this is " +
                                 type_of(value) + ": " + shown_value(value) +
                                 "; compare it with something");
}

namespace {

std::string nearest_of(const std::string& word, const std::vector<std::string>& known) {
  if (const auto nearest = base::nearest_match(word, known))
    return "; did you mean " + *nearest + "?";
  if (known.empty()) return "; there are none";
  std::string all;
  for (const std::string& one : known) all += (all.empty() ? "; there are " : ", ") + one;
  return base::to_valid_utf8(base::utf8_prefix(all, 400));
}

base::Result<Value> argument_of(const State& plan, const std::string& name) {
  const auto found = plan.settings.arguments.find(name);
  if (found != plan.settings.arguments.end()) return Value(found->second);
  std::vector<std::string> known;
  for (const auto& [each, value] : plan.settings.arguments) known.push_back(each);
  return base::invalid_argument("the plan has no argument " + name + nearest_of(name, known));
}

base::Result<Value> step_value(const State& plan, const ExpressionName& name) {
  const auto found = std::ranges::find(
      plan.steps, name.id, [](const Step& step) -> auto& { return step.definition.id; });
  if (found == plan.steps.end()) {
    std::vector<std::string> known;
    for (const Step& step : plan.steps) known.push_back(step.definition.id);
    return base::invalid_argument("the plan has no step " + name.id + nearest_of(name.id, known));
  }
  if (name.field == "state") return Value(std::string(to_string(found->state)));
  if (name.field == "files") return Value(found->files);
  return Value(found->summary);
}

}  // namespace

ExpressionNames names_in(const State& plan) {
  return [&plan](const ExpressionName& name) -> base::Result<Value> {
    if (name.of == "args") return argument_of(plan, name.id);
    if (name.of == "steps") return step_value(plan, name);
    if (name.id == "attempt") return Value(1 + plan.corrections + plan.reversions);
    return Value(plan.title);
  };
}

base::Result<bool> is_wanted(const State& plan, const Step& step) {
  if (step.definition.when.empty()) return true;
  CLEVER_ASSIGN(const Expression condition, Expression::parse(step.definition.when));
  return condition.holds(names_in(plan));
}

}  // namespace clever::plan
