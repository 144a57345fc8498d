#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/actor/tool_actor.h"

namespace clever::engine {
namespace {

using testing::HasSubstr;

ActorArgument of(ArgumentType type) { return {.name = "a", .type = type, .choices = {"x", "y"}}; }

TEST(ArgumentType, HasANameBothWays) {
  for (const auto type : {ArgumentType::kString, ArgumentType::kInteger, ArgumentType::kNumber,
                          ArgumentType::kBoolean, ArgumentType::kChoice, ArgumentType::kPath}) {
    EXPECT_EQ(argument_type_from_string(to_string(type)), type);
    EXPECT_FALSE(expectation(of(type)).empty());
  }
  EXPECT_EQ(argument_type_from_string("text"), std::nullopt);
}

TEST(ArgumentType, DecidesWhichValuesFit) {
  const auto check = [](ArgumentType type, const std::vector<std::string>& good,
                        const std::vector<std::string>& bad) {
    for (const std::string& value : good) EXPECT_TRUE(fits(of(type), value)) << value;
    for (const std::string& value : bad) EXPECT_FALSE(fits(of(type), value)) << value;
  };
  check(ArgumentType::kString, {"", "a\nb"}, {});
  check(ArgumentType::kInteger, {"0", "-7", "9223372036854775807"},
        {"", "1.5", "a", " 1", "9223372036854775808"});
  check(ArgumentType::kNumber, {"0", "-1.5", "1e9"}, {"", "a", "inf", "nan", "1e999"});
  check(ArgumentType::kBoolean, {"true", "false"}, {"", "yes", "True"});
  check(ArgumentType::kChoice, {"x", "y"}, {"", "z"});
  check(ArgumentType::kPath, {"a", "a/b", "a/../b", "./a", "."},
        {"", "/a", "..", "../a", "a/../../b", std::string(1, '\0')});
}

TEST(ArgumentType, IsCheckedWhereItIsGiven) {
  Actor actor{.name = "local/x"};
  actor.arguments = {{.name = "times", .description = "how often", .type = ArgumentType::kInteger}};
  EXPECT_TRUE(actor_arguments(actor, {{"times", "3"}}).ok());
  EXPECT_TRUE(actor_arguments(actor, {}).ok());
  const auto wrong = actor_arguments(actor, {{"times", "three"}});
  EXPECT_EQ(wrong.error().code(), base::ErrorCode::kInvalidArgument);
  EXPECT_THAT(wrong.error().message(), HasSubstr("--arg times=three"));
  EXPECT_THAT(wrong.error().message(), HasSubstr("takes a whole number for \"times\" (how often)"));
}

}  // namespace
}  // namespace clever::engine
