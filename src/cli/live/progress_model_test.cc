#include "cli/live/progress_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/decision_events.h"
#include "model/work_events.h"
#include "support/shown_plans.h"

namespace clever::cli {
namespace {

using model::PlanState;
using plan::EffectKind;
using test::plan_number;
using test::stored;
using test::subplan_step;
using test::with_effect;
using test::working_plan;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr base::TimePoint kStart{};
constexpr std::chrono::seconds kSecond{1};

// All words; those of lines and details as they would stand in a pipe.
std::vector<std::string> lines(ProgressModel& model) {
  std::vector<std::string> texts;
  for (const ProgressWords& words : model.take_words()) texts.push_back(words.text);
  return texts;
}

plan::State in(plan::State state, model::Phase phase, PlanState place, std::string reason = {}) {
  state.phase = phase;
  state.state = place;
  state.reason = std::move(reason);
  return state;
}

TEST(ProgressModelTest, TellsOfAPlanOnce) {
  ProgressModel model;
  const plan::State plan = working_plan(1, "Fix it");
  model.on_events(plan, {}, kStart);
  model.on_events(plan, {}, kStart);
  EXPECT_THAT(lines(model),
              ElementsAre("plan " + plan_number(1).to_string() + ": Fix it", "execute"));
  EXPECT_THAT(lines(model), IsEmpty());
}

TEST(ProgressModelTest, TellsWhereItHasCome) {
  ProgressModel model;
  const plan::State plan = working_plan(1, "Fix it");
  model.on_events(in(plan, model::Phase::kStrategize, PlanState::kProcessing), {}, kStart);
  model.on_events(in(plan, model::Phase::kExecute, PlanState::kQueued), {}, kStart);
  model.on_events(in(plan, model::Phase::kExecute, PlanState::kProcessing), {}, kStart);
  model.on_events(in(plan, model::Phase::kExecute, PlanState::kWaiting, "no money"), {}, kStart);
  model.on_events(in(plan, model::Phase::kExecute, PlanState::kProcessing), {}, kStart);
  model.on_events(in(plan, model::Phase::kExecute, PlanState::kComplete), {}, kStart);
  EXPECT_THAT(lines(model),
              ElementsAre(HasSubstr("Fix it"), "strategize", "execute", "execute waiting: no money",
                          "execute goes on", "execute complete"));
}

TEST(ProgressModelTest, LinesOfSeveralTasksAreLabelled) {
  ProgressModel model(2);
  model.on_events(working_plan(1, "One"), {}, kStart);
  model.on_events(working_plan(2, "Two"), {}, kStart);
  model.on_events(working_plan(3, "Part", plan_number(2)), {}, kStart);
  model.on_tool(plan_number(3), "read_file a", true);
  const auto said = lines(model);
  EXPECT_THAT(said[1], "[1] execute");
  EXPECT_THAT(said[3], "[2] execute");
  EXPECT_THAT(said.back(), "[2/Part] read_file a");
}

TEST(ProgressModelTest, SubplansAreLabelledByTheirStep) {
  ProgressModel model;
  const model::StepMoved moved{
      .step = "parser", .state = model::StepState::kRunning, .child = plan_number(2), .attempt = 1};
  model.on_events(working_plan(1, "All"), stored(moved), kStart);
  model.on_events(working_plan(2, "Fix the parser", plan_number(1)), {}, kStart);
  EXPECT_EQ(lines(model).back(), "[parser] execute");
}

TEST(ProgressModelTest, SubplansStandInTheOrderOfTheirSteps) {
  ProgressModel model;
  plan::State root = working_plan(1, "All");
  std::vector<model::StoredEvent> events;
  for (std::uint8_t i = 0; i < 4; ++i) {
    const model::PlanId child = plan_number(static_cast<std::uint8_t>(10 - i));
    root.steps.push_back(subplan_step("s" + std::to_string(i), model::StepState::kRunning, child));
    const model::StepMoved moved{.step = "s" + std::to_string(i), .child = child, .attempt = 1};
    events.push_back(stored(moved).front());
  }
  model.on_events(root, events, kStart);
  for (const std::uint8_t child : std::vector<std::uint8_t>{8, 10, 7, 9}) {
    model.on_events(working_plan(child, std::to_string(child), plan_number(1)), {}, kStart);
  }
  std::vector<std::string> titles;
  for (const ProgressEntry& entry : model.view(9, kStart).entries) titles.push_back(entry.title);
  EXPECT_THAT(titles, ElementsAre("All", "10", "9", "8", "7"));
}

TEST(ProgressModelTest, ASubplanMayAppearFirst) {
  ProgressModel model;
  model.on_events(working_plan(2, "Part", plan_number(1)), {}, kStart);
  model.on_events(working_plan(1, "All"), {}, kStart);
  EXPECT_THAT(lines(model), ElementsAre("[Part] execute", "execute"));
  const ProgressView view = model.view(9, kStart);
  ASSERT_EQ(view.entries.size(), 2U);
  EXPECT_EQ(view.entries[0].title, "All");
  EXPECT_EQ(view.entries[1].depth, 1U);
  EXPECT_EQ(view.roots, 1U);
}

TEST(ProgressModelTest, StreamsTheTextOfASingleTaskOnly) {
  ProgressModel one;
  one.on_events(working_plan(1, "One"), {}, kStart);
  one.on_events(working_plan(2, "Part", plan_number(1)), {}, kStart);
  static_cast<void>(one.take_words());
  one.on_text(plan_number(1), "I see", false);
  one.on_text(plan_number(1), "hm", true);
  one.on_text(plan_number(2), "not shown", false);
  EXPECT_THAT(lines(one), ElementsAre("I see"));

  ProgressModel two(2);
  two.on_events(working_plan(1, "One"), {}, kStart);
  static_cast<void>(two.take_words());
  two.on_text(plan_number(1), "I see", false);
  EXPECT_THAT(lines(two), IsEmpty());
}

TEST(ProgressModelTest, AnAnswerEndsItsLine) {
  ProgressModel model;
  const plan::State plan = working_plan(1, "One");
  model.on_events(plan, {}, kStart);
  static_cast<void>(model.take_words());
  model.on_text(plan.id, "Done.", false);
  model.on_events(plan, stored(model::ModelAnswered{.model = "a/b"}), kStart);
  model.on_events(plan, stored(model::ModelAnswered{.model = "a/b"}), kStart);
  EXPECT_THAT(lines(model), ElementsAre("Done.", "\n"));
}

TEST(ProgressModelTest, AnAnswerThatStartsOverSaysSo) {
  ProgressModel model;
  model.on_events(working_plan(1, "One"), {}, kStart);
  static_cast<void>(model.take_words());
  model.on_restart(plan_number(1));
  EXPECT_THAT(lines(model), IsEmpty());
  model.on_text(plan_number(1), "Half an ans", false);
  model.on_restart(plan_number(1));
  EXPECT_THAT(lines(model), ElementsAre("Half an ans", "\n", "the answer starts over"));
}

TEST(ProgressModelTest, WaitingIsReportedOnce) {
  ProgressModel model;
  model.on_events(working_plan(1, "One"), {}, kStart);
  static_cast<void>(model.take_words());
  model.on_wait(plan_number(1), "the provider asks for 3 s");
  model.on_wait(plan_number(1), "the provider asks for 3 s");
  EXPECT_EQ(model.view(9, kStart).entries[0].doing, "the provider asks for 3 s");
  EXPECT_THAT(lines(model), ElementsAre("the provider asks for 3 s"));
  model.on_text(plan_number(1), "", false);
  EXPECT_EQ(model.view(9, kStart).entries[0].doing, "answering");
}

TEST(ProgressModelTest, ShowsTheToolsThatRun) {
  ProgressModel model;
  model.on_events(with_effect(working_plan(1, "One"), EffectKind::kTools), {}, kStart);
  const auto doing = [&] { return model.view(9, kStart).entries[0].doing; };
  EXPECT_EQ(doing(), "working");
  model.on_tool(plan_number(1), "read_file a", true);
  model.on_tool(plan_number(1), "read_file b", true);
  EXPECT_EQ(doing(), "read_file b (+1)");
  model.on_tool(plan_number(1), "read_file b", false);
  EXPECT_EQ(doing(), "read_file a");
  model.on_tool(plan_number(1), "never begun", false);
  model.on_events(working_plan(1, "One"), {}, kStart);
  EXPECT_EQ(doing(), "");
}

TEST(ProgressModelTest, TellsFailedCallsToEverybodyAndOthersToThoseWhoDidNotSeeThemBegin) {
  ProgressModel model;
  const plan::State plan = working_plan(1, "One");
  model.on_events(plan, {}, kStart);
  static_cast<void>(model.take_words());
  const model::ToolsRecorded ran{.calls = {{.tool = "read_file", .shown = "read_file a"},
                                           {.tool = "run_command",
                                            .failed = true,
                                            .shown = "run_command make",
                                            .problem = "exit code 7",
                                            .took = std::chrono::milliseconds{1500}}}};
  model.on_events(plan, stored(ran), kStart);
  EXPECT_THAT(lines(model),
              ElementsAre("read_file a", "run_command make failed: exit code 7 (1.5 s)"));
  model.on_tool(plan.id, "read_file a", true);
  static_cast<void>(model.take_words());
  model.on_events(plan, stored(ran), kStart);
  const auto words = model.take_words();
  ASSERT_EQ(words.size(), 2U);
  EXPECT_EQ(words[0].kind, ProgressWords::Kind::kTool);
  EXPECT_EQ(words[1].kind, ProgressWords::Kind::kLine);
}

TEST(ProgressModelTest, CallsOfAnAgentEndItsWordsAndStaySeen) {
  ProgressModel model;
  const plan::State plan = working_plan(1, "One");
  model.on_events(plan, {}, kStart);
  static_cast<void>(model.take_words());
  model.on_text(plan.id, "I look.", false);
  model.on_tool(plan.id, "Bash ls", true);
  model.on_tool(plan.id, "Bash make", true);
  static_cast<void>(model.take_words());
  const model::ToolsRecorded ran{
      .calls = {{.tool = "Bash", .shown = "Bash ls"}, {.tool = "Bash", .shown = "Bash make"}}};
  model.on_events(plan, stored(ran), kStart);
  const auto words = model.take_words();
  ASSERT_EQ(words.size(), 3U);
  EXPECT_EQ(words[0].text, "\n");
  EXPECT_EQ(words[1].kind, ProgressWords::Kind::kTool);
  EXPECT_EQ(words[2].text, "Bash make");
  EXPECT_EQ(model.view(9, kStart).entries[0].doing, "");
}

TEST(ProgressModelTest, SaysThatAnAgentIsSilent) {
  ProgressModel model;
  const plan::State plan = working_plan(1, "One");
  model.on_events(plan, {}, kStart);
  static_cast<void>(model.take_words());
  model.on_events(plan,
                  stored(model::DecisionRecorded{.kind = model::DecisionKind::kResourceSelection,
                                                 .question = "Is the agent at work?",
                                                 .chosen = "claude has written nothing"}),
                  kStart);
  EXPECT_THAT(lines(model), ElementsAre("claude has written nothing"));
}

TEST(ProgressModelTest, TellsValidationsOnceAsTheyCome) {
  ProgressModel model;
  plan::State plan = working_plan(1, "One");
  model.on_events(plan, {}, kStart);
  const model::ValidationResult red{
      .name = "tests", .outcome = "exit code 1", .took = std::chrono::milliseconds{1500}};
  const model::ValidationsRan ran{.tree = "t", .results = {red}};
  plan.validation = ran;
  model.on_validation(plan.id, red);
  EXPECT_EQ(lines(model).back(), "validation tests failed: exit code 1 (1.5 s)");
  model.on_events(plan, stored(ran), kStart);
  EXPECT_TRUE(lines(model).empty());
  // Of who only reads the journal: with the event.
  model.on_events(plan, stored(ran), kStart);
  EXPECT_EQ(lines(model).back(), "validation tests failed: exit code 1 (1.5 s)");
}

TEST(ProgressModelTest, SaysInWordsWhatEffectsDo) {
  const std::vector<std::pair<EffectKind, std::string>> all{
      {EffectKind::kBase, "looking at the project"},
      {EffectKind::kModel, "thinking"},
      {EffectKind::kActorStrategize, "planning"},
      {EffectKind::kActorWork, "working"},
      {EffectKind::kMerge, "merging"},
      {EffectKind::kSeal, "sealing the changes"},
      {EffectKind::kApply, "applying"},
      {EffectKind::kUndo, "undoing"},
      {EffectKind::kTimer, "waiting before the next attempt"},
      {EffectKind::kSubplan, "0 of 0 done"}};
  for (const auto& [kind, words] : all) {
    ProgressModel model;
    model.on_events(with_effect(working_plan(1, "One"), kind), {}, kStart);
    EXPECT_EQ(model.view(1, kStart).entries[0].doing, words);
  }
}

TEST(ProgressModelTest, CountsSubplans) {
  ProgressModel model;
  plan::State plan = with_effect(working_plan(1, "One"), EffectKind::kSubplan);
  plan.steps = {
      subplan_step("a", model::StepState::kDone), subplan_step("b", model::StepState::kRunning),
      subplan_step("c", model::StepState::kFailed), subplan_step("d", model::StepState::kPending)};
  model.on_events(plan, {}, kStart);
  EXPECT_EQ(model.view(1, kStart).entries[0].doing, "1 of 4 done, 1 running, 1 failed");
  model.on_events(with_effect(plan, EffectKind::kModel), {}, kStart);
  EXPECT_EQ(model.view(1, kStart).entries[0].doing, "1 of 4 done, 1 running, 1 failed; thinking");
}

TEST(ProgressModelTest, ARootCostsWhatItsSubplansCost) {
  ProgressModel model;
  plan::State root = working_plan(1, "One");
  root.usage = {.calls = 1, .input_tokens = 10, .output_tokens = 5, .cost = 100};
  plan::State part = working_plan(2, "Part", plan_number(1));
  part.usage = {.calls = 1, .input_tokens = 1000, .output_tokens = 0, .cost = 7};
  model.on_events(root, {}, kStart);
  model.on_events(part, {}, kStart);
  const ProgressView view = model.view(9, kStart);
  EXPECT_EQ(view.entries[0].tokens, 1015);
  EXPECT_EQ(view.entries[0].cost, 107);
  EXPECT_EQ(view.entries[1].tokens, 1000);
  EXPECT_EQ(view.entries[1].depth, 1U);
  EXPECT_EQ(view.tokens, 1015);
}

TEST(ProgressModelTest, TimeStandsStillForAPlanAtRest) {
  ProgressModel model;
  const plan::State plan = with_effect(working_plan(1, "One"), EffectKind::kModel);
  model.on_events(plan, {}, kStart);
  EXPECT_EQ(model.view(1, kStart + 2 * kSecond).entries[0].elapsed, 2 * kSecond);
  model.on_events(in(working_plan(1, "One"), model::Phase::kExecute, PlanState::kComplete), {},
                  kStart + 3 * kSecond);
  EXPECT_EQ(model.view(1, kStart + 9 * kSecond).entries[0].elapsed, 3 * kSecond);
  model.on_events(plan, {}, kStart + 10 * kSecond);
  EXPECT_EQ(model.view(1, kStart + 11 * kSecond).entries[0].elapsed, 11 * kSecond);
}

TEST(ProgressModelTest, WithoutRoomThoseThatWorkAreShown) {
  ProgressModel model;
  model.on_events(working_plan(1, "Root"), {}, kStart);
  for (std::uint8_t i = 2; i < 12; ++i) {
    const plan::State part = working_plan(i, "Part " + std::to_string(i), plan_number(1));
    const bool done = i < 10;
    model.on_events(
        in(part, model::Phase::kExecute, done ? PlanState::kComplete : PlanState::kProcessing), {},
        kStart);
  }
  const ProgressView view = model.view(4, kStart);
  std::vector<std::string> titles;
  for (const ProgressEntry& entry : view.entries) titles.push_back(entry.title);
  EXPECT_THAT(titles, ElementsAre("Root", "Part 2", "Part 10", "Part 11"));
  EXPECT_EQ(view.more, 7U);
  EXPECT_EQ(view.more_done, 7U);
}

TEST(ProgressModelTest, WithoutAnyRoomNothingIsShown) {
  ProgressModel model;
  model.on_events(working_plan(1, "Root"), {}, kStart);
  EXPECT_THAT(model.view(0, kStart).entries, IsEmpty());
  EXPECT_EQ(model.view(0, kStart).more, 1U);
}

TEST(ProgressModelTest, StatusFollowsTheState) {
  const std::vector<std::pair<PlanState, WorkStatus>> all{
      {PlanState::kQueued, WorkStatus::kQueued},
      {PlanState::kProcessing, WorkStatus::kWorking},
      {PlanState::kCancelling, WorkStatus::kWorking},
      {PlanState::kWaiting, WorkStatus::kWaiting},
      {PlanState::kConstrained, WorkStatus::kWaiting},
      {PlanState::kErrored, WorkStatus::kFailed},
      {PlanState::kCancelled, WorkStatus::kFailed},
      {PlanState::kComplete, WorkStatus::kDone},
      {PlanState::kApplied, WorkStatus::kDone}};
  for (const auto& [state, status] : all) {
    ProgressModel model;
    model.on_events(in(working_plan(1, "One"), model::Phase::kExecute, state, "why"), {}, kStart);
    EXPECT_EQ(model.view(1, kStart).entries[0].status, status) << to_string(state);
  }
}

TEST(ProgressModelTest, TellsTheStrategyWithItsSteps) {
  ProgressModel model;
  plan::State plan = working_plan(1, "One");
  plan.strategy_summary = "Split it";
  for (int i = 0; i < 22; ++i) {
    plan.steps.push_back(subplan_step("s" + std::to_string(i), model::StepState::kPending));
  }
  plan.steps[1].definition.mode = model::StepMode::kInline;
  model.on_events(plan, stored(model::StrategyAccepted{}), kStart);
  const auto said = lines(model);
  EXPECT_EQ(said[1], "Split it (22 steps)");
  EXPECT_EQ(said[2], "  s0: Do s0 (subplan)");
  EXPECT_EQ(said[3], "  s1: Do s1");
  EXPECT_EQ(said[22], "  … and 2 steps");
}

TEST(ProgressModelTest, TheImplicitStepOfDirectWorkIsNotWorthALine) {
  ProgressModel model;
  plan::State plan = working_plan(1, "One");
  plan.settings.direct = true;
  plan.strategy_summary = "One";
  plan.steps.resize(1);
  model.on_events(plan, stored(model::StrategyAccepted{}), kStart);
  EXPECT_EQ(lines(model).size(), 2U);
}

TEST(ProgressModelTest, TellsErrorsConflictsAndRemarks) {
  ProgressModel model;
  plan::State plan = working_plan(1, "One");
  plan.last_error = model::ErrorRecorded{.number = 1,
                                         .category = model::ErrorCategory::kRateLimit,
                                         .message = "slow down",
                                         .recovery = model::Recovery::kRetry,
                                         .retry = 2};
  plan.base = model::BaseTaken{.remarks = {"big.bin is read-only"}};
  const model::ChildrenMerged merged{
      .steps = {"a", "b"}, .conflicts = {{.path = "x.cc", .kind = "content", .step = "b"}}};
  model.on_events(plan, stored(*plan.base, *plan.last_error, merged), kStart);
  EXPECT_THAT(lines(model), ElementsAre(HasSubstr("One"), "big.bin is read-only",
                                        "error (rate_limit): slow down; try 2 follows",
                                        "merged a, b", "conflict in x.cc (content)", "execute"));
}

TEST(ProgressModelTest, EventsThatMakeNoSenseAreLeftOut) {
  ProgressModel model;
  std::vector<model::StoredEvent> events(2);
  events[0].kind = model::StepMoved::kKind;
  events[1].kind = model::ChildrenMerged::kKind;
  model.on_events(working_plan(1, "One"), events, kStart);
  EXPECT_EQ(lines(model).size(), 2U);
}

TEST(ProgressModelTest, ForgetsTheOldestWordsAndSaysSo) {
  ProgressModel model;
  model.on_events(working_plan(1, "One"), {}, kStart);
  for (std::size_t i = 0; i < ProgressModel::kMostWords + 5; ++i) {
    model.on_tool(plan_number(1), "call " + std::to_string(i), true);
    model.on_tool(plan_number(1), "call " + std::to_string(i), false);
  }
  const auto said = lines(model);
  EXPECT_EQ(said.size(), ProgressModel::kMostWords + 1);
  EXPECT_EQ(said.front(), "… 7 lines left out");
  EXPECT_EQ(said[1], "call 5");
}

}  // namespace
}  // namespace clever::cli
