#include "model/work_events.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/event_kinds.h"
#include "model/plan_events.h"

namespace clever::model {
namespace {

using ::testing::HasSubstr;

template <class Id>
Id id(std::uint8_t number) {
  return Id(base::Ulid({0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, number}));
}

const base::Sha256Digest kHash = base::sha256("x");

template <class T>
Event check_round_trip(const T& value) {
  Event event = value.to_event();
  EXPECT_EQ(event.kind, T::kKind);
  EXPECT_EQ(T::parse(event.data).value(), value);
  EXPECT_TRUE(EventKinds().knows(T::kKind));
  return event;
}

template <class T>
void check_refused(std::string_view data, const std::string& why) {
  const auto parsed = T::parse(data);
  ASSERT_FALSE(parsed.ok()) << data;
  EXPECT_EQ(parsed.error().code(), base::ErrorCode::kInvalidArgument);
  EXPECT_THAT(parsed.error().to_string(), HasSubstr(std::string(T::kKind)));
  EXPECT_THAT(parsed.error().to_string(), HasSubstr(why)) << data;
}

TEST(PlanMoved, MaySayWhy) {
  check_round_trip(PlanMoved{Phase::kExecute, PlanState::kWaiting, "no money", "budget"});
  EXPECT_EQ(PlanMoved::parse(R"({"phase":"apply","state":"applied"})").value().reason, "");
}

TEST(WorkEvents, OfThePlanAreReadAsTheyWereWritten) {
  PlanSettings settings;
  settings.session = "s";
  check_round_trip(PlanConfigured{settings});
  check_round_trip(PlanPrompted{.body = kHash, .bytes = 7});
  check_round_trip(PlanPrompted{.body = kHash, .bytes = 7, .terms = ModelTerms{.model = "p/m"}});
  check_round_trip(BaseTaken{.tree = "t",
                             .branch = "b",
                             .commit = "c",
                             .uncommitted = {"u", "\xff"},
                             .submodules = {"s"},
                             .filtered = {"f"},
                             .remarks = {"r"}});
  check_round_trip(CommandRefused{"apply", "conflict", "not ready"});
}

TEST(WorkEvents, ThatNameWordsKeepThem) {
  EXPECT_EQ((PlanPrompted{.body = kHash}).to_event().bodies, std::vector{kHash});
  EXPECT_EQ((MessageAdded{.body = kHash}).to_event().bodies, std::vector{kHash});
}

TEST(WorkEvents, OfTheConversationAreReadAsTheyWereWritten) {
  for (int i = 0; i <= static_cast<int>(MessageWhy::kSummary); ++i) {
    check_round_trip(MessageAdded{Role::kAssistant, kHash, 9, static_cast<MessageWhy>(i)});
  }
  check_round_trip(TranscriptCut{4});
  check_round_trip(ModelAnswered{id<EffectId>(1), "p/m", 10, 20, 30});
  check_round_trip(ToolsRecorded{id<EffectId>(1), {{"t", true, kHash}, {"u"}}, {"a", "\xff"}});
}

TEST(WorkEvents, OfStepsAreReadAsTheyWereWritten) {
  const StrategyStep step{.id = "a", .title = "t", .depends_on = std::vector<std::string>()};
  check_round_trip(
      StrategyAccepted{{.summary = "s", .steps = {step}}, id<DecisionId>(1), {id<DecisionId>(2)}});
  check_round_trip(StepAdded{step, id<DecisionId>(1)});
  for (int i = 0; i <= static_cast<int>(StepState::kSkipped); ++i) {
    check_round_trip(StepMoved{
        "a", static_cast<StepState>(i), id<PlanId>(1), 2, "b", "t", {"r", "\xff"}, "s", "w", 3});
  }
  check_round_trip(StepMoved{.step = "a"});
  check_round_trip(WorkMoved{"t", "rollback", 9});
  check_round_trip(WorkBegan{id<ChangesetId>(1)});
}

TEST(WorkEvents, OfMergesAreReadAsTheyWereWritten) {
  check_round_trip(ChildrenMerged{
      {"a", "b"}, {{"p", "content", "a", "m"}, {"\xff", "mode", "", ""}}, {"a read p"}});
  check_round_trip(ChildrenMerged{});
  check_round_trip(ConflictsResolved{{"p", "\xff"}});
}

TEST(WorkEvents, OfErrorsAreReadAsTheyWereWritten) {
  for (std::size_t i = 0; i < kErrorCategories; ++i) {
    check_round_trip(ErrorRecorded{.number = 1, .category = static_cast<ErrorCategory>(i)});
  }
  for (int i = 0; i <= static_cast<int>(Recovery::kGiveUp); ++i) {
    check_round_trip(ErrorRecorded{.number = 3,
                                   .message = "m",
                                   .effect = id<EffectId>(1),
                                   .recovery = static_cast<Recovery>(i),
                                   .after = std::chrono::milliseconds(5),
                                   .retry = 2,
                                   .hint = "h"});
  }
}

TEST(WorkEvents, OfApplyAreReadAsTheyWereWritten) {
  check_round_trip(ApplyRequested{kHash, "branch", "b", "m", false, true});
  check_round_trip(ApplyRequested{});
  check_round_trip(ApplyEnded{kHash, true, "c", "r", {"f", "\xff"}, {"m"}});
  check_round_trip(ApplyUndone{kHash, "c"});
}

TEST(WorkEvents, SayWhichKeyIsWrong) {
  check_refused<PlanConfigured>("{}", "\"settings\"");
  check_refused<PlanConfigured>(R"({"settings":{"depth":"x"}})", "\"depth\"");
  check_refused<PlanPrompted>(R"({"body":"x"})", "\"body\"");
  const std::string hash = kHash.to_hex();
  check_refused<PlanPrompted>(R"({"body":")" + hash + R"(","bytes":-1})", "\"bytes\"");
  check_refused<BaseTaken>("{}", "\"tree\"");
  check_refused<BaseTaken>(R"({"tree":"t","uncommitted":[1]})", "\"uncommitted\"");
  check_refused<MessageAdded>(R"({"role":"odd"})", "\"role\"");
  check_refused<MessageAdded>(R"({"role":"user","bytes":1,"why":"whim","body":")" + hash + R"("})",
                              "'whim' is no reason");
  check_refused<TranscriptCut>(R"({"messages":-1})", "\"messages\"");
  check_refused<ModelAnswered>("{}", "\"effect\"");
  check_refused<ToolsRecorded>("{}", "\"effect\"");
  check_refused<ToolsRecorded>(
      R"({"effect":")" + id<EffectId>(1).to_string() + R"(","calls":[{"tool":"t"}]})",
      "\"fingerprint\"");
  check_refused<StrategyAccepted>("{}", "\"strategy\"");
  check_refused<StrategyAccepted>(R"({"strategy":{"summary":"s","steps":[]}})", "at least one");
  check_refused<StepAdded>("{}", "\"step\"");
  check_refused<StepMoved>(R"({"step":"a","state":"odd"})", "'odd' is no state of a step");
  check_refused<WorkMoved>("{}", "\"tree\"");
  check_refused<WorkBegan>("{}", "\"changeset\"");
  check_refused<ChildrenMerged>(R"({"conflicts":[{"path":[],"kind":"k"}]})", "\"path\"");
  check_refused<ErrorRecorded>(R"({"number":0})", "\"number\"");
  check_refused<ErrorRecorded>(R"({"number":1,"category":"odd"})", "'odd' is no category");
  check_refused<ErrorRecorded>(
      R"({"number":1,"category":"budget","message":"m","recovery":"hope"})", "'hope' is no way");
  check_refused<ApplyRequested>(R"({"digest":")" + hash + R"(","mode":"odd"})", "\"mode\"");
  check_refused<ApplyRequested>(R"({"digest":")" + hash + R"(","verify":1})", "\"verify\"");
  check_refused<ApplyEnded>("{}", "\"digest\"");
  check_refused<ApplyUndone>("{}", "\"digest\"");
  check_refused<CommandRefused>("{}", "\"command\"");
}

TEST(WorkEvents, TextsThatNoDatabaseTakesAreMadeSuch) {
  const CommandRefused refused{std::string("a\0b", 3), "c", "\xff"};
  const auto read = CommandRefused::parse(refused.to_event().data);
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(read->reason, "\xEF\xBF\xBD");
}

}  // namespace
}  // namespace clever::model
