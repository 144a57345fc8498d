#include "model/context_snapshot.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/decision_events.h"
#include "model/work_events.h"

namespace clever::model {
namespace {

using ::testing::HasSubstr;

ContextSnapshot snapshot() {
  return {.tree = "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
          .source = "index",
          .tokens = 120,
          .budget = 4000,
          .fragments = {{.path = "src/a \"b\".cc",
                         .first_line = 3,
                         .last_line = 9,
                         .depth = "signatures",
                         .tokens = 120,
                         .score = 0.625,
                         .strategies = {"arce", "simple-keyword"},
                         .why = "defines `f`"},
                        {.why = "the files of the project"}},
          .remark = "2 more found no room"};
}

TEST(ContextSnapshot, IsReadAsItWasWritten) {
  EXPECT_EQ(ContextSnapshot::parse(snapshot().to_json()).value(), snapshot());
  EXPECT_EQ(ContextSnapshot::parse(ContextSnapshot{}.to_json()).value(), ContextSnapshot{});
}

TEST(ContextSnapshot, IsTheSameTextForTheSameFragments) {
  EXPECT_EQ(snapshot().to_json(), snapshot().to_json());
  ContextSnapshot nearly = snapshot();
  nearly.fragments[0].score = 0.62500001;
  EXPECT_EQ(nearly.to_json(), snapshot().to_json());
}

TEST(ContextSnapshot, SaysWhichKeyIsWrong) {
  const auto refused = [](std::string_view text) {
    return ContextSnapshot::parse(text).error().to_string();
  };
  EXPECT_THAT(refused("["), HasSubstr("not JSON"));
  EXPECT_THAT(refused(R"({"tree":7})"), HasSubstr("\"tree\""));
  EXPECT_THAT(refused(R"({"fragments":[{"tokens":"x"}]})"), HasSubstr("\"tokens\""));
}

TEST(ContextSnapshot, IsNamedByDecisionsAndAnswers) {
  const base::Sha256Digest hash = base::sha256("what was shown");
  DecisionRecorded decision{.question = "how?", .chosen = "so", .context = hash};
  decision.id = DecisionId::parse("01ARZ3NDEKTSV4RRFFQ69G5FAV").value();
  const Event event = decision.to_event();
  EXPECT_EQ(DecisionRecorded::parse(event.data).value(), decision);
  EXPECT_EQ(event.bodies, std::vector{hash});

  ModelAnswered answered{.model = "a/b", .context = hash};
  answered.effect = EffectId::parse("01ARZ3NDEKTSV4RRFFQ69G5FAV").value();
  EXPECT_EQ(ModelAnswered::parse(answered.to_event().data).value(), answered);
  EXPECT_EQ(answered.to_event().bodies, std::vector{hash});
}

TEST(ContextSnapshot, IsNotNamedWhereThereIsNone) {
  DecisionRecorded decision{.question = "how?", .chosen = "so"};
  decision.id = DecisionId::parse("01ARZ3NDEKTSV4RRFFQ69G5FAV").value();
  EXPECT_THAT(decision.to_event().bodies, testing::IsEmpty());
  EXPECT_THAT(decision.to_event().data, testing::Not(HasSubstr("context")));
  const auto wrong = DecisionRecorded::parse(
      R"({"id":"01ARZ3NDEKTSV4RRFFQ69G5FAV","kind":"reversion","question":"","chosen":"","context":"x"})");
  EXPECT_THAT(wrong.error().to_string(), HasSubstr("\"context\""));
}

}  // namespace
}  // namespace clever::model
