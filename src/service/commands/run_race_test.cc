#include "service/commands/run_race.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace clever::service {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string wrong(std::string_view text) {
  const auto racers = parse_racers(text);
  return racers.ok() ? "right" : racers.error().message();
}

TEST(Racers, AreAgentsWithOrWithoutAModel) {
  EXPECT_THAT(parse_racers("claude,codex:gpt-5").value(),
              ElementsAre(Racer{"claude", ""}, Racer{"codex", "gpt-5"}));
  EXPECT_THAT(parse_racers("claude:opus,claude").value(),
              ElementsAre(Racer{"claude", "opus"}, Racer{"claude", ""}));
  EXPECT_EQ(racer_name({"codex", "gpt-5"}), "codex:gpt-5");
}

TEST(Racers, MistakesAreNamed) {
  EXPECT_THAT(wrong("claude"), HasSubstr("at least two agents"));
  EXPECT_THAT(wrong("claude,claude"), HasSubstr("is named twice"));
  EXPECT_THAT(wrong("claude,,codex"), HasSubstr("expected agents such as"));
  EXPECT_THAT(wrong("claude,codex:"), HasSubstr("expected agents such as"));
  EXPECT_THAT(wrong(""), HasSubstr("expected agents such as"));
}

RaceResult result(bool ready, bool passed, model::Microdollars cost) {
  RaceResult made{.cost = cost};
  made.plan.phase = model::Phase::kExecute;
  made.plan.state = ready ? model::PlanState::kComplete : model::PlanState::kErrored;
  made.plan.changeset.digest = base::sha256("x");
  made.plan.changeset.entries = 1;
  made.plan.validation =
      model::ValidationsRan{.results = {{.name = "v", .required = true, .passed = passed}}};
  return made;
}

TEST(RaceChoices, TheCheapestOfThoseThatPassed) {
  EXPECT_EQ(
      choose_by_validation({result(true, true, 5), result(true, true, 3), result(true, true, 3),
                            result(true, false, 1), result(false, true, 1)})
          .winner,
      1U);
  const RaceChoice none = choose_by_validation({result(true, false, 1)});
  EXPECT_FALSE(none.winner);
  EXPECT_THAT(none.why, HasSubstr("no result is ready"));
}

TEST(RaceChoices, AModelsLastLineCounts) {
  const std::vector<Racer> racers{{"claude", ""}, {"codex", "gpt-5"}};
  const RaceChoice choice =
      choice_in("CHOICE: claude would be\nIt is smaller.\n\n**CHOICE: codex:gpt-5**\n", racers);
  EXPECT_EQ(choice.winner, 1U);
  EXPECT_THAT(choice.why, HasSubstr("It is smaller."));
  EXPECT_FALSE(choice_in("CHOICE: nobody", racers).winner);
  EXPECT_FALSE(choice_in("I like both.", racers).winner);
}

TEST(RaceChoices, AReviewIsBoundedWhateverTheDiffs) {
  const std::vector<Racer> racers{{"a", ""}, {"b", ""}};
  const std::string words =
      review_words("Do it", racers, {std::string(std::size_t{1} << 20U, 'x'), ""});
  EXPECT_LE(words.size(), std::size_t{64} << 10U);
  EXPECT_THAT(words, HasSubstr("The result of b:\n\n(nothing that can be applied)"));
}

}  // namespace
}  // namespace clever::service
