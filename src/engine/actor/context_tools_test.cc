#include "engine/actor/context_tools.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/test_view.h"
#include "support/tool_workspace.h"
#include "tool/registry.h"

namespace clever::engine {
namespace {

using test::ToolWorkspace;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

// Answers with what it was asked.
class Echo final : public ContextSource {
 public:
  base::Result<AssembledContext> assemble(const ContextRequest& request, const base::StopToken&,
                                          base::Deadline) override {
    asked = request;
    return answer;
  }
  ContextRequest asked;
  base::Result<AssembledContext> answer =
      AssembledContext{.fragments = {{.text = "Found by search:", .tag = "context"},
                                     {.path = "a.cc", .text = "int a;", .why = "defines `a`"}},
                       .remark = "Not shown: 3 more"};
};

std::shared_ptr<const context::History> history_of_the_login() {
  auto history = std::make_shared<test::TestHistory>();
  history->about = "login";
  history->related_paths = {
      {.path = "login.cc", .score = 1, .subject = "Fix the login", .commit = "4f2a91c"}};
  return history;
}

class ContextToolsTest : public testing::Test {
 protected:
  ContextToolsTest()
      : tools_(context_tools(
            {.source = source_,
             .project = {.root = workspace_.folder.path()},
             .history = [this](const base::StopToken&, base::Deadline) { return history_; },
             .decisions = [this](const base::StopToken&) { return notes_; }})) {}

  base::Result<tool::ToolAnswer> call(std::size_t which, std::string_view input,
                                      std::size_t limit = 10'000) {
    return tools_[which]->call({.workspace = workspace_.workspace, .output_limit = limit}, input);
  }

  const ToolWorkspace workspace_{{{"a.cc", "int a;\n"}}};
  Echo source_;
  base::Result<std::shared_ptr<const context::History>> history_ = history_of_the_login();
  base::Result<std::vector<context::DecisionNote>> notes_ = std::vector<context::DecisionNote>{
      {.question = "How is it built?", .choice = "with cmake"},
      {.question = "How do users sign in?", .choice = "a login form", .rationale = "simple"},
      {.question = "Which login?", .choice = "the login of the shop"}};
  const std::vector<std::shared_ptr<tool::Tool>> tools_;
};

TEST_F(ContextToolsTest, AreToolsThatOnlyRead) {
  tool::ToolRegistry registry;
  ASSERT_TRUE(registry.set(kContextOrigin, tools_).ok());
  for (const auto& tool : tools_) EXPECT_TRUE(tool->spec().capabilities.read_only);
  EXPECT_EQ(tools_[0]->spec().name, "request_context");
  EXPECT_EQ(tools_[1]->spec().name, "query_history");
}

TEST_F(ContextToolsTest, MoreContextIsShownAndCountsAsRead) {
  const auto answer = call(0, R"({"query":"where is a?"})").value();
  EXPECT_EQ(answer.text,
            "## About\nFound by search:\n\n## a.cc (defines `a`)\nint a;\n\nNot shown: 3 more\n");
  EXPECT_EQ(source_.asked.query, "where is a?");
  EXPECT_EQ(source_.asked.tree, workspace_.workspace->tree().value());
  EXPECT_TRUE(workspace_.workspace->reads().contains("a.cc"));
}

TEST_F(ContextToolsTest, FocusAndBudgetArePassedOn) {
  (void)call(0, R"({"query":"a","focus":["a.cc","b.cc"],"budget":700})");
  EXPECT_EQ(source_.asked.focus, (std::vector<std::string>{"a.cc", "b.cc"}));
  EXPECT_EQ(source_.asked.tokens, 700U);
}

TEST_F(ContextToolsTest, AnAnswerIsCutToItsLimit) {
  source_.answer->fragments = {{.path = "a.cc", .text = std::string(5'000, 'x')}};
  const auto answer = call(0, R"({"query":"a"})", 1'000).value();
  EXPECT_LE(answer.text.size(), 1'000U);
  EXPECT_TRUE(answer.truncated);
}

TEST_F(ContextToolsTest, NothingFoundIsSaid) {
  source_.answer = AssembledContext{};
  EXPECT_EQ(call(0, R"({"query":"a"})")->text, "nothing was found");
  history_ = base::unavailable("no repository");
  notes_ = std::vector<context::DecisionNote>();
  EXPECT_THAT(call(1, R"({"query":"x"})")->text, HasSubstr("no repository"));
}

TEST_F(ContextToolsTest, WhatGoesWrongIsReportedToTheEngine) {
  source_.answer = base::internal_error("broken");
  EXPECT_FALSE(call(0, R"({"query":"a"})").ok());
}

TEST_F(ContextToolsTest, HistoryTellsFilesAndDecisions) {
  const std::string text = call(1, R"({"query":"login"})")->text;
  EXPECT_THAT(text, AllOf(HasSubstr("login.cc: 4f2a91c Fix the login"),
                          HasSubstr("- How do users sign in? a login form (simple)"),
                          Not(HasSubstr("cmake"))));
}

TEST_F(ContextToolsTest, HistoryThatKnowsNothingSaysSo) {
  EXPECT_EQ(call(1, R"({"query":"weather"})")->text,
            "nothing like that is in the project's history");
  notes_ = base::unavailable("the database is locked");
  EXPECT_THAT(call(1, R"({"query":"weather"})")->text, HasSubstr("the database is locked"));
}

}  // namespace
}  // namespace clever::engine
