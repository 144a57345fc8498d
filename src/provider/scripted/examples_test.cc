// The scripts that are shown to users work as they are.
#include <gtest/gtest.h>

#include "provider/scripted/script_player.h"
#include "support/built_paths.h"
#include "support/collected_attempt.h"
#include "support/scripts.h"

namespace clever::provider {
namespace {

std::filesystem::path example(std::string_view name) {
  return test::source_root() / "examples/scripts" / name;
}
TEST(Examples, HelloGreets) {
  ScriptPlayer player(Script::load(example("hello.yaml")).value());
  EXPECT_EQ(test::scripted_reply(player, test::user_says("Hi, my name is Ada.")),
            "Hello, Ada! I am a script; no model is called.");
  EXPECT_EQ(test::scripted_reply(player, test::user_says("What?")),
            "Tell me your name, for example \"My name is Ada\".");
}

TEST(Examples, FixTheTestReadsAndChanges) {
  ScriptPlayer player(Script::load(example("fix-the-test.yaml")).value());
  ModelRequest request = test::user_says("please fix the test");
  request.tools = {{.name = "read_file"}, {.name = "edit_file"}};
  const auto first = std::get<ScriptedAnswer>(player.answer(script_query("m", request)));
  EXPECT_EQ(first.reply.error->status, 529);
  EXPECT_EQ(test::scripted_reply(player, request), "I look at the code first.");
  request.messages.push_back(
      {model::Role::kAssistant, {model::ToolCall{.id = "1", .name = "read_file"}}});
  request.messages.push_back(
      {model::Role::kUser, {model::ToolResult{"1", {model::Text{"  return a - b"}}}}});
  const auto change = std::get<ScriptedAnswer>(player.answer(script_query("m", request)));
  EXPECT_EQ(change.reply.tool_calls.at(0).arguments,
            R"({"new_text":"return a + b","old_text":"return a - b","path":"src/add.py"})");
}

}  // namespace
}  // namespace clever::provider
