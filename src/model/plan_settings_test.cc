#include "model/plan_settings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/events.h"

namespace clever::model {
namespace {

using test::numbered_id;
using ::testing::HasSubstr;

PlanSettings full_settings() {
  return {.actor = "local/codemod",
          .uses_model = false,
          .strategy_actor = "local/architect",
          .strategy_uses_model = false,
          .strategy_terms = {"p/s", 5, 6, 7, 8},
          .arguments = {{"find", "a"}, {"replace", "b"}},
          .definition_of_done = "tests pass",
          .profile = "ci",
          .direct = true,
          .from = "HEAD~1",
          .from_plan = PlanId::parse("01JD0000000000000000000007").value(),
          .seal_at_start = true,
          .apply_when_ready = true,
          .session = "s",
          .subplans = {3, true, false, 7, "last_wins", true},
          .limits = {1, 2, 3, 4, 5, 6},
          .terms = {"p/m", 1, 2, 3, 4},
          .depth = 2,
          .ancestors = {numbered_id<PlanId>(1), numbered_id<PlanId>(2)},
          .spawned_by = numbered_id<EffectId>(3),
          .base_tree = "abc",
          .paths = {"a", "\xff"}};
}

TEST(PlanSettings, AreReadAsTheyWereWritten) {
  EXPECT_EQ(PlanSettings::parse(full_settings().to_json()).value(), full_settings());
  EXPECT_EQ(PlanSettings::parse(PlanSettings().to_json()).value(), PlanSettings());
}

TEST(PlanSettings, SayWhoWorksOnWhat) {
  PlanSettings settings{.actor = "local/task", .terms = {.model = "p/m"}};
  EXPECT_EQ(settings.actor_for(true), "local/task");
  EXPECT_TRUE(settings.uses_model_for(true));
  EXPECT_EQ(settings.terms_for(true).model, "p/m");
  settings.strategy_actor = "local/architect";
  settings.strategy_uses_model = false;
  settings.strategy_terms.model = "p/s";
  EXPECT_EQ(settings.actor_for(true), "local/architect");
  EXPECT_EQ(settings.actor_for(false), "local/task");
  EXPECT_FALSE(settings.uses_model_for(true));
  EXPECT_TRUE(settings.uses_model_for(false));
  EXPECT_EQ(settings.terms_for(true).model, "p/s");
  EXPECT_EQ(settings.terms_for(false).model, "p/m");
}

TEST(PlanSettings, HaveDefaultsForWhatIsMissing) {
  EXPECT_EQ(PlanSettings::parse("{}").value(), PlanSettings());
  EXPECT_EQ(PlanSettings::parse(R"({"subplans":{},"limits":{},"terms":{}})").value(),
            PlanSettings());
}

TEST(PlanSettings, SayWhichKeyIsWrong) {
  const auto check = [](const std::string& text, const std::string& why) {
    const auto parsed = PlanSettings::parse(text);
    ASSERT_FALSE(parsed.ok()) << text;
    EXPECT_THAT(parsed.error().sentence(), HasSubstr(why));
  };
  check("7", "must be an object");
  check(R"({"actor":1})", "\"actor\"");
  check(R"({"direct":"yes"})", "\"direct\" must be true or false");
  check(R"({"arguments":[]})", "\"arguments\" must be an object of strings");
  check(R"({"arguments":{"a":1}})", "\"arguments\" must be an object of strings");
  check(R"({"subplans":1})", "\"subplans\"");
  check(R"({"subplans":{"max_parallel":0}})", "\"max_parallel\" must be a whole number from 1");
  check(R"({"limits":{"same_calls":1}})", "\"same_calls\"");
  check(R"({"terms":{"context_window":-1}})", "\"context_window\"");
  check(R"({"ancestors":["x"]})", "\"ancestors\"");
  check(R"({"spawned_by":"x"})", "\"spawned_by\"");
  check(R"({"paths":[{"base64":"!"}]})", "\"paths\"");
  check(R"({"paths":7})", "\"paths\"");
  check(R"({"depth":-1})", "\"depth\"");
}

TEST(PlanSettings, TextsThatNoDatabaseTakesAreMadeSuch) {
  PlanSettings settings;
  settings.actor = std::string("a\0b", 3);
  EXPECT_EQ(PlanSettings::parse(settings.to_json()).value().actor,
            "a\xEF\xBF\xBD"
            "b");
}

}  // namespace
}  // namespace clever::model
