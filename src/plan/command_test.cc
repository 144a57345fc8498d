#include "plan/command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "base/random.h"
#include "support/plan_story.h"

namespace clever::plan {
namespace {

using ::testing::HasSubstr;

template <class T>
T round_trip(const T& command) {
  const auto read = command_from_json(to_json(command));
  EXPECT_TRUE(read.ok()) << (read.ok() ? "" : read.error().to_string());
  EXPECT_EQ(to_json(*read), to_json(command));
  return std::get<T>(*read);
}

TEST(Command, OfPeopleTravelsAsJson) {
  const Prompt prompt = round_trip(Prompt{
      .message = test::user("more"), .model = "m", .terms = model::ModelTerms{.model = "p/m"}});
  EXPECT_EQ(prompt.message, test::user("more"));
  EXPECT_EQ(prompt.terms->model, "p/m");
  EXPECT_FALSE(round_trip(Prompt{.message = test::user("x")}).terms);
  round_trip(Resume{});
  EXPECT_EQ(round_trip(Cancel{"why"}).reason, "why");
  const model::ApplyRequested request{.digest = base::sha256("x"), .message = "m", .remerge = true};
  EXPECT_EQ(round_trip(Apply{request}).request, request);
  round_trip(Undo{});
  round_trip(Seal{});
  EXPECT_EQ(round_trip(Rollback{9}).to_sequence, 9);
}

TEST(Command, OfOtherPlansTravelsAsJson) {
  const auto effect = model::EffectId(test::plan_id(3).ulid());
  const ChildEnded ended = round_trip(ChildEnded{.effect = effect,
                                                 .child = child_of(effect),
                                                 .state = model::PlanState::kErrored,
                                                 .base = "b",
                                                 .tree = "t",
                                                 .reads = {"r", "\xff"},
                                                 .summary = "s",
                                                 .error = "e",
                                                 .files = 4});
  EXPECT_EQ(ended.files, 4);
  EXPECT_EQ(ended.child, child_of(effect));
  EXPECT_EQ(ended.reads, (std::vector<std::string>{"r", "\xff"}));
  EXPECT_EQ(ended.error, "e");
  EXPECT_EQ(round_trip(ChildWaits{effect, child_of(effect), "money"}).reason, "money");
}

TEST(Command, OfTheEngineDoesNotTravel) {
  EXPECT_DEATH(static_cast<void>(to_json(TakenOver{})), "does not travel");
}

TEST(Command, SaysWhichKeyIsWrong) {
  const auto check = [](const std::string& text, const std::string& why) {
    const auto read = command_from_json(text);
    ASSERT_FALSE(read.ok()) << text;
    EXPECT_EQ(read.error().code(), base::ErrorCode::kInvalidArgument);
    EXPECT_THAT(read.error().sentence(), HasSubstr(why)) << text;
  };
  check("", "a JSON object");
  check("{}", "\"command\" must be prompt, resume");
  check(R"({"command":7})", "\"command\" must be a string");
  check(R"({"command":"create"})", "not 'create'");
  check(R"({"command":"prompt"})", "messages");
  check(R"({"command":"prompt","message":[]})", "a list of one message");
  check(R"({"command":"prompt","message":[{"role":"assistant","parts":[]}]})", "user's role");
  check(R"({"command":"prompt","message":[{"role":"user","parts":[]}],"terms":7})", "\"terms\"");
  check(R"({"command":"cancel","reason":7})", "\"reason\"");
  check(R"({"command":"apply"})", "apply.requested");
  check(R"({"command":"rollback"})", "\"to_sequence\"");
  check(R"({"command":"child_ended"})", "\"effect\"");
  check(R"({"command":"child_ended","effect":"x"})", "\"effect\"");
  check(R"({"command":"child_waits","effect":"01000000000000000000000001"})", "\"child\"");
}

TEST(Command, AnyTextIsReadOrRefused) {
  base::SeededRandom random(5);
  const std::string good = to_json(Prompt{.message = test::user("more")});
  for (int i = 0; i < 2'000; ++i) {
    std::string text = good.substr(0, 1 + random.below(good.size()));
    text[random.below(text.size())] = static_cast<char>(random.below(256));
    const auto read = command_from_json(text);
    if (!read.ok()) {
      EXPECT_EQ(read.error().code(), base::ErrorCode::kInvalidArgument);
    }
  }
}

TEST(Command, HasANameOfItsOwn) {
  const std::vector<Command> all{
      Create{},      Prompt{},       Resume{},        Cancel{},           Apply{},
      Undo{},        Rollback{},     ChildEnded{},    ChildWaits{},       TakenOver{},
      BaseIsTaken{}, Answered{},     ToolsRan{},      ActorStrategized{}, ActorWorked{},
      Merged{},      Sealed{},       ApplyCame{},     UndoCame{},         TimerFired{},
      BudgetFreed{}, RecordError{},  EffectStopped{}, RecordChanges{},    Correct{},
      Approve{},     Reject{},       Choose{},        Validated{},        Chosen{},
      Seal{},        AgentCharged{}, AgentSaid{},     RecordDecision{}};
  std::set<std::string_view> names;
  for (const Command& command : all) names.insert(name_of(command));
  EXPECT_EQ(names.size(), std::variant_size_v<Command>);
}

}  // namespace
}  // namespace clever::plan
