#include "service/demo/demo_project.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "io/process.h"
#include "model/strategy.h"
#include "provider/scripted/script.h"
#include "service/demo/demo_copy.h"
#include "support/temporary_directory.h"

namespace clever::service {
namespace {

// The tests of the project in a folder of their own.
DemoTests tests_with(const std::vector<DemoFile>& files) {
  const test::TemporaryDirectory folder;
  for (const DemoFile& file : files) {
    const auto path = folder / file.path;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << file.content;
  }
  const auto result =
      io::run_process({.argv = {"sh", "test.sh"}, .working_directory = folder.path()}).value();
  EXPECT_EQ(result.error_output, "");
  return demo_tests_of(result.output).value();
}

std::vector<DemoFile> repaired(const DemoRepair& repair, std::vector<DemoFile> files) {
  for (DemoFile& file : files) {
    if (file.path != "lib/" + std::string(repair.name) + ".sh") continue;
    const std::size_t at = file.content.find(repair.wrong);
    EXPECT_NE(at, std::string::npos) << repair.name;
    file.content.replace(at, repair.wrong.size(), repair.right);
  }
  return files;
}

TEST(DemoProjectTest, AllTestsFail) {
  const DemoTests tests = tests_with(demo_files());
  EXPECT_EQ(tests.passed, 0);
  EXPECT_EQ(tests.failed, 8);
}

TEST(DemoProjectTest, EachRepairTurnsOneTestGreen) {
  for (const DemoRepair& repair : demo_repairs()) {
    SCOPED_TRACE(repair.name);
    EXPECT_EQ(tests_with(repaired(repair, demo_files())).passed, 1);
  }
}

TEST(DemoProjectTest, AllRepairsTurnAllTestsGreen) {
  auto files = demo_files();
  for (const DemoRepair& repair : demo_repairs()) files = repaired(repair, std::move(files));
  EXPECT_EQ(tests_with(files).failed, 0);
}

provider::Script script() { return provider::Script::parse(demo_script(), "demo").value(); }

TEST(DemoProjectTest, TheScriptSubmitsAStrategyOfEightSubplans) {
  const provider::Script read = script();
  const auto rule = std::ranges::find(read.rules, "strategy", &provider::ScriptRule::name);
  ASSERT_NE(rule, read.rules.end());
  const auto strategy =
      model::Strategy::parse(rule->replies.front().tool_calls.front().arguments).value();
  EXPECT_EQ(strategy.steps.size(), 8U);
  EXPECT_TRUE(std::ranges::all_of(strategy.steps, [](const model::StrategyStep& step) {
    return step.mode == model::StepMode::kSubplan;
  }));
}

TEST(DemoProjectTest, TheScriptRepairsEachFunction) {
  const provider::Script read = script();
  for (const DemoRepair& repair : demo_repairs()) {
    const auto rule = std::ranges::find(read.rules, "repair " + std::string(repair.name),
                                        &provider::ScriptRule::name);
    ASSERT_NE(rule, read.rules.end()) << repair.name;
    EXPECT_EQ(rule->replies.front().tool_calls.front().name, "edit_file");
  }
}

TEST(DemoTestsTest, TheLastLineCounts) {
  const DemoTests tests = demo_tests_of("ok    1 passed\nFAIL  x\n3 passed, 5 failed\n").value();
  EXPECT_EQ(tests.passed, 3);
  EXPECT_EQ(tests.failed, 5);
}

TEST(DemoTestsTest, OutputWithoutNumbersIsAnError) {
  EXPECT_THAT(demo_tests_of("sh: not found").error().sentence(),
              ::testing::HasSubstr("sh test.sh"));
  EXPECT_FALSE(demo_tests_of("none passed, none failed").ok());
}

}  // namespace
}  // namespace clever::service
