#include "tool/registry.h"

#include <gtest/gtest.h>

#include "tool/testing/test_tool.h"

namespace clever::tool {
namespace {

using internal::TestTool;

std::shared_ptr<Tool> named(std::string name) { return TestTool::answering(std::move(name), "ok"); }

TEST(ToolRegistry, ToolsAreFoundByName) {
  ToolRegistry registry;
  registry.set("builtin", {named("read_file"), named("write_file")}).value();
  const auto snapshot = registry.snapshot();
  EXPECT_EQ(snapshot->find("read_file").value()->tool->spec().name, "read_file");
  EXPECT_EQ(snapshot->find("read_file").value()->origin, "builtin");
  ASSERT_EQ(snapshot->specs().size(), 2U);
  EXPECT_EQ(snapshot->specs()[1].name, "write_file");
}

TEST(ToolRegistry, AnUnknownNameGetsTheNearest) {
  ToolRegistry registry;
  EXPECT_EQ(registry.snapshot()->find("x").error().message(), "there is no tool \"x\"");
  registry.set("builtin", {named("read_file"), named("search")}).value();
  EXPECT_EQ(registry.snapshot()->find("readfile").error().message(),
            "there is no tool \"readfile\"; did you mean \"read_file\"?");
  EXPECT_EQ(registry.snapshot()->find("compile").error().message(),
            "there is no tool \"compile\"; there are: read_file, search");
}

TEST(ToolRegistry, ASnapshotStaysAsItWas) {
  ToolRegistry registry;
  registry.set("mcp:a", {named("a__x")}).value();
  const auto before = registry.snapshot();
  registry.set("mcp:a", {named("a__y")}).value();
  EXPECT_TRUE(before->find("a__x").ok());
  EXPECT_FALSE(registry.snapshot()->find("a__x").ok());
  EXPECT_TRUE(registry.snapshot()->find("a__y").ok());
}

TEST(ToolRegistry, RemovingTakesOnlyThatOriginsTools) {
  ToolRegistry registry;
  registry.set("builtin", {named("one")}).value();
  registry.set("mcp:a", {named("two")}).value();
  registry.remove("mcp:a");
  EXPECT_TRUE(registry.snapshot()->find("one").ok());
  EXPECT_FALSE(registry.snapshot()->find("two").ok());
}

TEST(ToolRegistry, ANameBelongsToOneOrigin) {
  ToolRegistry registry;
  registry.set("builtin", {named("one")}).value();
  const auto taken = registry.set("tools.yaml", {named("zero"), named("one")});
  EXPECT_EQ(taken.error().code(), base::ErrorCode::kAlreadyExists);
  EXPECT_EQ(taken.error().message(),
            "the tool \"one\" of tools.yaml has the name of a tool of builtin; rename one of them");
  EXPECT_FALSE(registry.snapshot()->find("zero").ok());
}

TEST(ToolRegistry, AListMustNotRepeatAName) {
  ToolRegistry registry;
  EXPECT_EQ(registry.set("tools.yaml", {named("one"), named("one")}).error().message(),
            "tools.yaml has two tools named \"one\"; names are unique: rename one of them");
}

TEST(ToolRegistry, NamesHaveRules) {
  EXPECT_TRUE(check_tool_name("a-Z_09").ok());
  EXPECT_TRUE(check_tool_name(std::string(64, 'a')).ok());
  for (const std::string& bad : {std::string(), std::string(65, 'a'), std::string("a b"),
                                 std::string("ä"), std::string("a.b")}) {
    ToolRegistry registry;
    EXPECT_EQ(registry.set("x", {named(bad)}).error().code(), base::ErrorCode::kInvalidArgument);
  }
  EXPECT_EQ(check_tool_name("a.b").error().message(),
            "\"a.b\" is not a valid tool name: use 1 to 64 letters, digits, '_' or '-'");
}

TEST(ToolRegistry, ASchemaThatIsWrongIsRefused) {
  ToolRegistry registry;
  const auto bad_input = registry.set(
      "x", {std::make_shared<TestTool>(ToolSpec{.name = "t", .input_schema = "{"}, nullptr)});
  EXPECT_TRUE(
      bad_input.error().sentence().starts_with("the input schema of the tool \"t\": not JSON: "))
      << bad_input.error().sentence();
  const auto bad_output =
      registry.set("x", {std::make_shared<TestTool>(
                            ToolSpec{.name = "t", .output_schema = R"({"type":1})"}, nullptr)});
  EXPECT_TRUE(bad_output.error().sentence().starts_with(
      "the output schema of the tool \"t\": the schema at /type is 1"))
      << bad_output.error().sentence();
}

TEST(ToolRegistry, SourcesHaveNames) {
  EXPECT_EQ(to_string(Source::kBuiltin), "builtin");
  EXPECT_EQ(to_string(Source::kCustom), "custom");
  EXPECT_EQ(to_string(Source::kMcp), "mcp");
  EXPECT_EQ(to_string(Source::kAgentSkill), "agent_skill");
  EXPECT_EQ(to_string(Source::kWrapped), "wrapped");
}

}  // namespace
}  // namespace clever::tool
