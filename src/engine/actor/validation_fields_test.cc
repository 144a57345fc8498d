#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/actor/action.h"

namespace clever::engine {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

base::Result<Action> action_with(const std::string& validations) {
  return action_from_yaml("name: local/x\ndescription: X.\nvalidations:\n" + validations, "x.yaml");
}
std::string failure(const std::string& validations) {
  const auto action = action_with(validations);
  EXPECT_FALSE(action.ok());
  return action.ok() ? "" : action.error().message();
}

TEST(ActionValidations, AreReadAsInTheSettings) {
  const auto action = action_with(
      "  - {name: tests, command: make test, timeout: 5m}\n"
      "  - {name: lint, command: [npm, run, lint], required: false}\n"
      "  - {name: looks, tool: read_file, arguments: {path: a.txt}}\n");
  ASSERT_TRUE(action.ok()) << action.error().message();
  const auto& all = action->validations;
  ASSERT_EQ(all.size(), 3U);
  EXPECT_THAT(all[0].argv, ElementsAre("sh", "-c", "make test"));
  EXPECT_EQ(all[0].timeout, std::chrono::minutes{5});
  EXPECT_EQ(all[0].origin, "action");
  EXPECT_TRUE(all[0].required);
  EXPECT_THAT(all[1].argv, ElementsAre("npm", "run", "lint"));
  EXPECT_FALSE(all[1].required);
  EXPECT_EQ(all[2].tool, "read_file");
  EXPECT_EQ(all[2].arguments, R"({"path":"a.txt"})");
}

TEST(ActionValidations, NameFileLinePlaceAndCure) {
  EXPECT_THAT(failure("  - {name: a, comand: x}\n"), HasSubstr("x.yaml:4: validations[1]"));
  EXPECT_THAT(failure("  - {name: a, comand: x}\n"), HasSubstr("command"));
  EXPECT_THAT(failure("  - {command: x}\n"), HasSubstr("\"name\" is missing"));
  EXPECT_THAT(failure("  - {name: a}\n"), HasSubstr("neither command nor tool"));
  EXPECT_THAT(failure("  - {name: a, command: x, tool: y}\n"), HasSubstr("has command and tool"));
  EXPECT_THAT(failure("  - {name: a, command: []}\n"), HasSubstr("a text for the shell"));
  EXPECT_THAT(failure("  - {name: a, command: {x: 1}}\n"), HasSubstr("must be a text"));
  EXPECT_THAT(failure("  - {name: a, command: x, timeout: soon}\n"),
              HasSubstr("a duration such as"));
  EXPECT_THAT(failure("  - {name: a, tool: x, arguments: 3}\n"), HasSubstr("a mapping such as"));
  EXPECT_THAT(failure("  - {name: a, command: x}\n  - {name: a, command: y}\n"),
              HasSubstr("x.yaml:5: validations[2]: the validation \"a\" is there already"));
  EXPECT_THAT(failure("  tests: make\n"), HasSubstr("a list such as"));
}

}  // namespace
}  // namespace clever::engine
