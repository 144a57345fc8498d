#include "service/plan/decision_words.h"

#include <gtest/gtest.h>

namespace clever::service {
namespace {

using model::StepState;

TEST(DecisionWords, KindsHaveShortNames) {
  EXPECT_EQ(name_of_kind("prompt_definition"), "task");
  EXPECT_EQ(name_of_kind("user_intervention"), "person");
  EXPECT_EQ(name_of_kind("of_tomorrow"), "of_tomorrow");
}

TEST(DecisionWords, ASignShowsAStepsStatus) {
  const storage::DecisionNode node{.kind = "subplan_spawn"};
  FamilyStep step{.id = "a", .title = "A"};
  const std::pair<StepState, std::string> signs[] = {{StepState::kPending, "○ "},
                                                     {StepState::kRunning, "◐ "},
                                                     {StepState::kDone, "✔ "},
                                                     {StepState::kFailed, "✘ "},
                                                     {StepState::kSkipped, "⊘ "}};
  for (const auto& [state, sign] : signs) {
    step.state = state;
    EXPECT_EQ(glyph_of(node, &step).text, sign);
  }
  EXPECT_EQ(glyph_of(node, nullptr).text, "▪ ");
  EXPECT_EQ(glyph_of({.kind = "of_tomorrow"}, nullptr).text, "▪ ");
  EXPECT_EQ(glyph_of({.kind = "reversion"}, nullptr).text, "↩ ");
  EXPECT_EQ(glyph_of({.kind = "subplan_spawn", .superseded = 7}, &step).text, "╳ ");
}

TEST(DecisionWords, AreTheChoiceOrTheStep) {
  const FamilyStep step{.id = "a", .title = "Do A"};
  EXPECT_EQ(words_of({.question = "q", .chosen = "c"}, nullptr), "c");
  EXPECT_EQ(words_of({.question = "q"}, nullptr), "q");
  EXPECT_EQ(words_of({.chosen = "c"}, &step), "a: Do A");
}

TEST(DecisionWords, ConfidenceIsAPercentage) {
  EXPECT_EQ(percent(0.895), "90 %");
  EXPECT_EQ(percent(2), "100 %");
  EXPECT_EQ(tone_of_confidence(0.9), Tone::kGood);
  EXPECT_EQ(tone_of_confidence(0.6), Tone::kWarn);
  EXPECT_EQ(tone_of_confidence(0.1), Tone::kBad);
}

}  // namespace
}  // namespace clever::service
