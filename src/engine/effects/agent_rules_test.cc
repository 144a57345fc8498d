#include "engine/effects/internal/agent_rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/automation.h"

namespace clever::engine::internal {
namespace {

using model::Verdict;

class AgentRules : public ::testing::Test {
 protected:
  AcpVerdict verdict(const AcpAsk& ask) { return verdict_on(plan_, actor_, ask); }
  bool allowed(const AcpAsk& ask) { return verdict(ask).verdict == Verdict::kAllow; }
  bool asked(const AcpAsk& ask) { return verdict(ask).verdict == Verdict::kAsk; }
  std::string why(const AcpAsk& ask) { return verdict(ask).why; }
  void rule(Verdict verdict, std::string pattern) {
    plan_.settings.control.permissions.push_back(
        {.verdict = verdict, .pattern = std::move(pattern), .origin = "test"});
  }
  Messages::Loaded said(std::string text) {
    return std::make_shared<const model::Message>(
        model::Message{.role = model::Role::kUser, .parts = {model::Text{std::move(text)}}});
  }

  plan::State plan_{};
  Actor actor_{};
};

TEST_F(AgentRules, WhatIsConfinedIsAllowed) {
  EXPECT_TRUE(allowed({.kinds = {"edit"}, .paths = {"a.txt"}}));
  EXPECT_TRUE(allowed({.kinds = {"execute"}, .commands = {"make"}}));
  EXPECT_TRUE(allowed({.kinds = {"think"}}));
  EXPECT_TRUE(allowed({.kinds = {"read"}}));
}

TEST_F(AgentRules, FetchingNeedsTheNetwork) {
  EXPECT_FALSE(allowed({.kinds = {"fetch"}}));
  actor_.program.network = true;
  EXPECT_TRUE(allowed({.kinds = {"fetch"}}));
}

TEST_F(AgentRules, ARuleDeniesOrAsks) {
  rule(Verdict::kDeny, "run_command(git push *)");
  rule(Verdict::kAsk, "write_file(docs/**)");
  EXPECT_FALSE(allowed({.kinds = {"execute"}, .commands = {"git push origin"}}));
  EXPECT_TRUE(allowed({.kinds = {"execute"}, .commands = {"git status"}}));
  EXPECT_TRUE(asked({.kinds = {"edit"}, .paths = {"a.txt", "docs/b.md"}}));
  EXPECT_TRUE(allowed({.kinds = {"edit"}, .paths = {"a.txt"}}));
  // A refusal counts more than a question.
  EXPECT_FALSE(asked(
      {.kinds = {"edit", "execute"}, .commands = {"git push origin"}, .paths = {"docs/b.md"}}));
}

TEST_F(AgentRules, WhatAPersonDecidedIsNotAskedAgain) {
  rule(Verdict::kAsk, "run_command(git push *)");
  const AcpAsk ask{.kinds = {"execute"}, .title = "Push", .commands = {"git push origin"}};
  AcpAsk again = ask;
  again.title = "Push it now";
  EXPECT_TRUE(asked(ask));
  plan_.agent_answers.push_back({.id = ask_id(ask), .what = "Push", .allowed = true});
  EXPECT_TRUE(allowed(again));
  plan_.agent_answers.push_back(
      {.id = ask_id(ask), .what = "Push", .allowed = false, .reason = "not on a Friday"});
  EXPECT_EQ(why(again), "a person rejected it: not on a Friday");
  again.commands = {"git push upstream"};
  EXPECT_TRUE(asked(again));
}

TEST_F(AgentRules, TheNextMessageSaysWhatAPersonDecided) {
  plan_.tree = "t";
  plan_.agent_answers = {{.id = "1", .what = "git push", .allowed = true},
                         {.id = "2", .what = "rm -r x", .allowed = false, .reason = "keep it"}};
  const AgentSession session{.step = "s", .tree = "t", .prompts = 1, .answers = 1};
  EXPECT_EQ(agent_follow_up(plan_, "s", {said("All")}, {}, session),
            "A person rejected this call; go on without it: rm -r x (keep it)");
}

TEST_F(AgentRules, GuardsCountToo) {
  plan_.settings.control.guards.denied_tools = {"delete_file"};
  EXPECT_FALSE(allowed({.kinds = {"delete"}, .paths = {"a.txt"}}));
  plan_.settings.control.guards.allowed_tools = {"read_file"};
  EXPECT_TRUE(allowed({.kinds = {"read"}, .paths = {"a.txt"}}));
  EXPECT_FALSE(allowed({.kinds = {"edit"}, .paths = {"a.txt"}}));
}

TEST_F(AgentRules, WhatCannotBeJudgedIsRefusedWhereThereAreRules) {
  EXPECT_EQ(why({.title = "Do something"}), "");
  rule(Verdict::kAllow, "write_file(**)");
  EXPECT_EQ(why({.title = "Do something"}), "");
  rule(Verdict::kDeny, "run_command(git push *)");
  EXPECT_EQ(why({.title = "Do something"}),
            "it does not say what kind of call it is, so the rules of this plan cannot be held "
            "against it");
  EXPECT_THAT(why({.kinds = {"other"}}), testing::HasSubstr("no rule can name a call of the kind"));
  EXPECT_THAT(why({.kinds = {"switch_mode"}}), testing::HasSubstr("switch_mode"));
  EXPECT_THAT(why({.kinds = {"execute"}, .title = "Run the tests"}),
              testing::HasSubstr("does not say what exactly it would do, so run_command(git push"));
  EXPECT_EQ(why({.kinds = {"edit"}}), "");
  rule(Verdict::kDeny, "edit_file(docs/**)");
  EXPECT_THAT(why({.kinds = {"edit"}}), testing::HasSubstr("edit_file(docs/**)"));
  EXPECT_THAT(why({.kinds = {"read", "edit"}, .paths = {"docs/a"}}),
              testing::HasSubstr("deny edit_file(docs/**)"));
  EXPECT_EQ(why({.kinds = {"edit"}, .paths = {"a"}}), "");
}

TEST_F(AgentRules, WhatLiesOutsideIsRefused) {
  EXPECT_EQ(why({.kinds = {"edit"}, .outside = "/etc/x"}), "/etc/x lies outside of the project");
}

TEST_F(AgentRules, AToolOfAServerIsJudgedByItsName) {
  rule(Verdict::kDeny, "mcp__hub__*");
  EXPECT_THAT(why({.kinds = {"other"}, .tool = "mcp__hub__create", .input = "{}"}),
              testing::HasSubstr("deny mcp__hub__*"));
  EXPECT_EQ(why({.kinds = {"other"}, .tool = "mcp__disk__list", .input = "{}"}), "");
  rule(Verdict::kDeny, "mcp__disk__*(secret*)");
  EXPECT_THAT(why({.tool = "mcp__disk__list", .is_long = true}),
              testing::HasSubstr("mcp__disk__*"));
}

TEST_F(AgentRules, AProfileThatAsksBeforeEachCallIsAsked) {
  plan_.settings.profile = "manual";
  plan_.settings.control.automation = model::automation_of_profile("manual", true).value();
  EXPECT_THAT(why({.kinds = {"edit"}, .paths = {"a"}}),
              testing::HasSubstr("asks before each call"));
  EXPECT_TRUE(asked({.kinds = {"edit"}, .paths = {"a"}}));
  EXPECT_EQ(why({.kinds = {"read"}, .paths = {"a"}}), "");
}

TEST_F(AgentRules, AnAskIsShownInOneLine) {
  EXPECT_EQ(shown_ask({.kinds = {"execute"}, .title = "Push", .commands = {"git push"}}),
            "Push (execute git push)");
  EXPECT_EQ(shown_ask({}), "a call without a name");
}

TEST_F(AgentRules, OfADirectPlanTheTaskIsWhatWasSaid) {
  plan_.settings.direct = true;
  plan_.settings.definition_of_done = "tests pass";
  plan_.settings.control.invariants = {{.text = "The API stays"}, {.text = "No new files"}};
  plan_.steps.push_back({.definition = {.id = "task", .title = "T"}});
  EXPECT_EQ(agent_task(plan_, "task", {said("Do it"), said("And that")}),
            "Do it\n\nAnd that\n\nIt is done when: tests pass\n\nWhat must hold at all times:\n"
            "- The API stays\n- No new files");
}

TEST_F(AgentRules, OfAStepTheTaskIsTheStep) {
  plan_.steps.push_back({.definition = {.id = "one", .title = "First", .detail = "Carefully"}});
  const std::string task = agent_task(plan_, "one", {said("All")});
  EXPECT_TRUE(task.starts_with("First\n\nCarefully\n\nThis is one step")) << task;
  EXPECT_TRUE(task.ends_with("for background:\n\nAll")) << task;
}

}  // namespace
}  // namespace clever::engine::internal
