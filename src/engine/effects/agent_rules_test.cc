#include "engine/effects/internal/agent_rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace clever::engine::internal {
namespace {

using model::Verdict;

class AgentRules : public ::testing::Test {
 protected:
  bool allowed(AcpAsk ask) { return is_allowed(plan_, actor_, ask); }
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
  EXPECT_TRUE(allowed({.kind = "edit", .paths = {"a.txt"}}));
  EXPECT_TRUE(allowed({.kind = "execute", .command = "make"}));
  EXPECT_TRUE(allowed({.kind = "think"}));
  EXPECT_TRUE(allowed({.kind = "read"}));
}

TEST_F(AgentRules, FetchingNeedsTheNetwork) {
  EXPECT_FALSE(allowed({.kind = "fetch"}));
  actor_.program.network = true;
  EXPECT_TRUE(allowed({.kind = "fetch"}));
}

TEST_F(AgentRules, ARuleThatDeniesOrAsksIsANo) {
  rule(Verdict::kDeny, "run_command(git push *)");
  rule(Verdict::kAsk, "write_file(docs/**)");
  EXPECT_FALSE(allowed({.kind = "execute", .command = "git push origin"}));
  EXPECT_TRUE(allowed({.kind = "execute", .command = "git status"}));
  EXPECT_FALSE(allowed({.kind = "edit", .paths = {"a.txt", "docs/b.md"}}));
  EXPECT_TRUE(allowed({.kind = "edit", .paths = {"a.txt"}}));
}

TEST_F(AgentRules, GuardsCountToo) {
  plan_.settings.control.guards.denied_tools = {"delete_file"};
  EXPECT_FALSE(allowed({.kind = "delete", .paths = {"a.txt"}}));
  plan_.settings.control.guards.allowed_tools = {"read_file"};
  EXPECT_TRUE(allowed({.kind = "read", .paths = {"a.txt"}}));
  EXPECT_FALSE(allowed({.kind = "edit", .paths = {"a.txt"}}));
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
