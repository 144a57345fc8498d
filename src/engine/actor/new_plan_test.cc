#include "engine/actor/new_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/utf8.h"
#include "model/automation.h"
#include "support/model_terms.h"
#include "support/temporary_directory.h"

namespace clever::engine {
namespace {

using testing::HasSubstr;

class NewPlan : public testing::Test {
 protected:
  base::Result<plan::Create> create(const NewPlanOptions& options) const {
    return new_plan(action, actors, options, test::terms_of_model);
  }
  std::string error(const NewPlanOptions& options) const {
    const auto created = create(options);
    return created.ok() ? "no error" : created.error().message();
  }
  static std::string text_of(const plan::Create& created) {
    return std::get<model::Text>(created.prompt.parts.at(0)).text;
  }
  void use(std::string_view yaml) { action = action_from_yaml(yaml, "a.yaml").value(); }

  Action action = ActionCatalog::load({}).value().find("task").value();
  ActorCatalog actors = ActorCatalog::load({}).value();
};

TEST_F(NewPlan, ATaskInWords) {
  const plan::Create created =
      create({.task = "  Fix the test\n\nIt fails.\n", .project = "/home/me/project"}).value();
  EXPECT_EQ(created.title, "Fix the test");
  EXPECT_EQ(created.action, "local/task");
  EXPECT_EQ(created.project, "/home/me/project");
  EXPECT_EQ(text_of(created), "Fix the test\n\nIt fails.");
  EXPECT_EQ(created.prompt.role, model::Role::kUser);
  EXPECT_EQ(created.settings.actor, "local/task");
  EXPECT_TRUE(created.settings.uses_model);
  EXPECT_EQ(created.settings.profile, "supervised");
  EXPECT_EQ(created.settings.terms.model, "p/default");
  EXPECT_FALSE(created.settings.direct);
  EXPECT_FALSE(created.settings.apply_when_ready);
  EXPECT_TRUE(created.settings.arguments.empty());
}

TEST_F(NewPlan, WhatAPersonChooses) {
  const plan::Create created = create({.task = "t",
                                       .images = {{"image/png", "bytes"}},
                                       .model = "a/b",
                                       .profile = "manual",
                                       .direct = true,
                                       .from = "main",
                                       .apply = true,
                                       .session = "s",
                                       .subplans = {.max_parallel = 3}})
                                   .value();
  EXPECT_EQ(created.settings.terms.model, "a/b");
  EXPECT_EQ(created.settings.profile, "manual");
  EXPECT_TRUE(created.settings.direct);
  EXPECT_EQ(created.settings.from, "main");
  EXPECT_TRUE(created.settings.apply_when_ready);
  EXPECT_EQ(created.settings.session, "s");
  EXPECT_EQ(created.settings.subplans.max_parallel, 3);
  EXPECT_EQ(std::get<model::Image>(created.prompt.parts.at(1)).bytes, "bytes");
}

TEST_F(NewPlan, ACodemodNeedsNoWordsAndNoModel) {
  const plan::Create created = create({.project = "/home/me/project",
                                       .actor = "codemod",
                                       .arguments = {{"find", "a"}, {"replace", "b"}}})
                                   .value();
  EXPECT_EQ(created.title, "codemod find=a replace=b");
  EXPECT_FALSE(created.settings.uses_model);
  EXPECT_EQ(created.settings.terms.model, "");
  EXPECT_FALSE(created.settings.direct);
  EXPECT_EQ(created.settings.arguments,
            (std::map<std::string, std::string>{{"find", "a"},
                                                {"replace", "b"},
                                                {"glob", ""},
                                                {"regex", "false"},
                                                {"word", "false"},
                                                {"project", "project"}}));
}

TEST_F(NewPlan, AToolActorThatIsNotSplitWorksDirectly) {
  const test::TemporaryDirectory folder;
  folder.write("a.yaml", "{name: a, type: tool, steps: [{delete: x}]}");
  actors = ActorCatalog::load({folder.path()}).value();
  EXPECT_TRUE(create({.actor = "a"}).value().settings.direct);
}

TEST_F(NewPlan, AnActionsWordsAndArguments) {
  use(R"(
name: rename
description: Renames ${from} to ${to}.
definition_of_done: No ${from} is left.
arguments: [{name: from, required: true}, {name: to, default: new}]
invariants: ["Never touch ${to}.txt."]
)");
  const plan::Create created = create({.arguments = {{"from", "old"}}}).value();
  EXPECT_EQ(created.title, "Renames old to new.");
  EXPECT_EQ(text_of(created), "Renames old to new.\n\nGiven:\n- from: old\n- to: new");
  EXPECT_EQ(created.settings.definition_of_done, "No old is left.");
  ASSERT_EQ(created.settings.control.invariants.size(), 1U);
  EXPECT_EQ(created.settings.control.invariants.front().text, "Never touch new.txt.");
  EXPECT_EQ(created.settings.control.invariants.front().scope, model::InvariantScope::kAction);
  const plan::Create said = create({.task = "Only in src", .arguments = {{"from", "x"}}}).value();
  EXPECT_THAT(text_of(said),
              HasSubstr("Only in src\n\nThe action local/rename: Renames x to new."));
  EXPECT_EQ(error({}), "the action local/rename needs the argument \"from\": --arg from=…");
  EXPECT_THAT(error({.arguments = {{"form", "x"}}}), HasSubstr("did you mean from?"));
}

TEST_F(NewPlan, AnArgumentsValueIsData) {
  use("{name: a, description: 'Say ${x}', arguments: [{name: x}, {name: y}]}");
  EXPECT_EQ(create({.arguments = {{"x", "${y}"}, {"y", "secret"}}}).value().title, "Say ${y}");
}

TEST_F(NewPlan, AnActionForAToolActorHandsItsArgumentsOn) {
  use(R"(
name: a
description: Replaces ${find}.
execution_actor: local/codemod
arguments: [{name: find, required: true}, {name: glob, default: "*.py"}]
)");
  const plan::Create created = create({.arguments = {{"find", "x"}}}).value();
  EXPECT_EQ(created.settings.arguments.at("glob"), "*.py");
  EXPECT_EQ(created.settings.arguments.at("find"), "x");
  EXPECT_EQ(created.title, "Replaces x.");
}

TEST_F(NewPlan, WhoseProfileCounts) {
  use("{name: a, description: d, automation_profile: full-auto}");
  EXPECT_TRUE(create({}).value().settings.apply_when_ready);
  EXPECT_EQ(create({.profile = "review"}).value().settings.profile, "review");
  action.of_project = true;
  EXPECT_EQ(create({}).value().settings.profile, "supervised");
  EXPECT_EQ(create({.usual_profile = "full-auto"}).value().settings.profile, "full-auto");
  action.automation_profile = "manual";
  EXPECT_EQ(create({}).value().settings.profile, "manual");
  action.automation_profile = "";
  EXPECT_EQ(create({.usual_profile = "trusted"}).value().settings.profile, "trusted");
}

TEST_F(NewPlan, WhoRunsItHasConsentedToItsStrategy) {
  const auto asks = [&](const std::string& profile, bool consent) {
    const auto created = create({.task = "t", .profile = profile, .consent = consent});
    return model::asks(created.value().settings.control.automation.strategy, 1.0);
  };
  EXPECT_FALSE(asks("supervised", true));
  EXPECT_TRUE(asks("supervised", false));
  EXPECT_FALSE(asks("auto", false));
  EXPECT_TRUE(asks("manual", true));
}

TEST_F(NewPlan, AReadOnlyAction) {
  use("{name: a, description: Looks., read_only: true}");
  EXPECT_TRUE(create({}).value().settings.read_only);
  EXPECT_EQ(error({.actor = "codemod", .arguments = {{"find", "x"}}}),
            "the action local/a is read_only, but the actor local/codemod changes files");
}

TEST_F(NewPlan, Mistakes) {
  EXPECT_EQ(error({}), "the task is missing: say what to do, as in agents run \"TASK\"");
  EXPECT_THAT(error({.task = "t", .actor = "nobody"}), HasSubstr("there is no actor \"nobody\""));
  EXPECT_EQ(error({.task = "t", .profile = "suprvised"}),
            "there is no profile \"suprvised\"; did you mean supervised?");
  EXPECT_THAT(error({.task = "t", .profile = "xyz"}), HasSubstr("; there are manual, review"));
  EXPECT_THAT(error({.task = "t", .arguments = {{"a", "b"}}}), HasSubstr("it takes none"));
  EXPECT_THAT(error({.task = std::string(kLargestTask + 1, 'x')}),
              HasSubstr("the task has 98305 bytes, more than the limit of 98304"));
  EXPECT_THAT(
      error({.images = {{"image/png", "x"}}, .actor = "codemod", .arguments = {{"find", "x"}}}),
      HasSubstr("cannot take an image"));
  EXPECT_THAT(error({.actor = "codemod"}), HasSubstr("needs the argument \"find\""));
}

TEST_F(NewPlan, TheModelsTermsMayBeRefused) {
  const auto refused = new_plan(action, actors, {.task = "t"}, [](const std::string&) {
    return base::Result<model::ModelTerms>(base::not_found("no such model"));
  });
  EXPECT_EQ(refused.error().message(), "no such model");
}

TEST(PlanTitle, TheFirstLineThatSaysSomething) {
  EXPECT_EQ(plan_title("\n\n  Fix it \nmore"), "Fix it");
  EXPECT_EQ(plan_title(""), "");
  EXPECT_EQ(plan_title("a\tb\x1b[0m"), "a b [0m");
  EXPECT_EQ(plan_title(std::string(72, 'x')), std::string(72, 'x'));
}

TEST(PlanTitle, IsCutBetweenWords) {
  const std::string words =
      "one two three four five six seven eight nine ten eleven twelve thirteen-or-so";
  EXPECT_EQ(plan_title(words), "one two three four five six seven eight nine ten eleven twelve…");
  EXPECT_EQ(plan_title(std::string(80, 'x')), std::string(71, 'x') + "…");
}

TEST(PlanTitle, CharactersCountNotBytes) {
  std::string text;
  for (int i = 0; i < 72; ++i) text += "ä";
  EXPECT_EQ(plan_title(text), text);
  EXPECT_TRUE(base::is_utf8(plan_title(text + text)));
  EXPECT_TRUE(base::is_utf8(plan_title("\xFF\xFE broken")));
}

TEST(SubplanSettings, FromTheSettings) {
  const test::TemporaryDirectory home;
  EXPECT_EQ(subplan_settings(config::load_settings({.home = home.path()}).value()),
            model::SubplanSettings{});
  home.write("config.toml",
             "[subplan]\nmax_parallel = 3\nfail_fast = true\nretry_failed = false\nmax_retries = "
             "0\nmerge_strategy = \"last_wins\"\nstrategize = true\n");
  EXPECT_EQ(subplan_settings(config::load_settings({.home = home.path()}).value()),
            (model::SubplanSettings{.max_parallel = 3,
                                    .fail_fast = true,
                                    .retry_failed = false,
                                    .max_retries = 0,
                                    .merge_strategy = "last_wins",
                                    .strategize = true}));
}

TEST(Profiles, AreTheSameInTheSettings) {
  const config::KeyInfo* key = config::find_key("plan.profile");
  ASSERT_NE(key, nullptr);
  EXPECT_EQ(key->allowed, automation_profiles());
  EXPECT_TRUE(applies_by_itself("ci"));
  EXPECT_FALSE(applies_by_itself("auto"));
}

}  // namespace
}  // namespace clever::engine
