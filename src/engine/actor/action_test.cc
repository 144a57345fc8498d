#include "engine/actor/action.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace clever::engine {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string action_error(std::string_view more) {
  const auto action =
      action_from_yaml("name: a\ndescription: Does a.\n" + std::string(more), "a.yaml");
  return action.ok() ? "no error" : action.error().message();
}

TEST(ActionFromYaml, EveryKey) {
  const Action action = action_from_yaml(R"(
name: team/rename
description: Renames ${from}.
definition_of_done: No ${from} is left.
strategy_actor: local/reviewer
execution_actor: local/reviewer
estimation_actor: reviewer
invariant_actor: local/reviewer
arguments: [{name: from, required: true}]
invariants: ["The API keeps ${from}.", Tests pass.]
automation_profile: trusted
safety_profile: default
read_only: true
reusable: false
)",
                                         "rename.yaml")
                            .value();
  EXPECT_EQ(action.name, "team/rename");
  EXPECT_EQ(action.definition_of_done, "No ${from} is left.");
  EXPECT_EQ(action.execution_actor, "local/reviewer");
  EXPECT_EQ(action.estimation_actor, "local/reviewer");
  EXPECT_THAT(action.invariants, ElementsAre("The API keeps ${from}.", "Tests pass."));
  EXPECT_EQ(action.automation_profile, "trusted");
  EXPECT_TRUE(action.read_only);
  EXPECT_FALSE(action.reusable);
  EXPECT_EQ(action.place, "rename.yaml");
}

TEST(ActionFromYaml, WhatIsNotSaid) {
  const Action action = action_from_yaml("{name: a, description: b}", "f").value();
  EXPECT_EQ(action.name, "local/a");
  EXPECT_EQ(action.execution_actor, "local/task");
  EXPECT_TRUE(action.reusable);
  EXPECT_EQ(action.automation_profile, "");
}

TEST(ActionFromYaml, MistakesNameLineAndCure) {
  EXPECT_EQ(
      action_error("invarants: []"),
      "a.yaml:3: there is no key \"invarants\"; did you mean \"invariants\"? Known: name, "
      "description, definition_of_done, strategy_actor, execution_actor, estimation_actor, "
      "invariant_actor, arguments, invariants, validations, automation_profile, safety_profile, "
      "read_only, reusable");
  EXPECT_THAT(action_error("automation_profile: suprvised"),
              HasSubstr("a.yaml:3: automation_profile: there is no profile \"suprvised\"; did you "
                        "mean supervised?"));
  EXPECT_THAT(action_error("safety_profile: none"), HasSubstr("but must be default"));
  EXPECT_EQ(action_error("strategy_actor: other"), "no error");
  EXPECT_THAT(action_error("invariant_actor: other"),
              HasSubstr("is local/other, but must be the execution_actor (local/task)"));
  EXPECT_THAT(action_error("execution_actor: Not A Name"), HasSubstr("a name is namespace/name"));
  EXPECT_THAT(action_error("definition_of_done: ${x}"), HasSubstr("there is no variable ${x}"));
  EXPECT_THAT(action_error("invariants: ['${x}']"),
              HasSubstr("there is no variable ${x}; known: none"));
  EXPECT_THAT(action_error("invariants: x"), HasSubstr("but must be a list of texts"));
  EXPECT_THAT(action_error("read_only: perhaps"), HasSubstr("but must be true or false"));
  EXPECT_THAT(action_error("arguments: {}"), HasSubstr("arguments is a mapping"));
  EXPECT_EQ(action_from_yaml("{name: a}", "a.yaml").error().message(),
            "a.yaml:1: the file: the key \"description\" is missing");
}

}  // namespace
}  // namespace clever::engine
