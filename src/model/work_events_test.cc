#include "model/work_events.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/event_kinds.h"
#include "model/plan_events.h"
#include "model/restored_events.h"
#include "model/retention_events.h"
#include "support/events.h"

namespace clever::model {
namespace {

using test::check_data_refused;
using test::check_read_back;
using test::numbered_id;
using ::testing::HasSubstr;

const base::Sha256Digest kHash = base::sha256("x");

template <class T>
Event check_known_event(const T& value) {
  EXPECT_TRUE(EventKinds().knows(T::kKind));
  return check_read_back(value);
}

TEST(PlanMoved, MaySayWhy) {
  check_known_event(PlanMoved{Phase::kExecute, PlanState::kWaiting, "no money", "budget"});
  EXPECT_EQ(PlanMoved::parse(R"({"phase":"apply","state":"applied"})").value().reason, "");
}

TEST(WorkEvents, OfThePlanAreReadAsTheyWereWritten) {
  PlanSettings settings;
  settings.session = "s";
  check_known_event(PlanConfigured{settings});
  check_known_event(PlanPrompted{.body = kHash, .bytes = 7});
  check_known_event(PlanPrompted{.body = kHash, .bytes = 7, .terms = ModelTerms{.model = "p/m"}});
  check_known_event(BaseTaken{.tree = "t",
                              .branch = "b",
                              .commit = "c",
                              .uncommitted = {"u", "\xff"},
                              .submodules = {"s"},
                              .filtered = {"f"},
                              .remarks = {"r"}});
  check_known_event(BaseTaken{.tree = "t", .projects = {{"api", "b", "c"}, {"web", "", ""}}});
  check_known_event(CommandRefused{"apply", "conflict", "not ready"});
}

TEST(WorkEvents, ThatNameWordsKeepThem) {
  EXPECT_EQ((PlanPrompted{.body = kHash}).to_event().bodies, std::vector{kHash});
  EXPECT_EQ((MessageAdded{.body = kHash}).to_event().bodies, std::vector{kHash});
}

TEST(WorkEvents, OfTheConversationAreReadAsTheyWereWritten) {
  for (int i = 0; i <= static_cast<int>(MessageWhy::kSummary); ++i) {
    check_known_event(MessageAdded{Role::kAssistant, kHash, 9, static_cast<MessageWhy>(i)});
  }
  check_known_event(TranscriptCut{4});
  check_known_event(ModelAnswered{numbered_id<EffectId>(1), "p/m", 10, 20, 30});
  check_known_event(ToolsRecorded{
      numbered_id<EffectId>(1),
      {{"t", true, kHash, "t x", "exit code 7", std::chrono::milliseconds(12), 7}, {"u"}},
      {"a", "\xff"}});
}

TEST(WorkEvents, OfStepsAreReadAsTheyWereWritten) {
  const StrategyStep step{.id = "a", .title = "t", .depends_on = std::vector<std::string>()};
  check_known_event(StrategyAccepted{
      {.summary = "s", .steps = {step}}, numbered_id<DecisionId>(1), {numbered_id<DecisionId>(2)}});
  check_known_event(StepAdded{step, numbered_id<DecisionId>(1)});
  for (int i = 0; i <= static_cast<int>(StepState::kSkipped); ++i) {
    check_known_event(StepMoved{"a",
                                static_cast<StepState>(i),
                                numbered_id<PlanId>(1),
                                2,
                                "b",
                                "t",
                                {"r", "\xff"},
                                "s",
                                "w",
                                3});
  }
  check_known_event(StepMoved{.step = "a"});
  check_known_event(WorkMoved{"t", "rollback", 9});
  check_known_event(WorkBegan{numbered_id<ChangesetId>(1)});
}

TEST(WorkEvents, OfARollbackAreReadAsTheyWereWritten) {
  const StrategyStep step{.id = "a", .title = "t", .depends_on = std::vector<std::string>()};
  const MessageAdded message{Role::kAssistant, kHash, 9, MessageWhy::kAnswer};
  const RestoredWords words{message, numbered_id<DecisionId>(3)};
  check_known_event(
      WorkRestored{.tree = "t",
                   .to_sequence = 9,
                   .summary = "s",
                   .strategy = numbered_id<DecisionId>(1),
                   .decision = numbered_id<DecisionId>(2),
                   .steps = {{.added = {step, numbered_id<DecisionId>(2)},
                              .moved = {.step = "a", .state = StepState::kDone, .attempt = 2},
                              .moved_at = 7,
                              .merged_at = 8,
                              .guidance = {words}}},
                   .decisions = {{numbered_id<DecisionId>(4), numbered_id<DecisionId>(1),
                                  DecisionKind::kSubplanSpawn, 5}},
                   .messages = {message},
                   .turns = 3,
                   .calls = 4,
                   .prompts = {kHash},
                   .pending_prompts = {message},
                   .guidance = {words},
                   .conflicts = {{"p", "content", "a", "m"}}});
  check_known_event(WorkRestored{.tree = "t", .to_sequence = 9});
  check_known_event(PayloadsExpired{3, 400});
  check_data_refused<WorkRestored>(R"({"tree":"t"})", "\"to_sequence\"");
  check_data_refused<WorkRestored>(R"({"tree":"t","to_sequence":1,"turns":-1})", "\"turns\"");
  check_data_refused<WorkRestored>(R"({"tree":"t","to_sequence":1,"prompts":["x"]})",
                                   "\"prompts\"");
  check_data_refused<WorkRestored>(R"({"tree":"t","to_sequence":1,"steps":[{}]})", "\"added\"");
}

TEST(WorkEvents, OfMergesAreReadAsTheyWereWritten) {
  check_known_event(ChildrenMerged{
      {"a", "b"}, {{"p", "content", "a", "m"}, {"\xff", "mode", "", ""}}, {"a read p"}});
  check_known_event(ChildrenMerged{});
  check_known_event(ConflictsResolved{{"p", "\xff"}});
}

TEST(WorkEvents, OfErrorsAreReadAsTheyWereWritten) {
  for (std::size_t i = 0; i < kErrorCategories; ++i) {
    check_known_event(ErrorRecorded{.number = 1, .category = static_cast<ErrorCategory>(i)});
  }
  for (int i = 0; i <= static_cast<int>(Recovery::kGiveUp); ++i) {
    check_known_event(ErrorRecorded{.number = 3,
                                    .message = "m",
                                    .effect = numbered_id<EffectId>(1),
                                    .recovery = static_cast<Recovery>(i),
                                    .after = std::chrono::milliseconds(5),
                                    .retry = 2,
                                    .hint = "h"});
  }
}

TEST(WorkEvents, OfApplyAreReadAsTheyWereWritten) {
  check_known_event(ApplyRequested{kHash, "branch", "b", "m", false, true, {"tests", "lint"}});
  check_known_event(ApplyRequested{});
  check_known_event(ApplyEnded{kHash, true, "c", "r", {"f", "\xff"}, {"m"}});
  check_known_event(ApplyUndone{kHash, "c"});
  check_known_event(ApplyEnded{.digest = kHash, .applied = true, .projects = {{"api", "", "c"}}});
  check_known_event(ApplyUndone{.digest = kHash, .projects = {{"api", "", "c"}, {"web", "", ""}}});
}

TEST(WorkEvents, SayWhichKeyIsWrong) {
  check_data_refused<PlanConfigured>("{}", "\"settings\"");
  check_data_refused<PlanConfigured>(R"({"settings":{"depth":"x"}})", "\"depth\"");
  check_data_refused<PlanPrompted>(R"({"body":"x"})", "\"body\"");
  const std::string hash = kHash.to_hex();
  check_data_refused<PlanPrompted>(R"({"body":")" + hash + R"(","bytes":-1})", "\"bytes\"");
  check_data_refused<BaseTaken>("{}", "\"tree\"");
  check_data_refused<BaseTaken>(R"({"tree":"t","uncommitted":[1]})", "\"uncommitted\"");
  check_data_refused<MessageAdded>(R"({"role":"odd"})", "\"role\"");
  check_data_refused<MessageAdded>(
      R"({"role":"user","bytes":1,"why":"whim","body":")" + hash + R"("})",
      "'whim' is not a known reason");
  check_data_refused<TranscriptCut>(R"({"messages":-1})", "\"messages\"");
  check_data_refused<ModelAnswered>("{}", "\"effect\"");
  check_data_refused<ToolsRecorded>("{}", "\"effect\"");
  check_data_refused<ToolsRecorded>(
      R"({"effect":")" + numbered_id<EffectId>(1).to_string() + R"(","calls":[{"tool":"t"}]})",
      "\"fingerprint\"");
  check_data_refused<StrategyAccepted>("{}", "\"strategy\"");
  check_data_refused<StrategyAccepted>(R"({"strategy":{"summary":"s","steps":[]}})",
                                       "at least one");
  check_data_refused<StepAdded>("{}", "\"step\"");
  check_data_refused<StepMoved>(R"({"step":"a","state":"odd"})",
                                "'odd' is not a known state of a step");
  check_data_refused<WorkMoved>("{}", "\"tree\"");
  check_data_refused<WorkBegan>("{}", "\"changeset\"");
  check_data_refused<ChildrenMerged>(R"({"conflicts":[{"path":[],"kind":"k"}]})", "\"path\"");
  check_data_refused<ErrorRecorded>(R"({"number":0})", "\"number\"");
  check_data_refused<ErrorRecorded>(R"({"number":1,"category":"odd"})",
                                    "'odd' is not a known category");
  check_data_refused<ErrorRecorded>(
      R"({"number":1,"category":"budget","message":"m","recovery":"hope"})",
      "'hope' is not a known way");
  check_data_refused<ApplyRequested>(R"({"digest":")" + hash + R"(","mode":"odd"})", "\"mode\"");
  check_data_refused<ApplyRequested>(R"({"digest":")" + hash + R"(","verify":1})", "\"verify\"");
  check_data_refused<ApplyEnded>("{}", "\"digest\"");
  check_data_refused<ApplyUndone>("{}", "\"digest\"");
  check_data_refused<CommandRefused>("{}", "\"command\"");
}

TEST(WorkEvents, TextsThatNoDatabaseTakesAreMadeSuch) {
  const CommandRefused refused{std::string("a\0b", 3), "c", "\xff"};
  const auto read = CommandRefused::parse(refused.to_event().data);
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(read->reason, "\xEF\xBF\xBD");
}

}  // namespace
}  // namespace clever::model
