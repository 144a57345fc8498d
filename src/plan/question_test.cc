#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/plan_story.h"

namespace clever::plan {
namespace {

using test::PlanStory;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

// An answer that asks by the tool, beside other calls.
Answered asking(PlanStory& story, const std::string& arguments,
                std::vector<std::string> others = {}) {
  others.insert(others.begin(), "ask");
  Answered answered = story.calling(others, CallClass::kRead);
  std::get<model::ToolCall>(answered.message.parts.front()).arguments = arguments;
  return answered;
}

TEST(Question, ByTheToolWaitsForAnAnswer) {
  PlanStory story;
  story.direct();
  story.must(asking(story, R"({"question":"Red or blue?","options":["red","blue"]})", {"write"}));
  EXPECT_EQ(story.where(), "execute/waiting");
  EXPECT_EQ(story.state.waiting, Waiting::kAnswer);
  EXPECT_TRUE(story.state.is_at_rest());
  EXPECT_THAT(story.state.reason, HasSubstr("Red or blue?\n- red\n- blue (`agents plan prompt "));
  EXPECT_THAT(story.last_words(), HasSubstr("not run: the person answers the question first"));
  EXPECT_THAT(test::advised_verbs(story.state),
              ElementsAre(Verb::kPrompt, Verb::kResume, Verb::kCancel));
  story.must(Prompt{.message = test::user("blue")});
  EXPECT_EQ(story.where(), "execute/processing");
  EXPECT_THAT(story.last_words(), HasSubstr("blue"));
  EXPECT_TRUE(story.is_open(EffectKind::kModel));
}

TEST(Question, OfASubplanReachesItsParent) {
  PlanStory child(2);
  model::PlanSettings settings;
  settings.direct = true;
  settings.spawned_by = model::EffectId(test::plan_id(7).ulid());
  settings.ancestors = {test::plan_id(1)};
  settings.depth = 1;
  Create create{.project = "p", .settings = settings, .prompt = test::user("part")};
  create.parent = test::plan_id(1);
  child.must(create);
  child.based();
  const Decided decided = child.must(asking(child, R"({"question":"Which?"})"));
  ASSERT_EQ(decided.outgoing.size(), 1U);
  EXPECT_THAT(decided.outgoing.front().body, HasSubstr("Which?"));
}

TEST(Question, WithoutWordsIsRemindedOf) {
  PlanStory story;
  story.direct();
  for (const std::string arguments : {"{}", "no JSON", R"({"question":" "})"}) {
    story.must(asking(story, arguments));
    EXPECT_TRUE(story.is_open(EffectKind::kModel)) << arguments;
    EXPECT_THAT(story.last_words(), HasSubstr("Call ask again"));
  }
}

TEST(Question, BeforeTheStrategyWaitsToo) {
  PlanStory story;
  story.create();
  story.based();
  story.must(asking(story, R"({"question":"How many?"})"));
  EXPECT_EQ(story.where(), "strategize/waiting");
  story.must(Prompt{.message = test::user("two")});
  EXPECT_EQ(story.where(), "strategize/processing");
  EXPECT_TRUE(story.is_open(EffectKind::kModel));
}

TEST(Question, InPlaceOfWorkWaits) {
  const auto check = [](const std::string& text, const std::string& where) {
    PlanStory story;
    story.direct();
    story.says(text);
    EXPECT_EQ(story.where(), where) << text;
  };
  check("There are two.\n\nWhich one?", "execute/waiting");
  check("Which one?** ", "execute/waiting");
  check("どちらですか？", "execute/waiting");
  check("It is done. Which? That one.", "execute/processing");
  check("It is as you wanted.", "execute/processing");
}

TEST(Question, AfterWorkIsCourtesy) {
  PlanStory story;
  story.direct();
  story.calls({"write_file"});
  story.ran("a");
  story.says("It is done. Anything else?");
  story.seals();
  EXPECT_EQ(story.where(), "execute/complete");
}

TEST(Question, OfAPlanThatOnlyReportsIsCourtesy) {
  PlanStory story;
  model::PlanSettings settings;
  settings.read_only = true;
  story.direct(settings);
  story.says("That is how it works. Shall I go on?");
  EXPECT_NE(story.where(), "execute/waiting");
}

TEST(Question, ThatIsNotAnsweredIsTheModelsToDecide) {
  PlanStory story;
  story.direct();
  story.says("Which one?");
  story.must(Resume{});
  EXPECT_THAT(story.last_words(), HasSubstr("gives no answer"));
  EXPECT_EQ(story.state.transcript.size(), 3U);
  EXPECT_TRUE(story.is_open(EffectKind::kModel));
}

}  // namespace
}  // namespace clever::plan
