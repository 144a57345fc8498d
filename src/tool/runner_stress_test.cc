#include <gtest/gtest.h>

#include <algorithm>

#include "support/campaign.h"
#include "support/together.h"
#include "support/tool_workspace.h"
#include "tool/builtin_tools.h"
#include "tool/runner.h"
#include "tool/testing/test_tool.h"

namespace clever::tool {
namespace {

using test::path_of;
using test::ToolWorkspace;

constexpr int kCallers = 16;
constexpr int kWorkspaces = 4;

std::vector<std::shared_ptr<Tool>> all_tools() {
  auto tools = builtin_tools({});
  tools.push_back(internal::TestTool::reading(
      "throws", [](const CallContext&, std::string_view) -> base::Result<ToolAnswer> { throw 1; }));
  return tools;
}

// One turn: writes a file of its own, changes and reads it, with other calls around it.
struct Script {
  std::string file;
  std::string content;

  [[nodiscard]] std::vector<model::ToolCall> calls() const {
    const std::string path = "{\"path\":\"" + file + "\"";
    return {{file + "-list", "list_files", R"({"glob":"*.md"})"},
            {file + "-throws", "throws", "{}"},
            {file + "-write", "write_file", path + ",\"content\":\"" + content + "\"}"},
            {file + "-read", "read_file", path + "}"},
            {file + "-search", "search", "{\"pattern\":\"" + content + "\"}"},
            {file + "-wrong", "read_file", "{}"},
            {file + "-edit", "edit_file",
             path + ",\"old_text\":\"" + content + "\",\"new_text\":\"" + content + "!\"}"},
            {file + "-none", "nothing", "{}"},
            {file + "-again", "read_file", path + "}"}};
  }
};

void check_turn(const Script& script, const std::vector<CallResult>& results) {
  const auto calls = script.calls();
  ASSERT_EQ(results.size(), calls.size());
  for (std::size_t i = 0; i < calls.size(); ++i) EXPECT_EQ(results[i].id, calls[i].id);
  EXPECT_EQ(results[0].answer.text, "README.md\n");
  EXPECT_EQ(results[1].outcome, Outcome::kFailed);
  EXPECT_NE(results[3].answer.text.find("\t" + script.content + "\n"), std::string::npos);
  EXPECT_NE(results[4].answer.text.find(script.file + ":1: " + script.content), std::string::npos);
  EXPECT_EQ(results[5].outcome, Outcome::kRefused);
  EXPECT_EQ(results[7].outcome, Outcome::kRefused);
  EXPECT_NE(results[8].answer.text.find("\t" + script.content + "!\n"), std::string::npos);
  for (const std::size_t writing : {2UL, 6UL}) {
    ASSERT_EQ(results[writing].changes.size(), 1U) << results[writing].answer.text;
    EXPECT_EQ(results[writing].changes[0].path, script.file);
    EXPECT_EQ(results[writing].changes[0].tool, results[writing].tool);
    EXPECT_TRUE(results[writing].checkpoint.has_value());
  }
}

// Sixteen threads with turns of mixed calls on four workspaces: every result is its own call's, and
// every change is recorded by the call that made it, and by no other.
TEST(ToolRunnerStress, NoCallSeesAnother) {
  const ToolWorkspace files({{"README.md", "read me\n"}});
  std::vector<std::shared_ptr<sandbox::Workspace>> workspaces;
  for (int i = 0; i < kWorkspaces; ++i) workspaces.push_back(files.open("w" + std::to_string(i)));
  ToolRegistry registry;
  registry.set("test", all_tools()).value();
  base::SystemClock clock;
  ToolRunner runner(clock, {.threads = 8});
  const auto turns = static_cast<int>(test::campaign(6, 200));
  test::together(kCallers, [&](int worker) {
    for (int turn = 0; turn < turns; ++turn) {
      const std::string name = std::to_string(worker) + "-" + std::to_string(turn);
      const Script script{.file = "f" + name, .content = "content of " + name + "."};
      const auto& workspace = workspaces[static_cast<std::size_t>((worker + turn) % kWorkspaces)];
      check_turn(script, runner.run({.tools = registry.snapshot(),
                                     .workspace = workspace,
                                     .calls = script.calls()}));
    }
  });
  std::size_t changed = 0;
  for (const auto& workspace : workspaces) changed += workspace->status().value().size();
  EXPECT_EQ(changed, static_cast<std::size_t>(kCallers * turns));
}

// Tools come and go while turns run on the snapshot that they began with.
TEST(ToolRunnerStress, ToolsComeAndGo) {
  ToolRegistry registry;
  base::SystemClock clock;
  ToolRunner runner(clock, {.threads = 4});
  const auto turns = static_cast<int>(test::campaign(50, 2000));
  test::together(8, [&](int worker) {
    const std::string origin = "mcp:" + std::to_string(worker);
    const std::string name = "tool" + std::to_string(worker);
    for (int turn = 0; turn < turns; ++turn) {
      registry.set(origin, {internal::TestTool::answering(name, name)}).value();
      const auto results = runner.run({.tools = registry.snapshot(), .calls = {{"1", name, "{}"}}});
      EXPECT_EQ(results.at(0).answer.text, name);
      registry.remove(origin);
    }
  });
  EXPECT_TRUE(registry.snapshot()->tools().empty());
}

}  // namespace
}  // namespace clever::tool
