#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/change_events.h"
#include "model/decision_events.h"
#include "support/plan_story.h"

namespace clever::plan {
namespace {

using test::PlanStory;
using ::testing::HasSubstr;

model::StoredEvent stored(const PlanStory& story, const model::Event& event) {
  return {.plan = story.state.id,
          .sequence = story.state.sequence + 1,
          .time = story.now,
          .kind = event.kind,
          .data = event.data};
}

void check_cannot_follow(PlanStory& story, const model::Event& event, const std::string& why) {
  const auto evolved = evolve(story.state, stored(story, event));
  ASSERT_FALSE(evolved.ok()) << event.kind;
  EXPECT_EQ(evolved.error().code(), base::ErrorCode::kCorruption);
  EXPECT_THAT(evolved.error().message(), HasSubstr(why));
  EXPECT_THAT(evolved.error().message(), HasSubstr(event.kind));
}

PlanStory begun() {
  PlanStory story;
  story.direct();
  return story;
}

TEST(Evolve, BeginsWithACreation) {
  PlanStory story;
  check_cannot_follow(story, model::PlanMoved{}.to_event(), "begins with plan.created");
}

TEST(Evolve, LeavesNoGap) {
  PlanStory story = begun();
  model::StoredEvent event = stored(story, model::PlanMoved{}.to_event());
  ++event.sequence;
  EXPECT_THAT(evolve(story.state, event).error().message(), HasSubstr("the next one is"));
}

TEST(Evolve, KeepsPlansApart) {
  PlanStory story = begun();
  model::StoredEvent event = stored(story, model::PlanMoved{}.to_event());
  event.plan = test::plan_id(9);
  EXPECT_THAT(evolve(story.state, event).error().message(),
              HasSubstr("of plan " + test::plan_id(9).to_string()));
}

TEST(Evolve, RefusesWhatCannotFollow) {
  PlanStory story = begun();
  using model::Phase;
  using model::PlanState;
  check_cannot_follow(story, model::PlanCreated{}.to_event(), "created once");
  check_cannot_follow(story, model::PlanMoved{Phase::kApply, PlanState::kApplied}.to_event(),
                      "execute/processing does not lead to apply/applied");
  check_cannot_follow(story,
                      model::PlanMoved{Phase::kExecute, PlanState::kWaiting, "", "rain"}.to_event(),
                      "'rain' is not a reason to wait");
  check_cannot_follow(story, model::DecisionRecorded{}.to_event(), "one root");
  check_cannot_follow(story, model::StepMoved{.step = "x"}.to_event(), "no step x");
  check_cannot_follow(story, model::StepAdded{{.id = "task", .title = "t"}, {}}.to_event(),
                      "a step with that id");
  check_cannot_follow(story, model::TranscriptCut{99}.to_event(), "fewer messages");
  check_cannot_follow(story, model::ErrorRecorded{.number = 7}.to_event(),
                      "the next error is number 1");
  check_cannot_follow(story, model::ApplyUndone{}.to_event(), "was not applied");
  check_cannot_follow(story, model::WorkBegan{}.to_event(), "was not started");
  check_cannot_follow(story, model::ChangesetStarted{story.state.changeset.id, {}}.to_event(),
                      "exists already");
  const auto nobody = model::ChangesetId(test::plan_id(9).ulid());
  check_cannot_follow(story, model::ChangesRecorded{nobody, {}}.to_event(), "not open");
  check_cannot_follow(story, model::ChangesetSealed{nobody, {}, 0}.to_event(), "not open");
  const auto open = story.open(EffectKind::kModel);
  check_cannot_follow(story,
                      model::EffectRequested{.id = open, .kind = "model.call"}.to_event().value(),
                      "open already");
  check_cannot_follow(story, {.kind = "step.moved", .data = "{}"}, "\"step\"");
}

TEST(Evolve, WorkNeedsABase) {
  PlanStory story;
  story.create();
  check_cannot_follow(story, model::WorkMoved{"t", "tools", 0}.to_event(), "no base yet");
}

TEST(Evolve, KindsThatItDoesNotKnowChangeOnlyTheSequence) {
  PlanStory story = begun();
  State expected = story.state;
  ++expected.sequence;
  ASSERT_TRUE(evolve(story.state, stored(story, {.kind = "of.tomorrow", .data = "{}"})).ok());
  EXPECT_EQ(story.state, expected);
  ++expected.sequence;
  const auto foreign =
      model::EffectRequested{.id = model::EffectId(test::plan_id(3).ulid()), .kind = "other.job"};
  ASSERT_TRUE(evolve(story.state, stored(story, foreign.to_event().value())).ok());
  EXPECT_EQ(story.state, expected);
}

TEST(Evolve, KeepsTheFirstAndTheLatestCheckpoints) {
  PlanStory story;
  model::PlanSettings settings;
  settings.limits.turns_per_step = 1'000;
  story.direct(settings);
  for (int i = 0; i < 300; ++i) {
    story.calls({"write_file"});
    story.ran("t" + std::to_string(i));
  }
  EXPECT_EQ(story.state.checkpoints.size(), 256U);
  EXPECT_EQ(story.state.checkpoints.front().why, "base");
  EXPECT_EQ(story.state.checkpoints.back().tree, test::tree("t299"));
}

TEST(Invariants, AreNoticedWhenTheyAreBroken) {
  const PlanStory good = begun();
  const auto check = [&](auto change, const std::string& what) {
    State state = good.state;
    change(state);
    EXPECT_THAT(check_invariants(state), ::testing::Contains(HasSubstr(what)));
  };
  EXPECT_TRUE(check_invariants(State()).empty());
  check([](State& s) { s.effects.clear(); }, "nothing is open");
  check([](State& s) { s.effects.begin()->second.reservation = 0; }, "reservation");
  check([](State& s) { s.effects.begin()->second.kind = EffectKind::kApply; }, "wrong phase");
  check([](State& s) { s.effects[model::EffectId()].kind = EffectKind::kSeal; }, "more than one");
  check(
      [](State& s) {
        s.effects[model::EffectId()].kind = EffectKind::kSubplan;
        s.steps[0].definition.mode = model::StepMode::kSubplan;
        s.steps[0].state = model::StepState::kDone;
        s.steps[0].child = child_of(model::EffectId());
      },
      "a child without a running step");
  check([](State& s) { s.state = model::PlanState::kCancelled; }, "a plan that has ended");
  check([](State& s) { s.state = model::PlanState::kWaiting; }, "waiting, and for what");
  check([](State& s) { s.active.reset(); }, "the active step");
  check([](State& s) { s.active = 7; }, "no such active step");
  check([](State& s) { s.steps[0].merged = true; }, "merged, and not done");
  check([](State& s) { s.transcript_bytes = 1; }, "the sum of the transcript");
  check([](State& s) { s.transcript[0].why = model::MessageWhy::kResults; },
        "results do not follow an answer");
  check([](State& s) { s.transcript[0].why = model::MessageWhy::kAnswer; },
        "an answer that nothing follows");
  check([](State& s) { s.retries[0] = 99; }, "more retries than granted for transient_provider");
  check([](State& s) { s.reversions = 4; }, "3 reversions");
  check([](State& s) { s.conflicts.push_back({"p", "k", "x", ""}); }, "a conflict");
  check([](State& s) { s.phase = model::Phase::kStrategize; }, "steps before");
  check([](State& s) { s.phase = model::Phase::kStrategize, s.tree = "x"; }, "changed the tree");
  check([](State& s) { s.steps.clear(); }, "work without base or strategy");
  check([](State& s) { s.phase = model::Phase::kApply; }, "apply without");
  check([](State& s) { s.reserved[model::EffectId()]; }, "without its effect");
}

TEST(Effects, AreNamed) {
  for (int i = 0; i <= static_cast<int>(EffectKind::kTimer); ++i) {
    const auto kind = static_cast<EffectKind>(i);
    EXPECT_EQ(effect_kind_from_string(to_string(kind)), kind);
  }
  EXPECT_EQ(effect_kind_from_string("odd"), std::nullopt);
}

TEST(Effects, AreResumedByTheirRule) {
  EXPECT_EQ(resume_rule(EffectKind::kModel, "{}"), ResumeRule::kRepeat);
  EXPECT_EQ(resume_rule(EffectKind::kActorWork, "{}"), ResumeRule::kRestoreThenRepeat);
  EXPECT_EQ(resume_rule(EffectKind::kTools, "no JSON"), ResumeRule::kRestoreThenRepeat);
  EXPECT_EQ(resume_rule(EffectKind::kTools, R"({"calls":[7,{"class":"read"}]})"),
            ResumeRule::kRestoreThenRepeat);
  EXPECT_EQ(resume_rule(EffectKind::kTools, R"({"calls":[{"class":"odd"}]})"), ResumeRule::kAsk);
  EXPECT_EQ(due_of(R"({"due_us":7})"), model::to_timestamp(7));
  EXPECT_EQ(due_of("7"), model::Timestamp());
}

}  // namespace
}  // namespace clever::plan
