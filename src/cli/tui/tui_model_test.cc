#include "cli/tui/tui_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/random.h"
#include "cli/tui/key_decoder.h"
#include "cli/tui/tui_view.h"
#include "support/campaign.h"
#include "support/shown_plans.h"
#include "support/typed_keys.h"

namespace clever::cli {
namespace {

using WishKind = TuiWish::Kind;
using test::type_into;
using testing::ElementsAre;
using testing::IsEmpty;

TuiPlan plan_in(std::uint8_t number, std::string state, std::string title = "A task") {
  return {.id = test::plan_number(number),
          .title = std::move(title),
          .phase = "execute",
          .state = std::move(state)};
}

TuiModel model_of(std::vector<TuiPlan> plans) {
  TuiModel model({.columns = 80, .rows = 24}, "/project");
  static_cast<void>(model.update(TuiPlans{std::move(plans)}));
  return model;
}

TEST(TuiModelTest, TheMostUrgentComesFirstThenTheNewest) {
  const TuiModel model =
      model_of({plan_in(1, "applied"), plan_in(2, "processing"), plan_in(3, "waiting"),
                plan_in(4, "complete"), plan_in(5, "errored"), plan_in(6, "processing")});
  std::vector<std::string> order;
  for (const TuiPlan& each : model.plans()) order.push_back(each.state);
  EXPECT_THAT(order,
              ElementsAre("waiting", "processing", "processing", "complete", "errored", "applied"));
  EXPECT_EQ(model.plans()[1].id, test::plan_number(6));
}

TEST(TuiModelTest, TheFirstIsLookedAt) {
  TuiModel model({.columns = 80, .rows = 24}, "/project");
  EXPECT_EQ(model.selected(), nullptr);
  EXPECT_FALSE(model.has_plans_yet());
  EXPECT_THAT(model.update(TuiPlans{{plan_in(1, "processing")}}),
              ElementsAre(TuiWish{.kind = WishKind::kLook, .plan = test::plan_number(1)}));
  EXPECT_THAT(model.update(TuiPlans{{plan_in(1, "complete")}}), IsEmpty());
}

TEST(TuiModelTest, WhoIsChosenStaysSo) {
  TuiModel model = model_of({plan_in(1, "processing"), plan_in(2, "processing")});
  type_into(model, "j");
  EXPECT_EQ(model.selected()->id, test::plan_number(1));
  static_cast<void>(model.update(TuiPlans{{plan_in(1, "waiting"), plan_in(2, "processing")}}));
  EXPECT_EQ(model.selected()->id, test::plan_number(1));
  EXPECT_EQ(model.selected_index(), 0U);
  EXPECT_THAT(model.update(TuiPlans{{plan_in(2, "processing")}}),
              ElementsAre(TuiWish{.kind = WishKind::kLook, .plan = test::plan_number(2)}));
  EXPECT_THAT(model.update(TuiPlans{}), IsEmpty());
  EXPECT_EQ(model.selected(), nullptr);
}

TEST(TuiModelTest, AStartedPlanIsSelectedAsSoonAsItIsListed) {
  const TuiWish looks{.kind = WishKind::kLook, .plan = test::plan_number(3)};
  TuiModel model = model_of({plan_in(1, "processing"), plan_in(2, "processing")});
  EXPECT_THAT(model.update(TuiStarted{test::plan_number(3)}), IsEmpty());
  EXPECT_EQ(model.selected()->id, test::plan_number(2));
  const TuiPlans listed{
      {plan_in(1, "processing"), plan_in(2, "processing"), plan_in(3, "processing")}};
  EXPECT_THAT(model.update(listed), ElementsAre(looks));
  EXPECT_EQ(model.selected()->id, test::plan_number(3));
  type_into(model, "j");
  EXPECT_THAT(model.update(listed), IsEmpty());
  EXPECT_EQ(model.selected()->id, test::plan_number(2));
  EXPECT_THAT(model.update(TuiStarted{test::plan_number(3)}), ElementsAre(looks));
}

TEST(TuiModelTest, APlanInConflictNeedsAPerson) {
  TuiPlan plan = plan_in(1, "complete");
  plan.in_conflict = true;
  const TuiModel model = model_of({plan_in(2, "processing"), plan});
  EXPECT_EQ(model.selected()->id, test::plan_number(1));
  EXPECT_EQ(status_of(plan), WorkStatus::kWaiting);
}

TEST(TuiModelTest, KeysChooseAPlan) {
  TuiModel model =
      model_of({plan_in(1, "processing"), plan_in(2, "processing"), plan_in(3, "processing")});
  EXPECT_THAT(type_into(model, "\x1b[B"),
              ElementsAre(TuiWish{.kind = WishKind::kLook, .plan = test::plan_number(2)}));
  EXPECT_THAT(type_into(model, "\x1b[F"),
              ElementsAre(TuiWish{.kind = WishKind::kLook, .plan = test::plan_number(1)}));
  EXPECT_THAT(type_into(model, "j"), IsEmpty()) << "there is no further one";
  type_into(model,
            "\x1b[A"
            "k"
            "k"
            "\x1b[A");
  EXPECT_EQ(model.selected_index(), 0U);
  type_into(model, "j\x1b[H");
  EXPECT_EQ(model.selected_index(), 0U);
}

TEST(TuiModelTest, TabShowsAnotherPane) {
  TuiModel model = model_of({plan_in(1, "processing")});
  EXPECT_THAT(type_into(model, "\t"),
              ElementsAre(TuiWish{.kind = WishKind::kLook, .plan = test::plan_number(1)}));
  EXPECT_EQ(model.pane(), TuiPane::kStream);
  type_into(model, "\t");
  EXPECT_EQ(model.pane(), TuiPane::kDiff);
  type_into(model, "\t");
  EXPECT_EQ(model.pane(), TuiPane::kLog);
  type_into(model, "\t");
  EXPECT_EQ(model.pane(), TuiPane::kTree);
  type_into(model, "\x1b[Z");
  EXPECT_EQ(model.pane(), TuiPane::kLog);
  type_into(model, "\x1b[D");
  EXPECT_EQ(model.pane(), TuiPane::kDiff);
  type_into(model, "\x1b[D");
  EXPECT_EQ(model.pane(), TuiPane::kStream);
  type_into(model, "\x1b[D");
  EXPECT_EQ(model.pane(), TuiPane::kTree);
  EXPECT_THAT(type_into(model, "1t"), IsEmpty());
  type_into(model, "2");
  EXPECT_EQ(model.pane(), TuiPane::kStream);
  type_into(model, "d");
  EXPECT_EQ(model.pane(), TuiPane::kDiff);
}

TEST(TuiModelTest, LateDetailsOfAnotherPlanAreDropped) {
  TuiModel model = model_of({plan_in(1, "processing"), plan_in(2, "processing")});
  static_cast<void>(model.update(TuiDetail{.plan = test::plan_number(1), .stream = {{"old"}}}));
  EXPECT_THAT(model.detail().stream, IsEmpty());
  static_cast<void>(model.update(TuiDetail{.plan = test::plan_number(2), .stream = {{"new"}}}));
  EXPECT_EQ(model.detail().stream.front().text, "new");
}

TEST(TuiModelTest, YesAndNoAnswerWhatIsAsked) {
  TuiPlan asks = plan_in(1, "waiting");
  asks.approval = TuiApproval{
      .plan = test::plan_number(2), .number = 3, .subject = "tools", .items = {"run_command make"}};
  TuiModel model = model_of({asks});
  EXPECT_THAT(type_into(model, "y"), ElementsAre(TuiWish{.kind = WishKind::kApprove,
                                                         .plan = test::plan_number(1),
                                                         .asking = test::plan_number(2),
                                                         .number = 3}));
  EXPECT_THAT(type_into(model, "n"), ElementsAre(TuiWish{.kind = WishKind::kReject,
                                                         .plan = test::plan_number(1),
                                                         .asking = test::plan_number(2),
                                                         .number = 3}));
  EXPECT_THAT(type_into(model, "r"), IsEmpty()) << "going on would be a yes";
  EXPECT_EQ(model.said()->text, "it asks: y approves, n rejects");
}

TEST(TuiModelTest, WhereNothingIsAskedThatIsSaid) {
  TuiModel model = model_of({plan_in(1, "processing")});
  EXPECT_THAT(type_into(model, "y"), IsEmpty());
  EXPECT_EQ(model.said()->text, "it asks for nothing");
  EXPECT_THAT(type_into(model, "a"), IsEmpty());
  EXPECT_EQ(model.said()->text, "there is nothing to apply yet");
  type_into(model, "x");
  EXPECT_FALSE(model.said()) << "until the next key";
}

TEST(TuiModelTest, ApplyingIsAskedAboutAndBoundToTheDigest) {
  TuiPlan ready = plan_in(1, "complete");
  ready.digest = "3f9a1c02aabbccddeeff";
  TuiModel model = model_of({ready});
  EXPECT_THAT(type_into(model, "a"), IsEmpty());
  EXPECT_THAT(model.question(), testing::HasSubstr("3f9a1c02aabb"));
  EXPECT_THAT(type_into(model, "n"), IsEmpty());
  EXPECT_EQ(model.question(), "");
  EXPECT_THAT(type_into(model, "ay"), ElementsAre(TuiWish{.kind = WishKind::kApply,
                                                          .plan = test::plan_number(1),
                                                          .text = "3f9a1c02aabbccddeeff"}));
}

TEST(TuiModelTest, OtherWishes) {
  TuiModel model = model_of({plan_in(1, "errored")});
  EXPECT_EQ(type_into(model, "cy").front().kind, WishKind::kCancel);
  EXPECT_EQ(type_into(model, "uY").front().kind, WishKind::kUndo);
  EXPECT_EQ(type_into(model, "r").front().kind, WishKind::kResume);
  EXPECT_EQ(type_into(model, "q").front().kind, WishKind::kQuit);
  EXPECT_EQ(type_into(model, "\x03").front().kind, WishKind::kQuit);
}

TEST(TuiModelTest, SomethingCanBeSaid) {
  TuiModel model = model_of({plan_in(1, "complete")});
  EXPECT_THAT(type_into(model, "pAlso q"), IsEmpty());
  EXPECT_EQ(model.prompt()->text(), "Also q");
  EXPECT_THAT(type_into(model, "\r"),
              ElementsAre(TuiWish{
                  .kind = WishKind::kPrompt, .plan = test::plan_number(1), .text = "Also q"}));
  EXPECT_FALSE(model.prompt());
  EXPECT_THAT(type_into(model, "p \r"), IsEmpty());
  EXPECT_THAT(type_into(model, "pno\x1b"), IsEmpty());
  EXPECT_FALSE(model.prompt());
  type_into(model, "p\x04");
  EXPECT_FALSE(model.prompt());
}

TEST(TuiModelTest, HelpIsClosedByAnyKey) {
  TuiModel model = model_of({plan_in(1, "processing")});
  type_into(model, "?");
  EXPECT_TRUE(model.shows_help());
  EXPECT_THAT(type_into(model, "q"), IsEmpty());
  EXPECT_FALSE(model.shows_help());
}

TEST(TuiModelTest, ThePaneCanHaveTheWholeScreen) {
  TuiModel model = model_of({plan_in(1, "processing")});
  type_into(model, "\r");
  EXPECT_TRUE(model.is_zoomed());
  type_into(model, "\x1b");
  EXPECT_FALSE(model.is_zoomed());
}

TEST(TuiModelTest, ScrollsWithinWhatThereIs) {
  TuiModel model = model_of({plan_in(1, "processing")});
  TuiDetail detail{.plan = test::plan_number(1)};
  detail.tree.resize(30);
  detail.stream.resize(100);
  static_cast<void>(model.update(detail));
  type_into(model, " ");
  EXPECT_EQ(model.scroll(), 12U);
  type_into(model, "   ");
  EXPECT_EQ(model.scroll(), 18U);
  type_into(model, "bbb");
  EXPECT_EQ(model.scroll(), 0U);
  type_into(model, "2\x1b[5~");
  EXPECT_EQ(model.scroll(), 12U) << "of the stream the end is shown";
  type_into(model, "\x1b[6~");
  EXPECT_EQ(model.scroll(), 0U);
}

TEST(TuiModelTest, WithoutPlansKeysDoNothing) {
  TuiModel model = model_of({});
  EXPECT_THAT(type_into(model, "jkyna cru p\t \x1b[F"), IsEmpty());
  EXPECT_FALSE(model.prompt());
}

// Whatever comes, it can be drawn.
TEST(TuiModelTest, TakesAnything) {
  base::SeededRandom random(11);
  constexpr std::string_view kKeys = "jkyncarup?1234tsdbq \t\r\x1bxä漢";
  const std::vector<std::string> states{"queued",    "processing",  "waiting",
                                        "complete",  "errored",     "applied",
                                        "cancelled", "constrained", "cancelling"};
  const std::size_t rounds = test::campaign(100, 5000);
  for (std::size_t round = 0; round < rounds; ++round) {
    TuiModel model({.columns = 1 + random.below(130), .rows = 1 + random.below(45)}, "/a/project");
    CellScreen screen(model.size());
    for (std::uint64_t i = random.below(60); i > 0; --i) {
      switch (random.below(5)) {
        case 0: {
          TuiPlans plans;
          for (std::uint64_t j = random.below(30); j > 0; --j) {
            TuiPlan each =
                plan_in(static_cast<std::uint8_t>(j), states[random.below(states.size())],
                        std::string(random.below(90), 'w'));
            if (random.below(4) == 0) each.approval = TuiApproval{.items = {"漢字", "two"}};
            if (random.below(4) == 0) each.digest = std::string(64, 'a');
            plans.plans.push_back(std::move(each));
          }
          static_cast<void>(model.update(plans));
          break;
        }
        case 1: {
          TuiDetail detail{.plan = test::plan_number(static_cast<std::uint8_t>(random.below(30)))};
          detail.tree.resize(random.below(60), {.depth = random.below(60), .text = "a step"});
          detail.stream.resize(random.below(60), {"words that are said, 漢字 as well"});
          detail.diff.resize(random.below(60), {"+added"});
          static_cast<void>(model.update(detail));
          break;
        }
        case 2: {
          const io::TerminalSize size{.columns = 1 + random.below(130),
                                      .rows = 1 + random.below(45)};
          static_cast<void>(model.update(TuiResized{size}));
          screen.resize(size);
          break;
        }
        default:
          type_into(model, std::string(1, kKeys[random.below(kKeys.size())]));
      }
      draw(model, screen);
      ASSERT_EQ(std::ranges::count(screen.text(), '\n'),
                static_cast<std::ptrdiff_t>(model.size().rows));
    }
  }
}

}  // namespace
}  // namespace clever::cli
