#include <array>
#include <optional>
#include <utility>

#include "base/nearest.h"
#include "base/utf8.h"
#include "plan/internal/expression_tree.h"
#include "plan/internal/expression_words.h"

namespace clever::plan {
namespace {

using Word = ExpressionWord;
using Kind = ExpressionKind;

struct Operator {
  std::string_view word;
  Kind kind;
};

constexpr std::array<Operator, 10> kComparisons{{{"==", Kind::kEqual},
                                                 {"!=", Kind::kUnequal},
                                                 {"<=", Kind::kLessOrEqual},
                                                 {">=", Kind::kGreaterOrEqual},
                                                 {"<", Kind::kLess},
                                                 {">", Kind::kGreater},
                                                 {"contains", Kind::kContains},
                                                 {"starts_with", Kind::kStartsWith},
                                                 {"ends_with", Kind::kEndsWith},
                                                 {"matches", Kind::kMatches}}};
constexpr std::array<Operator, 2> kSums{{{"+", Kind::kAdd}, {"-", Kind::kSubtract}}};
constexpr std::array<Operator, 3> kProducts{
    {{"*", Kind::kMultiply}, {"/", Kind::kDivide}, {"%", Kind::kRemainder}}};
constexpr std::array<Operator, 1> kAnds{{{"and", Kind::kAnd}}};
constexpr std::array<Operator, 1> kOrs{{{"or", Kind::kOr}}};

template <std::size_t N>
std::optional<Kind> find(const std::array<Operator, N>& operators, const Word& word) {
  for (const Operator& one : operators) {
    if (word.is(one.word)) return one.kind;
  }
  return std::nullopt;
}

bool is_operator(const Word& word) {
  return find(kComparisons, word) || find(kSums, word) || find(kProducts, word) ||
         find(kAnds, word) || find(kOrs, word) || word.is("not");
}

std::string cure_of_name(const Word& word, const std::vector<std::string>& known) {
  if (const auto nearest = base::nearest_match(word.text, known)) {
    return "did you mean " + *nearest + "?";
  }
  std::string all;
  for (const std::string& one : known) all += (all.empty() ? "there are " : ", ") + one;
  return all;
}

base::Error unknown_name(const Word& word, const std::vector<std::string>& known) {
  return expression_error(word.column,
                          "there is no " + shown(word) + "; " + cure_of_name(word, known));
}

base::Result<ExpressionName> step_name(const Word& word, std::string_view rest) {
  const std::size_t dot = rest.find('.');
  ExpressionName name{
      .of = "steps", .id = std::string(rest.substr(0, dot)), .field = {}, .column = word.column};
  if (dot != std::string_view::npos) name.field = rest.substr(dot + 1);
  const bool fits = name.field == "state" || name.field == "summary" || name.field == "files";
  if (fits && !name.id.empty()) return name;
  const std::string of = "steps." + (name.id.empty() ? "ID" : name.id);
  return unknown_name(word, {of + ".state", of + ".summary", of + ".files"});
}

base::Result<ExpressionName> expression_name(const Word& word) {
  const std::string_view text = word.text;
  if (text.starts_with("steps.")) return step_name(word, text.substr(6));
  if (text.starts_with("args.") && text.size() > 5 && !text.substr(5).contains('.')) {
    return ExpressionName{
        .of = "args", .id = std::string(text.substr(5)), .field = {}, .column = word.column};
  }
  if (text == "plan.title" || text == "plan.attempt") {
    return ExpressionName{
        .of = "plan", .id = std::string(text.substr(5)), .field = {}, .column = word.column};
  }
  return unknown_name(word, {"args.NAME", "steps.ID.state", "steps.ID.summary", "steps.ID.files",
                             "plan.title", "plan.attempt", "true", "false", "and", "or", "not"});
}

}  // namespace

/// Parses one expression; each function parses the grammar rule of its name.
class ExpressionReader {
 public:
  explicit ExpressionReader(std::string_view text) : words_(text) {}

  base::Result<Expression> read() {
    CLEVER_TRY(advance());
    CLEVER_TRY(any());
    if (word_.kind != Word::Kind::kEnd) return not_expected();
    return Expression(std::make_shared<const Expression::Tree>(std::move(tree_)));
  }

 private:
  using Reading = base::Result<std::size_t> (ExpressionReader::*)();

  base::Result<void> advance() {
    CLEVER_ASSIGN(word_, words_.next());
    return {};
  }

  [[nodiscard]] base::Error not_expected() const {
    if (find(kComparisons, word_)) {
      return expression_error(word_.column,
                              "comparisons cannot be chained; join two of them by and");
    }
    const bool closes = word_.is(")");
    return expression_error(word_.column,
                            shown(word_) + " cannot follow the part before it; " +
                                (closes ? "remove it, or add ( before it"
                                        : "put an operator such as and between them"));
  }
  [[nodiscard]] base::Error missing() const {
    return expression_error(word_.column, "a value is missing before " + shown(word_) +
                                              "; write a name such as args.x, a number, a text in "
                                              "quotes, true or false");
  }

  base::Result<std::size_t> add(ExpressionPart part) {
    if (tree_.parts.size() >= Expression::kMostParts) {
      return expression_error(part.column, "the expression has more than " +
                                               std::to_string(Expression::kMostParts) +
                                               " parts; make it simpler");
    }
    tree_.parts.push_back(std::move(part));
    return tree_.parts.size() - 1;
  }

