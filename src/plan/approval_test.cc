// What a plan asks a person about, and what follows from the answer.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plan/advice.h"
#include "support/plan_story.h"

namespace clever::plan {
namespace {

using model::PlanState;
using model::Verdict;
using test::kinds;
using test::PlanStory;
using ::testing::HasSubstr;
using ::testing::Not;

CallVerdict verdict(Verdict one, std::string why = "a rule") {
  return {.verdict = one, .shown = "run_command git push", .why = std::move(why)};
}

/// A direct plan whose model called tools with these verdicts.
PlanStory calling(const std::vector<Verdict>& verdicts, model::PlanSettings settings = {}) {
  PlanStory story;
  story.direct(std::move(settings));
  std::vector<std::string> tools(verdicts.size(), "run_command");
  Answered answered = story.calling(tools);
  for (const Verdict one : verdicts) answered.verdicts.push_back(verdict(one));
  story.must(answered);
  return story;
}

std::vector<std::string> asked(const PlanStory& story) {
  std::vector<std::string> ids;
  if (!story.state.approval) return ids;
  for (const auto& item : story.state.approval->items) ids.push_back(item.id);
  return ids;
}

std::string tools_of(const PlanStory& story) {
  return story.state.effects.at(story.open(EffectKind::kTools)).data;
}

TEST(Verdicts, AllowedCallsRun) {
  const PlanStory story = calling({Verdict::kAllow});
  EXPECT_TRUE(story.is_open(EffectKind::kTools));
  EXPECT_THAT(tools_of(story), Not(HasSubstr("refused")));
}

TEST(Verdicts, DeniedCallsAreAnsweredWithoutRunning) {
  const PlanStory story = calling({Verdict::kDeny, Verdict::kAllow});
  EXPECT_THAT(tools_of(story), HasSubstr("\"refused\":\"not run: a rule\""));
  EXPECT_EQ(story.where(), "execute/processing");
}

TEST(Verdicts, CallsWithoutAVerdictAreAskedAbout) {
  PlanStory story;
  story.direct();
  Answered answered = story.calling({"a", "b"});
  answered.verdicts.push_back(verdict(Verdict::kAllow));
  story.must(answered);
  EXPECT_EQ(asked(story), std::vector<std::string>{"call-2"});
}

TEST(Approval, ThePlanWaitsAndHoldsNothing) {
  const PlanStory story = calling({Verdict::kAsk});
  EXPECT_EQ(story.where(), "execute/waiting");
  EXPECT_EQ(story.state.waiting, Waiting::kApproval);
  EXPECT_TRUE(story.state.effects.empty());
  EXPECT_TRUE(story.state.is_at_rest());
  EXPECT_EQ(asked(story), std::vector<std::string>{"call-1"});
  EXPECT_THAT(story.state.reason, HasSubstr("run_command git push waits for approval (a rule)"));
}

TEST(Approval, ExpiresAndIsAskedAgain) {
  model::PlanSettings settings;
  settings.control.answer_within = std::chrono::hours(1);
  PlanStory story = calling({Verdict::kAsk}, settings);
  ASSERT_TRUE(story.state.approval->expires);
  EXPECT_LE(*story.state.approval->expires, story.now + std::chrono::hours(1));
  PlanStory in_time = story;
  in_time.now += std::chrono::minutes(59);
  in_time.must(Approve{1});
  EXPECT_EQ(in_time.where(), "execute/processing");

  story.now += std::chrono::hours(1);
  for (const Command& late : {Command(Approve{1}), Command(Reject{1})}) {
    const auto refused = story.send(late);
    ASSERT_FALSE(refused.ok());
    EXPECT_THAT(refused.error().sentence(), HasSubstr("request 1 has expired"));
  }
  story.must(Resume{});
  EXPECT_EQ(story.where(), "execute/waiting") << "to resume is no answer to it";
  EXPECT_EQ(story.state.approval->number, 2);
  EXPECT_EQ(asked(story), std::vector<std::string>{"call-1"});
  story.must(Approve{2});
  EXPECT_TRUE(story.is_open(EffectKind::kTools));
}

TEST(Approval, StaysPendingWhenAnotherProcessTakesOver) {
  PlanStory story = calling({Verdict::kAsk});
  story.must(TakenOver{});
  EXPECT_EQ(story.where(), "execute/waiting");
  EXPECT_TRUE(story.state.held);
}

TEST(Approval, ApprovedCallsRunOnce) {
  PlanStory story = calling({Verdict::kAsk, Verdict::kAllow});
  EXPECT_THAT(kinds(story.must(Approve{})),
              "approval.given plan.moved:execute/processing effect.requested:tools.run");
  EXPECT_THAT(tools_of(story), Not(HasSubstr("refused")));
  EXPECT_FALSE(story.state.held);
  story.refused(Approve{});
  story.ran("a");
  EXPECT_TRUE(story.is_open(EffectKind::kModel));
}

TEST(Approval, TheModelLearnsOfARejection) {
  PlanStory story = calling({Verdict::kAsk});
  story.must(Reject{.reason = "not on a Friday"});
  EXPECT_THAT(tools_of(story), HasSubstr("not run: a person rejected it: not on a Friday"));
}

TEST(Approval, OfAPartLeavesTheRestAsked) {
  PlanStory story = calling({Verdict::kAsk, Verdict::kAsk, Verdict::kAsk});
  story.must(Approve{.number = 1, .items = {"call-2"}});
  EXPECT_EQ(asked(story), (std::vector<std::string>{"call-1", "call-3"}));
  EXPECT_EQ(story.where(), "execute/waiting");
  story.must(Reject{.items = {"call-1"}, .reason = "no"});
  EXPECT_EQ(asked(story), std::vector<std::string>{"call-3"});
  story.must(Approve{});
  const std::string data = tools_of(story);
  EXPECT_EQ(data.find("refused"), data.rfind("refused"));
  EXPECT_THAT(data, HasSubstr("rejected it: no"));
}

TEST(Approval, OfAnotherRequestIsRefused) {
  PlanStory story = calling({Verdict::kAsk, Verdict::kAsk});
  story.must(Approve{.number = 1, .items = {"call-1"}});
  EXPECT_THAT(story.refused(Approve{.number = 1}), HasSubstr("request 1 is answered"));
  EXPECT_THAT(story.refused(Approve{.items = {"nothing"}}, base::ErrorCode::kNotFound),
              HasSubstr("there are call-2"));
}

TEST(Approval, WithoutARequestIsRefused) {
  PlanStory story;
  story.direct();
  EXPECT_THAT(story.refused(Approve{}), HasSubstr("it waits for no approval"));
  EXPECT_THAT(story.refused(Reject{}), HasSubstr("it waits for no approval"));
}

TEST(Approval, ResumeIsAYes) {
  PlanStory story = calling({Verdict::kAsk});
  story.must(Resume{});
  EXPECT_TRUE(story.is_open(EffectKind::kTools));
}

TEST(Approval, AnotherWordInsteadIsANo) {
  PlanStory story = calling({Verdict::kAsk});
  story.must(Prompt{.message = test::user("do it otherwise")});
  EXPECT_EQ(story.where(), "execute/processing");
  EXPECT_TRUE(story.is_open(EffectKind::kModel));
  EXPECT_FALSE(story.state.approval);
}

TEST(Approval, ACancelledPlanAsksNothing) {
  PlanStory story = calling({Verdict::kAsk});
  story.must(Cancel{"enough"});
  EXPECT_EQ(story.where(), "execute/cancelled");
  EXPECT_FALSE(story.state.approval);
}

TEST(Approval, TwoCallsWithOneIdAreTwoItems) {
  PlanStory story;
  story.direct();
  Answered answered = story.calling({"a", "a"});
  for (auto& part : answered.message.parts) std::get<model::ToolCall>(part).id = "same";
  answered.verdicts = {verdict(Verdict::kAsk), verdict(Verdict::kAsk)};
  story.must(answered);
  EXPECT_EQ(asked(story), (std::vector<std::string>{"same", "same#2"}));
  story.must(Reject{.items = {"same#2"}});
  story.must(Approve{});
  EXPECT_TRUE(story.is_open(EffectKind::kTools));
}

TEST(Approval, WhileTheStrategyIsMade) {
  PlanStory story;
  story.create();
  story.based();
  Answered answered = story.calling({"read_file"}, CallClass::kRead);
  answered.verdicts.push_back(verdict(Verdict::kAsk));
  story.must(answered);
  EXPECT_EQ(story.where(), "strategize/waiting");
  story.must(Approve{});
  EXPECT_EQ(story.where(), "strategize/processing");
  story.ran();
  story.must(Prompt{.message = test::user("hurry")});
  story.submit(test::strategy_of({test::inline_step("a")}));
  EXPECT_EQ(story.where(), "execute/processing");
}

TEST(Approval, ASubplanTellsItsParentWhatItWaitsFor) {
  PlanStory story;
  model::PlanSettings settings;
  settings.direct = true;
  settings.depth = 1;
  settings.ancestors = {test::plan_id(9)};
  settings.spawned_by = model::EffectId(test::plan_id(7).ulid());
  story.must(Create{.parent = test::plan_id(9), .settings = settings, .prompt = test::user("x")});
  story.based();
  Answered answered = story.calling({"run_command"});
  answered.verdicts.push_back(verdict(Verdict::kAsk));
  const Decided decided = story.must(answered);
  ASSERT_EQ(decided.outgoing.size(), 1U);
  EXPECT_THAT(decided.outgoing.front().body, HasSubstr("waits for approval"));
  const Decided approved = story.must(Approve{});
  ASSERT_EQ(approved.outgoing.size(), 1U);
  EXPECT_THAT(approved.outgoing.front().body, HasSubstr("\"reason\":\"\""));
}

// ---- strategies

model::PlanSettings profile(const std::string& name) {
  model::PlanSettings settings;
  settings.profile = name;
  return settings;
}

TEST(ApprovalOfStrategy, IsAskedForByTheProfile) {
  PlanStory story;
  story.with_strategy(test::strategy_of({test::inline_step("a")}), profile("manual"));
  EXPECT_EQ(story.where(), "strategize/waiting");
  EXPECT_EQ(story.state.approval->subject, "strategy");
  story.must(Approve{});
  EXPECT_EQ(story.where(), "execute/processing");
}

TEST(ApprovalOfStrategy, RejectedItIsWorkedOutAgain) {
  PlanStory story;
  story.with_strategy(test::strategy_of({test::inline_step("a")}), profile("manual"));
  const std::size_t before = story.state.decisions.size();
  story.must(Reject{.reason = "too many steps"});
  EXPECT_EQ(story.where(), "strategize/processing");
  EXPECT_TRUE(story.state.steps.empty());
  EXPECT_LT(story.state.decisions.size(), before);
  EXPECT_THAT(story.last_words(), HasSubstr("too many steps"));
  story.submit(test::strategy_of({test::inline_step("b")}));
  EXPECT_EQ(story.where(), "strategize/waiting");
  EXPECT_EQ(story.state.approval->number, 2);
}

TEST(ApprovalOfStrategy, AnActorWithoutAModelMakesNoOther) {
  PlanStory story;
  model::PlanSettings settings = profile("manual");
  settings.uses_model = false;
  story.create(settings);
  story.based();
  story.must(ActorStrategized{story.open(EffectKind::kActorStrategize),
                              test::strategy_of({test::inline_step("a")})});
  EXPECT_THAT(story.refused(Reject{}), HasSubstr("makes no other strategy"));
  for (const Advice& each : advice(story.state)) EXPECT_NE(each.verb, Verb::kReject);
}

TEST(ApprovalOfStrategy, OfASubplanIsADecisionOfTheWhole) {
  for (const bool is_said : {true, false}) {
    PlanStory story;
    model::PlanSettings settings = profile("manual");
    if (is_said) settings.control.automation = {.decision = 1};
    settings.depth = 1;
    settings.ancestors = {test::plan_id(9)};
    settings.spawned_by = model::EffectId(test::plan_id(7).ulid());
    story.must(Create{.parent = test::plan_id(9), .settings = settings, .prompt = test::user("x")});
    story.based();
    story.submit(test::strategy_of({test::inline_step("a")}));
    EXPECT_EQ(story.where(), is_said ? "strategize/waiting" : "execute/processing");
  }
}

TEST(ApprovalOfStrategy, ThresholdsOfTheSettingsCount) {
  model::PlanSettings settings;
  settings.control.automation = {.strategy = 0.6};
  model::Strategy strategy = test::strategy_of({test::inline_step("a")});
  strategy.confidence = 0.5;
  PlanStory unsure;
  unsure.with_strategy(strategy, settings);
  EXPECT_EQ(unsure.where(), "strategize/waiting");
  strategy.confidence = 0.7;
  PlanStory sure;
  sure.with_strategy(strategy, settings);
  EXPECT_EQ(sure.where(), "execute/processing");
}

// ---- going back

PlanStory that_would_go_back() {
  PlanStory story;
  story.with_strategy(test::strategy_of({test::inline_step("a")}), profile("trusted"));
  story.calls({"write_file"});
  story.fails(EffectKind::kTools, model::ErrorCategory::kInvariant, "a rule was broken");
  return story;
}

TEST(ApprovalOfReversion, IsAskedForByTheProfile) {
  PlanStory story = that_would_go_back();
  EXPECT_EQ(story.where(), "execute/waiting");
  EXPECT_EQ(story.state.approval->subject, "reversion");
  story.must(Approve{});
  EXPECT_EQ(story.where(), "strategize/processing");
  EXPECT_EQ(story.state.reversions, 1);
}

TEST(ApprovalOfReversion, RejectedThePlanHasFailed) {
  PlanStory story = that_would_go_back();
  story.must(Reject{});
  EXPECT_EQ(story.where(), "execute/errored");
  EXPECT_THAT(story.state.reason, HasSubstr("a rule was broken"));
  story.must(Resume{});
  EXPECT_EQ(story.where(), "execute/processing");
}

// ---- landing

TEST(ApprovalOfApply, NothingIsAskedAtZero) {
  model::PlanSettings settings;
  settings.control.automation = {.apply = 0};
  PlanStory story;
  story.ready(settings);
  EXPECT_EQ(story.where(), "apply/processing");
}

TEST(ApprovalOfApply, OtherwiseThePlanIsReady) {
  PlanStory story;
  story.ready(profile("auto"));
  EXPECT_EQ(story.where(), "execute/complete");
}

// ---- the guard of calls

TEST(CallsPerStep, MoreAreRefused) {
  model::PlanSettings settings;
  settings.control.guards.calls_per_step = 2;
  PlanStory story;
  story.direct(settings);
  story.calls({"a", "b", "c"});
  EXPECT_THAT(tools_of(story), HasSubstr("a step may make 2 tool calls"));
  ToolsRan ran{.effect = story.open(EffectKind::kTools)};
  for (int i = 0; i < 3; ++i)
    ran.outcomes.push_back({.fingerprint = base::sha256(std::to_string(i))});
  story.must(ran);
  EXPECT_EQ(story.state.calls_in_step, 3);
  story.calls({"d"});
  EXPECT_THAT(tools_of(story), HasSubstr("refused"));
}

TEST(CallsPerStep, StartOverWithEachStep) {
  model::PlanSettings settings;
  settings.control.guards.calls_per_step = 1;
  PlanStory story;
  story.with_strategy(test::strategy_of({test::inline_step("a"), test::inline_step("b")}),
                      settings);
  story.calls({"x"});
  story.ran("t");
  story.says("done");
  EXPECT_EQ(story.state.calls_in_step, 0);
  story.calls({"y"});
  EXPECT_THAT(tools_of(story), Not(HasSubstr("refused")));
}

// ---- a call outside that is refused needs no word after a crash

TEST(RefusedCalls, AreRepeatedWithoutAsking) {
  PlanStory story;
  story.direct();
  Answered answered = story.calling({"deploy"}, CallClass::kOutside);
  answered.verdicts.push_back(verdict(Verdict::kDeny));
  story.must(answered);
  story.must(TakenOver{});
  EXPECT_EQ(story.where(), "execute/processing");
  EXPECT_TRUE(story.is_open(EffectKind::kTools));
}

// ---- invariants

model::PlanSettings holding(std::vector<model::Invariant> invariants) {
  model::PlanSettings settings;
  settings.control.invariants = std::move(invariants);
  return settings;
}

TEST(Invariants, AreDecisionsOfThePlan) {
  PlanStory story;
  story.direct(holding({{.name = "api", .text = "The API stays."}, {.text = "No new packages."}}));
  std::vector<std::string> chosen;
  for (const model::StoredEvent& event : story.journal) {
    if (event.kind == "decision.recorded" && event.data.contains("invariant_enforced")) {
      chosen.push_back(event.data);
    }
  }
  ASSERT_EQ(chosen.size(), 2U);
  EXPECT_THAT(chosen.front(), HasSubstr("The API stays."));
}

TEST(Invariants, ThatContradictEachOtherMakeNoPlan) {
  PlanStory story;
  const auto decided = story.send(
      Create{.settings = holding({{.text = "Always add tests."}, {.text = "Never add tests."}}),
             .prompt = test::user("x")});
  ASSERT_FALSE(decided.ok());
  EXPECT_EQ(decided.error().code(), base::ErrorCode::kConflict);
  EXPECT_THAT(decided.error().message(), HasSubstr("Never add tests."));
  EXPECT_THAT(decided.error().message(), HasSubstr("Always add tests."));
}

// A journal of another release may hold what this one would not begin with.
TEST(Invariants, ThatContradictEachOtherBlockEachPhase) {
  PlanStory story;
  story.direct();
  story.state.settings = holding({{.text = "Add tests."}, {.text = "Do not add tests."}});
  const auto apply_of = [&] {
    story.calls({"write_file"});
    story.ran("a");
    story.says("done");
    story.seals();
    return story.must(story.apply());
  };
  apply_of();
  EXPECT_EQ(story.where(), "apply/constrained");
  EXPECT_THAT(story.state.reason, HasSubstr("contradicts"));
}

TEST(Invariants, AreInForceAgainAfterAReversion) {
  PlanStory story;
  model::PlanSettings settings = holding({{.text = "The API stays."}});
  story.with_strategy(test::strategy_of({test::inline_step("a")}), settings);
  story.calls({"write_file"});
  story.fails(EffectKind::kTools, model::ErrorCategory::kInvariant, "broken");
  EXPECT_EQ(story.where(), "strategize/processing");
  const auto count = std::ranges::count_if(story.state.decisions, [](const HeldDecision& one) {
    return one.kind == model::DecisionKind::kInvariantEnforced;
  });
  EXPECT_EQ(count, 1);
}

TEST(Invariants, BlockExecuteWhereTheyContradictEachOther) {
  PlanStory story;
  story.create();
  story.based();
  story.state.settings = holding({{.text = "Add tests."}, {.text = "Never add tests."}});
  story.submit(test::strategy_of({test::inline_step("a")}));
  EXPECT_EQ(story.where(), "strategize/waiting");
  EXPECT_THAT(story.state.reason, HasSubstr("contradicts"));
}

}  // namespace
}  // namespace clever::plan
