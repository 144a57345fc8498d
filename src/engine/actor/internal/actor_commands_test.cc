#include "engine/actor/internal/actor_commands.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace clever::engine::internal {
namespace {

using testing::ElementsAre;

TEST(CommandLine, AListKeepsValuesAsWholeArguments) {
  const ToolActorStep step{.kind = "command", .argv = {"run", "--x=${a}", "${paths}", "${path}"}};
  EXPECT_THAT(command_line(step, {{"a", "1 $(rm) '"}, {"path", "-p"}}, {"b c", "-d"}),
              ElementsAre("run", "--x=1 $(rm) '", "b c", "./-d", "./-p"));
}

TEST(CommandLine, ATextGetsVariablesOfTheShell) {
  const ToolActorStep step{.kind = "command",
                           .values = {{"run", "echo \"${a}\" ${a} \"${b}\" $${c} \"$@\""}}};
  EXPECT_THAT(
      command_line(step, {{"a", "; rm"}, {"b", "2"}}, {"f"}),
      ElementsAre("sh", "-c", "a=${1}\nb=${2}\nshift 2\necho \"${a}\" ${a} \"${b}\" ${c} \"$@\"",
                  "sh", "; rm", "2", "f"));
}

TEST(CommandLine, FilesInBatches) {
  EXPECT_TRUE(batches_of({}).empty());
  EXPECT_EQ(batches_of(std::vector<std::string>(2500, "f")).size(), 3U);
  const auto batches = batches_of(std::vector<std::string>(100, std::string(3000, 'f')));
  EXPECT_EQ(batches.size(), 4U);
  EXPECT_EQ(batches.front().size(), 32U);
  EXPECT_EQ(batches_of({std::string(200'000, 'f')}).size(), 1U);
}

TEST(CommandLine, Timeouts) {
  EXPECT_EQ(timeout_of({}), std::chrono::minutes(10));
  EXPECT_EQ(timeout_of({.values = {{"timeout_s", "5"}}}), std::chrono::seconds(5));
}

}  // namespace
}  // namespace clever::engine::internal
