#include "plan/expression.h"

#include <gtest/gtest.h>

#include <random>

namespace clever::plan {
namespace {

ExpressionValue sample(const ExpressionName& name) {
  if (name.field == "files") return std::int64_t{7};
  if (name.id == "attempt") return std::int64_t{1};
  if (name.id == "n") return std::string("12");
  return name.id;
}

std::string value_text(const base::Result<ExpressionValue>& value) {
  if (!value.ok()) return value.error().message();
  if (const auto* truth = std::get_if<bool>(&*value)) return *truth ? "true" : "false";
  if (const auto* number = std::get_if<std::int64_t>(&*value)) return std::to_string(*number);
  return "'" + std::get<std::string>(*value) + "'";
}

std::string result_of(std::string_view text) {
  const auto expression = Expression::parse(text);
  if (!expression.ok()) return expression.error().message();
  return value_text(expression->evaluate(sample));
}

void check_result(std::string_view text, std::string_view expected) {
  EXPECT_EQ(result_of(text), expected) << text;
}

void check_mistake(std::string_view text, std::string_view column, std::string_view part) {
  const std::string message = result_of(text);
  EXPECT_TRUE(message.starts_with(std::string(column) + ":")) << text << "\n" << message;
  EXPECT_NE(message.find(part), std::string::npos) << text << "\n" << message;
}

TEST(Expression, LiteralsStandForThemselves) {
  check_result("true", "true");
  check_result("false", "false");
  check_result("42", "42");
  check_result("\"a b\"", "'a b'");
  check_result("'it''s'",
               "column 5: a text cannot follow the part before it; put an operator "
               "such as and between them");
  check_result(R"('q\'\"\\\n\t')", "'q'\"\\\n\t'");
}

TEST(Expression, NumbersAreCalculatedWithTheUsualPrecedence) {
  check_result("1 + 2 * 3", "7");
  check_result("(1 + 2) * 3", "9");
  check_result("10 - 3 - 2", "5");
  check_result("17 / 5", "3");
  check_result("17 % 5", "2");
  check_result("-3 + -(-4)", "1");
  check_result("2 * -3", "-6");
}

TEST(Expression, ComparisonsOfNumbersAndTexts) {
  check_result("1 < 2 and 2 <= 2 and 3 > 2 and 2 >= 2", "true");
  check_result("1 == 1 and 1 != 2", "true");
  check_result("'a' < 'b' and 'b' >= 'b' and 'a' <= 'b' and 'b' > 'a'", "true");
  check_result("true == false", "false");
  check_result("'x' != 'y'", "true");
}

TEST(Expression, LogicBindsNotBeforeAndBeforeOr) {
  check_result("true or false and false", "true");
  check_result("not true or true", "true");
  check_result("not (true or true)", "false");
  check_result("not not true", "true");
}

TEST(Expression, DoesNotEvaluateBeyondASettledResult) {
  check_result("false and 1 / 0 == 1", "false");
  check_result("true or 1 / 0 == 1", "true");
}

TEST(Expression, TextsAreSearched) {
  check_result("'abc' contains 'b'", "true");
  check_result("'abc' contains ''", "true");
  check_result("'abc' starts_with 'ab'", "true");
  check_result("'abc' ends_with 'ab'", "false");
  check_result("'src/a.cc' matches 'src/*.cc'", "true");
  check_result("'src/a.cc' matches '*.?c'", "true");
  check_result("'src/a.cc' matches 'src'", "false");
  check_result("'abc' matches '***'", "true");
  check_result("'' matches '?'", "false");
}

TEST(Expression, NamesAreAskedFor) {
  check_result("args.branch == 'branch'", "true");
  check_result("steps.build.files > 6", "true");
  check_result("steps.build.state", "'build'");
  check_result("plan.title", "'title'");
  check_result("plan.attempt == 1", "true");
  const auto names = Expression::parse("args.x == steps.a_1.summary")->names();
  ASSERT_EQ(names.size(), 2U);
  EXPECT_EQ(to_string(names[0]), "args.x");
  EXPECT_EQ(to_string(names[1]), "steps.a_1.summary");
  EXPECT_EQ(names[1].column, 11U);
}

TEST(Expression, FunctionsOfTexts) {
  check_result("number(args.n) + 1", "13");
  check_result("number(5)", "5");
  check_result("length('abc')", "3");
  check_mistake("number('1x')", "column 1", "is not a whole number");
  check_mistake("number(true)", "column 1", "takes a text");
  check_mistake("length(3)", "column 1", "takes a text, but this is a number: 3");
  check_mistake("length 3", "column 8", "needs its value in ( )");
}

TEST(Expression, DivisionByZeroIsAMistakeThatSaysHowToAvoidIt) {
  check_mistake("1 / 0 == 1", "column 3", "division by zero; ask first");
  check_mistake("1 % (2 - 2)", "column 3", "division by zero");
}

TEST(Expression, NumbersDoNotRunOver) {
  check_mistake("9223372036854775807 + 1", "column 21", "too large");
  check_mistake("0 - 9223372036854775807 - 2", "column 25", "too large");
  check_mistake("9223372036854775807 * 2", "column 21", "too large");
  check_mistake("-(0 - 9223372036854775807 - 1)", "column 1", "too large");
  check_mistake("(0 - 9223372036854775807 - 1) / -1", "column 31", "too large");
  check_result("(0 - 9223372036854775807 - 1) % -1", "0");
  check_mistake("9223372036854775808", "column 1", "the number is too large");
}

TEST(Expression, TypesAreCheckedWhereTheyMatter) {
  check_mistake("1 == '1'", "column 3", "number(…) converts a text to a number");
  check_mistake("true == 'true'", "column 6", "compare with \"true\"");
  check_mistake("1 + 'a'", "column 3", "+ takes numbers, but this is a text: \"a\"");
  check_mistake("'a' + 1", "column 5", "+ takes numbers");
  check_mistake("1 contains 'a'", "column 3", "contains takes texts");
  check_mistake("'a' contains 1", "column 5", "contains takes texts");
  check_mistake("not 1", "column 1", "not takes a truth");
  check_mistake("-'a'", "column 1", "- takes a number");
  check_mistake("1 and true", "column 3", "and takes truths");
  check_result("true or true and 'x'", "true");
  check_mistake("false or 'x'", "column 7", "or takes truths");
  check_mistake("true < false", "column 6", "< takes numbers or texts");
}

TEST(Expression, MistakesNameTheColumnAndTheCure) {
  check_mistake("", "column 1", "a value is missing before the end");
  check_mistake("1 ==", "column 5", "a value is missing before the end");
  check_mistake("and true", "column 1", "a value is missing before 'and'");
  check_mistake("1 < 2 < 3", "column 7", "cannot be chained");
  check_mistake("true)", "column 5", "remove it");
  check_mistake("(true", "column 6", "the ( of column 1 is not closed");
  check_mistake("args.x = 1", "column 8", "write == to compare");
  check_mistake("a && b", "column 1", "there is no 'a'");
  check_mistake("true && true", "column 6", "write and");
  check_mistake("true || true", "column 6", "write or");
  check_mistake("!true", "column 1", "write not");
  check_mistake("${x}", "column 1", "args.NAME");
  check_mistake("'abc", "column 1", "add '");
  check_mistake("'a\\x'", "column 3", "after \\");
  check_mistake("1.5", "column 2", "only whole numbers");
  check_mistake("steps.a.sate", "column 1", "did you mean steps.a.state?");
  check_mistake("steps.a", "column 1", "steps.a.");
  check_mistake("plan.titel", "column 1", "did you mean plan.title?");
  check_mistake("args.a.b", "column 1", "there is no");
  check_mistake("\x01", "column 1", "a control character");
  check_mistake("\xff", "column 1", "means nothing here");
}

TEST(Expression, DepthSizeAndWorkAreBounded) {
  const std::string open(Expression::kDeepest + 1, '(');
  check_mistake(open + "1", "column 66", "nested more than 64 deep");
  std::string nots;
  for (int i = 0; i < 70; ++i) nots += "not ";
  check_mistake(nots + "true", "column 261", "nested");
  check_mistake(std::string(Expression::kLongest + 1, ' '), "column 8192", "longer than");
  std::string sum = "1";
  for (int i = 0; i < 600; ++i) sum += "+1";
  EXPECT_NE(result_of(sum).find("more than 1024 parts"), std::string::npos);
  std::string few = "1";
  for (int i = 0; i < 500; ++i) few += "+1";
  EXPECT_EQ(result_of(few), "501");
  const std::string long_text(5000, 'a');
  const std::string costly = "'" + long_text + "' matches '*" + std::string(2500, 'a') + "b'";
  EXPECT_NE(result_of(costly).find("takes too long"), std::string::npos);
  const std::string sought = "'" + long_text + "' contains '" + std::string(1500, 'a') + "b'";
  EXPECT_NE(result_of(sought).find("takes too long"), std::string::npos);
}

TEST(Expression, AConditionComesToATruth) {
  EXPECT_TRUE(*Expression::parse("1 < 2")->holds(sample));
  const auto number = Expression::parse("1 + 1")->holds(sample);
  EXPECT_NE(number.error().message().find("must come to true or false"), std::string::npos);
}

// An expression together with what it must come to; none: a mistake.
struct Made {
  std::string text;
  std::optional<std::int64_t> number{};
};

class Maker {
 public:
  explicit Maker(unsigned seed) : random_(seed) {}

