#include "base/result.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace clever::base {
namespace {

Result<int> half(int number) {
  if (number % 2 != 0) return invalid_argument(std::to_string(number) + " is odd");
  return number / 2;
}

Result<void> require_even(int number) {
  CLEVER_TRY(half(number));
  return {};
}

Result<int> quarter(int number) {
  CLEVER_ASSIGN(const int once, half(number));
  CLEVER_ASSIGN(const int twice, half(once));
  return twice;
}

TEST(Result, HoldsAValue) {
  const Result<int> result = 5;
  EXPECT_TRUE(result.ok());
  EXPECT_TRUE(result);
  EXPECT_EQ(result.value(), 5);
  EXPECT_EQ(*result, 5);
}

TEST(Result, HoldsAnError) {
  const Result<int> result = not_found("nothing");
  EXPECT_FALSE(result.ok());
  EXPECT_FALSE(result);
  EXPECT_EQ(result.error(), not_found("nothing"));
}

TEST(Result, AValueCanBeChangedInPlace) {
  Result<std::string> result = "a";
  result.value() += "b";
  *result += "c";
  result->append("d");
  EXPECT_EQ(*result, "abcd");
  EXPECT_EQ(std::as_const(result)->size(), 4U);
}

TEST(Result, AnErrorCanBeChangedInPlace) {
  Result<int> result = not_found("nothing");
  result.error().add_context("looking");
  EXPECT_EQ(std::move(result).error().to_string(), "looking: nothing (not_found)");
}

TEST(Result, HandsOverWhatCannotBeCopied) {
  Result<std::unique_ptr<int>> result = std::make_unique<int>(7);
  const std::unique_ptr<int> taken = std::move(result).value();
  EXPECT_EQ(*taken, 7);
  const std::unique_ptr<int> other = *Result<std::unique_ptr<int>>(std::make_unique<int>(8));
  EXPECT_EQ(*other, 8);
}

TEST(Result, ConvertsWhatItsValueIsMadeOf) {
  const Result<std::string> result = "literal";
  EXPECT_EQ(*result, "literal");
}

TEST(Result, ValueOrGivesTheFallbackOnlyForAnError) {
  EXPECT_EQ(half(8).value_or(-1), 4);
  EXPECT_EQ(half(7).value_or(-1), -1);
  EXPECT_EQ(Result<std::string>(not_found("")).value_or("none"), "none");
}

TEST(Result, ContextReachesTheErrorAndSparesTheValue) {
  EXPECT_EQ(half(7).context("halving").error().to_string(), "halving: 7 is odd (invalid_argument)");
  EXPECT_EQ(half(8).context("halving").value(), 4);
}

TEST(Result, AndThenChainsWhatMayFail) {
  EXPECT_EQ(half(8).and_then(half).value(), 2);
  EXPECT_EQ(half(6).and_then(half).error().message(), "3 is odd");
  EXPECT_EQ(half(5).and_then(half).error().message(), "5 is odd");
}

TEST(Result, AndThenChainsWhatCannotFail) {
  const Result<std::string> text = half(8).and_then([](int n) { return std::to_string(n); });
  EXPECT_EQ(text.value(), "4");
  EXPECT_FALSE(half(7).and_then([](int n) { return std::to_string(n); }).ok());
}

TEST(ResultOfVoid, Succeeds) {
  const Result<void> result;
  EXPECT_TRUE(result.ok());
  EXPECT_TRUE(result);
  result.value();
}

TEST(ResultOfVoid, Fails) {
  Result<void> result = cancelled("stopped");
  EXPECT_FALSE(result.ok());
  EXPECT_FALSE(result);
  result.error().add_context("waiting");
  EXPECT_EQ(std::as_const(result).error().to_string(), "waiting: stopped (cancelled)");
  EXPECT_EQ(std::move(result).error().code(), ErrorCode::kCancelled);
}

TEST(ResultOfVoid, ContextReachesTheError) {
  EXPECT_EQ(Result<void>(cancelled("stopped")).context("waiting").error().context().size(), 1U);
  EXPECT_TRUE(Result<void>().context("waiting").ok());
}

TEST(ResultMacros, TryReturnsTheError) {
  EXPECT_TRUE(require_even(4).ok());
  EXPECT_EQ(require_even(3).error().message(), "3 is odd");
}

TEST(ResultMacros, AssignDeclaresTheValueOrReturnsTheError) {
  EXPECT_EQ(quarter(12).value(), 3);
  EXPECT_EQ(quarter(6).error().message(), "3 is odd");
  EXPECT_EQ(quarter(5).error().message(), "5 is odd");
}

TEST(ResultDeathTest, ReadingAValueThatIsNotThereNamesTheError) {
  EXPECT_DEATH(static_cast<void>(half(3).value()), "3 is odd \\(invalid_argument\\)");
  EXPECT_DEATH(Result<void>(cancelled("stopped")).value(), "stopped \\(cancelled\\)");
}

TEST(ResultDeathTest, ReadingAnErrorThatIsNotThereIsABug) {
  EXPECT_DEATH(static_cast<void>(half(4).error()), "error\\(\\) of a Result that succeeded");
  Result<void> success;
  EXPECT_DEATH(static_cast<void>(success.error()), "error\\(\\) of a Result that succeeded");
  EXPECT_DEATH(static_cast<void>(std::as_const(success).error()), "of a Result that succeeded");
}

}  // namespace
}  // namespace clever::base
