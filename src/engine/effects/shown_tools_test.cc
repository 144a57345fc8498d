#include "engine/effects/internal/shown_tools.h"

#include <gtest/gtest.h>

#include "tool/builtin_tools.h"

namespace clever::engine::internal {
namespace {

class SeenTools final : public Observer {
 public:
  void on_tool(const model::PlanId&, const std::string& call, bool begins) override {
    calls.push_back((begins ? "+" : "-") + call);
  }
  std::vector<std::string> calls;
};

class Echo final : public tool::Tool {
 public:
  [[nodiscard]] const tool::ToolSpec& spec() const override { return spec_; }
  base::Result<tool::ToolAnswer> call(const tool::CallContext&, std::string_view input) override {
    return tool::ToolAnswer{.text = std::string(input)};
  }

 private:
  const tool::ToolSpec spec_{.name = "echo", .description = "Says it again"};
};

TEST(ShownCall, TakesTheArgumentThatSaysMost) {
  EXPECT_EQ(shown_call("edit_file", R"({"old_text":"x","path":"src/a.cc"})"), "edit_file src/a.cc");
  EXPECT_EQ(shown_call("run_command", R"({"command":"make\ntest"})"), "run_command make");
  EXPECT_EQ(shown_call("list_files", "{}"), "list_files");
}

TEST(ShownCall, AnInvalidObjectShowsTheNameAlone) {
  EXPECT_EQ(shown_call("x", "{"), "x");
  EXPECT_EQ(shown_call("x", "[1]"), "x");
}

TEST(ShownCall, IsCutBetweenCharacters) {
  std::string path;
  for (int i = 0; i < 60; ++i) path += "ä";
  const std::string shown = shown_call("read_file", R"({"path":")" + path + "\"}");
  EXPECT_EQ(shown, "read_file " + path.substr(0, 70) + "…");
}

TEST(ShownTools, TellWhenTheyBeginAndEnd) {
  tool::ToolRegistry registry;
  registry.set("test", {std::make_shared<Echo>()}).value();
  SeenTools seen;
  const std::vector<model::ToolCall> calls{{.name = "echo"}, {.name = "echo"}, {.name = "none"}};
  const auto tools = shown_tools(registry.snapshot(), calls, &seen, {});
  EXPECT_EQ((*tools->find("echo"))->tool->call({}, R"({"path":"p"})")->text, R"({"path":"p"})");
  EXPECT_EQ(seen.calls, (std::vector<std::string>{"+echo p", "-echo p"}));
}

TEST(ShownTools, WithoutAnObserverNothingIsWrapped) {
  tool::ToolRegistry registry;
  const auto tools = registry.snapshot();
  EXPECT_EQ(shown_tools(tools, {}, nullptr, {}), tools);
}

}  // namespace
}  // namespace clever::engine::internal