  Made number(int depth) {
    if (depth == 0 || pick(4) == 0) {
      const auto value = static_cast<std::int64_t>(pick(7));
      return {.text = std::to_string(value), .number = value};
    }
    const Made left = number(depth - 1);
    const Made right = number(depth - 1);
    constexpr std::string_view kOperators = "+-*/%";
    const char sign = kOperators[pick(kOperators.size())];
    Made made{.text = "(" + left.text + " " + sign + " " + right.text + ")"};
    if (left.number && right.number) made.number = applied(sign, *left.number, *right.number);
    return made;
  }

 private:
  static std::optional<std::int64_t> applied(char sign, std::int64_t left, std::int64_t right) {
    if (sign == '+') return left + right;
    if (sign == '-') return left - right;
    if (sign == '*') return left * right;
    if (right == 0) return std::nullopt;
    return sign == '/' ? left / right : left % right;
  }
  std::size_t pick(std::size_t below) { return random_() % below; }

  std::mt19937 random_;
};

TEST(Expression, ArithmeticIsThatOfTheMachineWhateverTheExpression) {
  for (unsigned seed = 0; seed < 2000; ++seed) {
    const Made made = Maker(seed).number(4);
    const std::string result = result_of(made.text);
    if (made.number) {
      EXPECT_EQ(result, std::to_string(*made.number)) << made.text;
    } else {
      EXPECT_NE(result.find("division by zero"), std::string::npos) << made.text;
    }
  }
}

TEST(Expression, EveryBeginningOfATextIsReadOrRefusedAtAColumn) {
  constexpr std::string_view kText =
      R"(steps.a.state == "do\"ne" and (number(args.n) / -2 >= 1 or not (plan.title matches 'a*')))";
  for (std::size_t length = 0; length <= kText.size(); ++length) {
    const auto read = Expression::parse(kText.substr(0, length));
    if (!read.ok()) EXPECT_TRUE(read.error().message().starts_with("column ")) << length;
  }
}

State plan_with_steps() {
  State plan;
  plan.title = "Build it";
  plan.corrections = 1;
  plan.reversions = 1;
  plan.settings.arguments = {{"mode", "fast"}};
  Step built;
  built.definition = {.id = "build", .title = "b"};
  built.state = model::StepState::kDone;
  built.summary = "2 warnings";
  built.files = 3;
  plan.steps.push_back(built);
  return plan;
}

void check_in_plan(std::string_view text, std::string_view expected) {
  const State plan = plan_with_steps();
  EXPECT_EQ(value_text(Expression::parse(text)->evaluate(names_in(plan))), expected) << text;
}

TEST(Expression, NamesOfAPlan) {
  check_in_plan("args.mode", "'fast'");
  check_in_plan("steps.build.state", "'done'");
  check_in_plan("steps.build.summary", "'2 warnings'");
  check_in_plan("steps.build.files", "3");
  check_in_plan("plan.title", "'Build it'");
  check_in_plan("plan.attempt", "3");
  check_in_plan("args.mod", "column 1: the plan has no argument mod; did you mean mode?");
  check_in_plan("steps.buidl.state", "column 1: the plan has no step buidl; did you mean build?");
  check_in_plan("args.zzzzzzzz", "column 1: the plan has no argument zzzzzzzz; there are mode");
}

TEST(Expression, AStepIsWantedIfItsConditionHolds) {
  const State plan = plan_with_steps();
  Step step;
  EXPECT_TRUE(*is_wanted(plan, step));
  step.definition.when = "steps.build.files > 3";
  EXPECT_FALSE(*is_wanted(plan, step));
  step.definition.when = "steps.build.files >";
  EXPECT_FALSE(is_wanted(plan, step).ok());
}

}  // namespace
}  // namespace clever::plan
