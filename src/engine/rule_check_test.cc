#include "engine/rule_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace clever::engine {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

tool::ToolSpec known_tool(std::string name, std::string properties) {
  return {.name = std::move(name), .input_schema = R"({"properties":{)" + properties + "}}"};
}

KnownTools some_tools(bool answered = true) {
  KnownTools known{.tools = {known_tool("run_command", R"("command":{})"),
                             known_tool("write_file", R"("path":{},"content":{})"),
                             known_tool("delete_file", R"("path":{})"), known_tool("git_diff", "")},
                   .servers = {{.name = "github", .answered = answered},
                               {.name = "my server", .answered = false}}};
  if (answered) known.tools.push_back(known_tool("mcp__github__merge", R"("branch":{})"));
  return known;
}

std::string complaint(const std::string& rule, const KnownTools& known = some_tools()) {
  const auto all =
      rules_without_effect({{.text = rule, .place = "here", .may_be_sensitive = true}}, known);
  return all.empty() ? "" : all.front();
}

TEST(RuleCheck, RulesThatMatchAreLeftAlone) {
  for (const char* rule :
       {"run_command", "run_command(git push *)", "run_command(npm run build:*)", "*_file",
        "write_file(docs/**)", "write_file(**)", "mcp__github__merge", "mcp__github__*", "mcp__*",
        "github__merge", "mcp__github__merge(main)", "mcp__my_server__any", "my_server__*", "*",
        "git_diff", "sensitive", "sensitive(ci)", "sensitive(*)", "sensitive(.github/**)"}) {
    EXPECT_EQ(complaint(rule), "") << rule;
  }
}

TEST(RuleCheck, WhatMatchesNothingIsNamedWithItsCure) {
  const std::vector<std::pair<std::string, std::string>> table{
      {"delete_flie", "no tool has this name; did you mean delete_file?"},
      {"frobnicate", "no tool has this name"},
      {"submit_strategy", "no tool has this name"},
      {"mcp__githb__*", "no MCP server has the name githb; did you mean github?"},
      {"mcp__weather__*", "no MCP server has the name weather; there are: github, my server"},
      {"mcp__github__mrge", "no tool has this name; did you mean mcp__github__merge?"},
      {"mcp__my_server__", "no tool has this name"},
      {"write_file(/etc/**)", "a path is compared as it is from the project's root"},
      {"write_file(./docs/**)", "a path is compared as it is from the project's root"},
      {"write_file(docs/)", "a path is compared as it is from the project's root"},
      {"write_file(../a)", "a path is compared as it is from the project's root"},
      {"run_command(curl * | sh)", "no command has the word |"},
      {"run_command(cd x && rm *)", "no command has the word &&"},
      {"run_command(git commit -m \"x\")", "leave the quotes out"},
      {"git_diff(a)", "git_diff is called with nothing"},
      {"sensitive(cii)", "no kind of sensitive change has this name; did you mean ci?"},
      {"(x)", "is not a rule"}};
  for (const auto& [rule, why] : table) {
    EXPECT_THAT(complaint(rule), HasSubstr("here: \"" + rule + "\" matches nothing: ")) << rule;
    EXPECT_THAT(complaint(rule), HasSubstr(why)) << rule;
  }
}

// Until a server has said what it offers, every tool of its name may be there.
TEST(RuleCheck, AServerThatHasNotAnsweredMayHaveAnyTool) {
  EXPECT_EQ(complaint("mcp__github__mrge", some_tools(false)), "");
  EXPECT_EQ(complaint("*__mrge", some_tools(false)), "");
  EXPECT_NE(complaint("mcp__gitlab__mrge", some_tools(false)), "");
}

// If one of several tools can be called so, the rule has an effect.
TEST(RuleCheck, OneToolThatFitsIsEnough) { EXPECT_EQ(complaint("*(git push | x)"), ""); }

TEST(RuleCheck, SensitiveIsNotATool) {
  EXPECT_THAT(
      rules_without_effect({{.text = "sensitive", .place = "guards.denied_tools"}}, some_tools()),
      ElementsAre(HasSubstr("no tool has this name")));
}

TEST(RuleCheck, AllRulesOfAPlanAreLookedAt) {
  const model::Control control{.permissions = {{model::Verdict::kDeny, "a", "your settings"},
                                               {model::Verdict::kAsk, "b", ""}},
                               .hooks = {{.name = "guard", .event = "tool.before", .match = "c"},
                                         {.name = "all", .event = "tool.before"}},
                               .guards = {.denied_tools = {"d"}, .allowed_tools = {"e"}}};
  std::vector<std::string> places;
  for (const PlacedRule& rule : rules_in(control)) places.push_back(rule.text + " " + rule.place);
  EXPECT_THAT(places, ElementsAre("a permissions.deny of your settings", "b permissions.ask",
                                  "d guards.denied_tools", "e guards.allowed_tools",
                                  "c match of the hook guard"));
  EXPECT_THAT(rules_without_effect({}, some_tools()), IsEmpty());
}

}  // namespace
}  // namespace clever::engine