  // Bounds the depth, and with it the stack.
  base::Result<std::size_t> deeper(Reading reading) {
    if (depth_ >= Expression::kDeepest) {
      return expression_error(word_.column, "the expression is nested more than " +
                                                std::to_string(Expression::kDeepest) +
                                                " deep; make it simpler");
    }
    ++depth_;
    auto read = (this->*reading)();
    --depth_;
    return read;
  }

  template <std::size_t N>
  base::Result<std::size_t> chain(const std::array<Operator, N>& operators, Reading operand) {
    CLEVER_ASSIGN(std::size_t left, (this->*operand)());
    for (auto kind = find(operators, word_); kind; kind = find(operators, word_)) {
      CLEVER_ASSIGN(left, joined(*kind, left, operand));
    }
    return left;
  }
  base::Result<std::size_t> joined(Kind kind, std::size_t left, Reading operand) {
    const std::size_t column = word_.column;
    CLEVER_TRY(advance());
    CLEVER_ASSIGN(const std::size_t right, (this->*operand)());
    return add({.kind = kind, .column = column, .left = left, .right = right, .value = {}});
  }
  base::Result<std::size_t> prefixed(Kind kind, Reading operand) {
    const std::size_t column = word_.column;
    CLEVER_TRY(advance());
    CLEVER_ASSIGN(const std::size_t left, deeper(operand));
    return add({.kind = kind, .column = column, .left = left, .value = {}});
  }

  base::Result<std::size_t> any() { return chain(kOrs, &ExpressionReader::all); }
  base::Result<std::size_t> all() { return chain(kAnds, &ExpressionReader::negated); }
  base::Result<std::size_t> negated() {
    if (word_.is("not")) return prefixed(Kind::kNot, &ExpressionReader::negated);
    return compared();
  }
  base::Result<std::size_t> compared() {
    CLEVER_ASSIGN(const std::size_t left, sum());
    const auto kind = find(kComparisons, word_);
    if (!kind) return left;
    return joined(*kind, left, &ExpressionReader::sum);
  }
  base::Result<std::size_t> sum() { return chain(kSums, &ExpressionReader::product); }
  base::Result<std::size_t> product() { return chain(kProducts, &ExpressionReader::value); }

  base::Result<std::size_t> value() {
    if (word_.is("-")) return prefixed(Kind::kMinus, &ExpressionReader::value);
    if (word_.is("(")) return bracketed();
    if (word_.is("number")) return called(Kind::kNumber);
    if (word_.is("length")) return called(Kind::kLength);
    if (word_.kind == Word::Kind::kNumber) return literal(word_.number);
    if (word_.kind == Word::Kind::kText) return literal(std::move(word_.text));
    if (word_.is("true") || word_.is("false")) return literal(word_.is("true"));
    if (word_.kind != Word::Kind::kName || is_operator(word_)) return missing();
    return name();
  }

  base::Result<std::size_t> bracketed() {
    const std::size_t column = word_.column;
    CLEVER_TRY(advance());
    CLEVER_ASSIGN(const std::size_t inside, deeper(&ExpressionReader::any));
    if (!word_.is(")")) {
      return expression_error(word_.column, "the ( of column " + std::to_string(column) +
                                                " is not closed before " + shown(word_) +
                                                "; add )");
    }
    CLEVER_TRY(advance());
    return inside;
  }
  base::Result<std::size_t> called(Kind kind) {
    const Word function = word_;
    CLEVER_TRY(advance());
    if (!word_.is("(")) {
      return expression_error(word_.column, function.text + " needs its value in ( ), as in " +
                                                function.text + "(args.x)");
    }
    CLEVER_ASSIGN(const std::size_t inside, bracketed());
    return add({.kind = kind, .column = function.column, .left = inside, .value = {}});
  }
  base::Result<std::size_t> literal(ExpressionValue value) {
    const std::size_t column = word_.column;
    CLEVER_TRY(advance());
    return add({.kind = Kind::kLiteral, .column = column, .value = std::move(value)});
  }
  base::Result<std::size_t> name() {
    CLEVER_ASSIGN(ExpressionName name, expression_name(word_));
    CLEVER_TRY(advance());
    tree_.names.push_back(std::move(name));
    const std::size_t which = tree_.names.size() - 1;
    return add({.kind = Kind::kName,
                .column = tree_.names.back().column,
                .value = static_cast<std::int64_t>(which)});
  }

  ExpressionWords words_;
  Word word_{};
  std::size_t depth_ = 0;
  Expression::Tree tree_{};
};

base::Result<Expression> Expression::parse(std::string_view text) {
  if (text.size() > kLongest) {
    return expression_error(kLongest, "the expression is longer than " + std::to_string(kLongest) +
                                          " bytes; make it simpler");
  }
  return ExpressionReader(text).read();
}

const std::vector<ExpressionName>& Expression::names() const { return tree_->names; }

std::string to_string(const ExpressionName& name) {
  return name.of + "." + name.id + (name.field.empty() ? "" : "." + name.field);
}

std::string_view to_string(ExpressionKind kind) noexcept {
  constexpr std::array<std::string_view, 23> kWords{
      "a value",   "a name",  "not", "-",  "number", "length", "and",      "or",
      "==",        "!=",      "<",   "<=", ">",      ">=",     "contains", "starts_with",
      "ends_with", "matches", "+",   "-",  "*",      "/",      "%"};
  return kWords.at(static_cast<std::size_t>(kind));
}

base::Error expression_error(std::size_t column, std::string_view what) {
  return base::invalid_argument("column " + std::to_string(column) + ": " + std::string(what));
}

}  // namespace clever::plan
