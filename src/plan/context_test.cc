// What decisions are made on is kept and named.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/decision_events.h"
#include "model/work_events.h"
#include "support/plan_story.h"

namespace clever::plan {
namespace {

using test::inline_step;
using test::PlanStory;
using test::strategy_of;
using test::subplan_step;

constexpr std::string_view kShown = R"({"fragments":[{"path":"a.cc"}]})";

Answered with_context(Answered answer, std::string_view context) {
  answer.context = context;
  return answer;
}

Answered submission(PlanStory& story, const model::Strategy& strategy) {
  Answered answered = story.calling({"submit_strategy"}, CallClass::kRead);
  answered.strategy = strategy;
  return answered;
}

std::vector<model::DecisionRecorded> decisions(const Decided& decided) {
  std::vector<model::DecisionRecorded> found;
  for (const model::Event& event : decided.events) {
    if (event.kind != model::DecisionRecorded::kKind) continue;
    found.push_back(model::DecisionRecorded::parse(event.data).value());
  }
  return found;
}

std::vector<std::string> kept(const Decided& decided) {
  std::vector<std::string> contents;
  for (const Body& body : decided.bodies) contents.push_back(body.content);
  return contents;
}

PlanStory strategizing() {
  PlanStory story;
  story.create();
  story.based();
  return story;
}

TEST(DecisionContext, IsWhatTheModelWasShown) {
  PlanStory story = strategizing();
  const Decided decided = story.must(
      with_context(submission(story, strategy_of({inline_step("a"), subplan_step("b")})), kShown));
  const auto recorded = decisions(decided);
  ASSERT_EQ(recorded.size(), 3U);
  for (const auto& decision : recorded) EXPECT_EQ(decision.context, base::sha256(kShown));
  EXPECT_THAT(kept(decided), testing::Contains(std::string(kShown)));
}

TEST(DecisionContext, IsKeptOnceAsLongAsItStaysTheSame) {
  PlanStory story;
  story.direct();
  const auto call = [&](std::string_view context) {
    const Decided decided =
        story.must(with_context(story.calling({"read_file"}, CallClass::kRead), context));
    story.ran();
    return kept(decided);
  };
  EXPECT_THAT(call(kShown), testing::Contains(std::string(kShown)));
  EXPECT_THAT(call(kShown), testing::Not(testing::Contains(std::string(kShown))));
  EXPECT_THAT(call("{}"), testing::Contains("{}"));
  EXPECT_EQ(story.state.context, base::sha256("{}"));
}

TEST(DecisionContext, OfAPersonThereIsNone) {
  PlanStory story;
  story.direct();
  story.must(with_context(story.calling({"read_file"}, CallClass::kRead), kShown));
  const auto said = decisions(story.must(Prompt{.message = test::user("go on")}));
  ASSERT_EQ(said.size(), 1U);
  EXPECT_EQ(said.front().context, std::nullopt);
}

TEST(DecisionContext, OfARecordedDecisionIsTheLastOne) {
  PlanStory story;
  story.direct();
  story.must(with_context(story.calling({"read_file"}, CallClass::kRead), kShown));
  const auto recorded = decisions(story.must(RecordDecision{.question = "how?", .chosen = "so"}));
  ASSERT_EQ(recorded.size(), 1U);
  EXPECT_EQ(recorded.front().context, base::sha256(kShown));
}

}  // namespace
}  // namespace clever::plan
