#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plan/advice.h"
#include "support/plan_story.h"

namespace clever::plan {
namespace {

using model::ValidationResult;
using test::advised_verbs;
using test::kinds;
using test::PlanStory;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

model::PlanSettings checked(std::int64_t fixes = 3) {
  model::PlanSettings settings;
  settings.control.validations = {{.name = "tests", .argv = {"sh", "-c", "make test"}},
                                  {.name = "lint", .argv = {"lint"}, .required = false}};
  settings.control.fixes = fixes;
  return settings;
}

ValidationResult passed(const std::string& name) { return {.name = name, .passed = true}; }
ValidationResult failed(const std::string& name) {
  return {.name = name, .outcome = "exit code 1", .output = "expected 4, was 5\n"};
}

plan::Decided validates(PlanStory& story, std::vector<ValidationResult> results) {
  return story.must(Validated{.effect = story.open(EffectKind::kValidate),
                              .tree = story.state.tree,
                              .results = std::move(results)});
}

// A direct plan that has done its work.
void work(PlanStory& story, model::PlanSettings settings) {
  story.direct(std::move(settings));
  story.calls({"write_file"});
  story.ran("a");
  story.says("done");
}

// The model mends something, or says that it did.
void mend(PlanStory& story, const std::string& tree) {
  story.calls({"write_file"});
  story.ran(tree);
  story.says("mended");
}

TEST(Validate, SealsWorkThatPasses) {
  PlanStory story;
  work(story, checked());
  EXPECT_EQ(story.where(), "execute/processing");
  EXPECT_THAT(story.state.effects.at(story.open(EffectKind::kValidate)).data,
              AllOf(HasSubstr(story.state.tree), HasSubstr("\"then\":\"seal\"")));
  EXPECT_EQ(kinds(validates(story, {passed("tests"), passed("lint")})),
            "effect.settled validations.ran effect.requested:changes.seal");
  story.seals();
  EXPECT_TRUE(story.state.is_ready_to_apply());
  EXPECT_TRUE(story.state.validation->passed());
}

TEST(Validate, WithoutValidationsNothingIsAskedFor) {
  PlanStory story;
  work(story, {});
  EXPECT_FALSE(story.is_open(EffectKind::kValidate));
  EXPECT_TRUE(story.is_open(EffectKind::kSeal));
}

TEST(Validate, WorkThatChangedNothingIsNotChecked) {
  PlanStory story;
  story.direct(checked());
  story.says("nothing to do");
  EXPECT_TRUE(story.is_open(EffectKind::kSeal));
}

TEST(Validate, SubplansAreNotChecked) {
  PlanStory story;
  model::PlanSettings settings = checked();
  settings.direct = true;
  settings.ancestors = {test::plan_id(9)};
  settings.spawned_by = model::EffectId(test::plan_id(8).ulid());
  story.must(Create{.project = "p",
                    .parent = test::plan_id(9),
                    .settings = settings,
                    .prompt = test::user("part")});
  story.based();
  story.calls({"write_file"});
  story.ran("a");
  story.says("done");
  EXPECT_EQ(story.where(), "execute/complete");
}

TEST(Validate, InformationalFailuresGateNothing) {
  PlanStory story;
  work(story, checked());
  validates(story, {passed("tests"), failed("lint")});
  story.seals();
  EXPECT_TRUE(story.state.is_ready_to_apply());
  EXPECT_FALSE(story.state.validation->results[1].passed);
}

TEST(Validate, AFailureBecomesAStep) {
  PlanStory story;
  work(story, checked());
  EXPECT_EQ(kinds(validates(story, {failed("tests"), failed("lint")})),
            "effect.settled validations.ran decision.recorded step.added step.moved:fix-1=running "
            "transcript.cut message.added budget.reserved effect.requested:model.call");
  EXPECT_THAT(story.last_words(), AllOf(HasSubstr("tests: exit code 1"),
                                        HasSubstr("expected 4, was 5"), Not(HasSubstr("lint: "))));
  EXPECT_EQ(story.state.decisions.back().kind, model::DecisionKind::kValidationResponse);
  EXPECT_EQ(story.state.fixes, 1);
  mend(story, "b");
  validates(story, {passed("tests"), passed("lint")});
  story.seals();
  EXPECT_TRUE(story.state.is_ready_to_apply());
}

TEST(Validate, AfterAllAttemptsAPersonDecides) {
  PlanStory story;
  model::PlanSettings settings = checked();
  settings.apply_when_ready = true;
  work(story, settings);
  for (const char* tree : {"b", "c", "d"}) {
    validates(story, {failed("tests"), passed("lint")});
    mend(story, tree);
  }
  validates(story, {failed("tests"), passed("lint")});
  story.seals();
  EXPECT_EQ(story.where(), "apply/constrained");
  EXPECT_THAT(story.state.reason,
              AllOf(HasSubstr("validation tests (exit code 1) failed"), HasSubstr("plan prompt"),
                    HasSubstr("plan resume"), HasSubstr("plan diff")));
  EXPECT_THAT(advised_verbs(story.state),
              ElementsAre(Verb::kPrompt, Verb::kResume, Verb::kDiff, Verb::kCancel));
  EXPECT_THAT(story.refused(story.apply()), HasSubstr("it did not pass"));
}

TEST(Validate, WithoutAModelNothingIsHandedBack) {
  PlanStory story;
  model::PlanSettings settings = checked();
  settings.uses_model = false;
  settings.direct = true;
  story.create(settings);
  story.based();
  story.must(ActorWorked{story.open(EffectKind::kActorWork), "worked", test::tree("a")});
  validates(story, {failed("tests")});
  story.seals();
  EXPECT_EQ(story.where(), "apply/constrained");
  EXPECT_THAT(story.state.reason, Not(HasSubstr("plan prompt")));
}

TEST(Validate, AResultThatDidNotComeDidNotPass) {
  PlanStory story;
  work(story, checked(0));
  validates(story, {passed("lint"), passed("another")});
  EXPECT_EQ(story.state.validation->results.size(), 2U);
  EXPECT_EQ(story.state.validation->results[0].outcome, "it gave no result");
  story.seals();
  EXPECT_EQ(story.where(), "apply/constrained");
}

TEST(Validate, WhetherItIsRequiredIsForThePlanToSay) {
  PlanStory story;
  work(story, checked(0));
  ValidationResult lies = failed("tests");
  lies.required = false;
  validates(story, {lies, passed("lint")});
  story.seals();
  EXPECT_EQ(story.where(), "apply/constrained");
}

TEST(Validate, ResumingRunsThemAgain) {
  PlanStory story;
  work(story, checked(0));
  validates(story, {failed("tests")});
  story.seals();
  story.must(Resume{});
  EXPECT_EQ(story.where(), "execute/processing");
  validates(story, {passed("tests"), passed("lint")});
  story.seals();
  EXPECT_EQ(story.where(), "execute/complete");
  EXPECT_TRUE(story.state.is_ready_to_apply());
}

TEST(Validate, ResumedInVainItIsConstrainedAgain) {
  PlanStory story;
  work(story, checked(0));
  for (int i = 0; i < 2; ++i) {
    validates(story, {failed("tests")});
    story.seals();
    EXPECT_EQ(story.where(), "apply/constrained");
    story.must(Resume{});
  }
}

TEST(Validate, APromptContinuesAndTheFixesAreCountedAgain) {
  PlanStory story;
  work(story, checked(1));
  validates(story, {failed("tests")});
  mend(story, "b");
  validates(story, {failed("tests")});
  story.seals();
  EXPECT_EQ(story.where(), "apply/constrained");
  story.must(Prompt{.message = test::user("the sum is wrong")});
  EXPECT_EQ(story.where(), "execute/processing");
  EXPECT_EQ(story.state.fixes, 0);
  mend(story, "c");
  validates(story, {failed("tests")});
  EXPECT_EQ(story.state.steps.back().definition.id, "fix-2");
}

TEST(Validate, DoesNewPromptsFirst) {
  PlanStory story;
  work(story, checked());
  story.must(Prompt{.message = test::user("and this")});
  validates(story, {passed("tests"), passed("lint")});
  EXPECT_EQ(story.where(), "execute/processing");
  EXPECT_TRUE(story.is_open(EffectKind::kModel));
  EXPECT_EQ(story.state.steps.back().definition.id, "prompt-2");
  EXPECT_THAT(story.last_words(), HasSubstr("and this"));
}

TEST(Validate, RevisesTheStrategyWhereNoApprovalIsNeeded) {
  PlanStory story;
  model::PlanSettings settings = checked(0);
  settings.profile = "full-auto";
  const auto once = [&] {
    story.calls({"write_file"});
    story.ran("w" + std::to_string(story.state.sequence));
    story.says("done");
    validates(story, {failed("tests")});
  };
  story.with_strategy(test::strategy_of({test::inline_step("a")}), settings);
  for (int i = 1; i <= 3; ++i) {
    once();
    EXPECT_EQ(story.where(), "strategize/processing");
    EXPECT_EQ(story.state.reversions, i);
    EXPECT_THAT(story.last_words(), HasSubstr("validation tests (exit code 1) failed"));
    story.submit(test::strategy_of({test::inline_step("a")}));
  }
  once();
  story.seals();
  EXPECT_EQ(story.where(), "apply/constrained");
}

TEST(Validate, ChecksANewMergeBeforeItLands) {
  PlanStory story;
  model::PlanSettings settings = checked();
  settings.apply_when_ready = true;
  work(story, settings);
  validates(story, {passed("tests"), passed("lint")});
  story.seals();
  story.must(ApplyCame{.effect = story.open(EffectKind::kApply),
                       .outcome = {.reason = "moved on", .moved_on = {"a.txt"}},
                       .remerged_tree = test::tree("remerged"),
                       .remerged_base = model::BaseTaken{.tree = test::tree("new base")}});
  EXPECT_EQ(story.where(), "apply/processing");
  validates(story, {passed("tests"), passed("lint")});
  EXPECT_EQ(kinds(story.seals("remerged")),
            "effect.settled changeset.sealed apply.requested effect.requested:apply.run");
}

TEST(Validate, ANewMergeThatFailsDoesNotLand) {
  PlanStory story;
  model::PlanSettings settings = checked();
  settings.apply_when_ready = true;
  work(story, settings);
  validates(story, {passed("tests"), passed("lint")});
  story.seals();
  story.must(ApplyCame{.effect = story.open(EffectKind::kApply),
                       .outcome = {.reason = "moved on", .moved_on = {"a.txt"}},
                       .remerged_tree = test::tree("remerged"),
                       .remerged_base = model::BaseTaken{.tree = test::tree("new base")}});
  validates(story, {failed("tests"), passed("lint")});
  story.seals("remerged");
  EXPECT_EQ(story.where(), "apply/constrained");
  EXPECT_THAT(story.refused(story.apply()), HasSubstr("it did not pass"));
  story.must(Resume{});
  validates(story, {passed("tests"), passed("lint")});
  story.seals("remerged");
  EXPECT_EQ(story.where(), "apply/processing");
}

TEST(Validate, IsRepeatedAfterACrash) {
  PlanStory story;
  work(story, checked());
  const model::EffectId before = story.open(EffectKind::kValidate);
  story.must(TakenOver{});
  EXPECT_EQ(story.open(EffectKind::kValidate), before);
  EXPECT_EQ(resume_rule(EffectKind::kValidate, "{}"), ResumeRule::kRepeat);
}

TEST(Validate, IsStoppedWithThePlan) {
  PlanStory story;
  work(story, checked());
  story.must(Cancel{"enough"});
  story.must(EffectStopped{story.open(EffectKind::kValidate)});
  EXPECT_EQ(story.where(), "execute/cancelled");
}

TEST(Validate, EndsWithThePlanThatIsCancelledMeanwhile) {
  PlanStory story;
  work(story, checked());
  story.must(Cancel{"enough"});
  validates(story, {failed("tests")});
  EXPECT_EQ(story.where(), "execute/cancelled");
}

TEST(Validate, ThatCannotBeRunIsTriedAgain) {
  PlanStory story;
  work(story, checked());
  story.fails(EffectKind::kValidate, model::ErrorCategory::kInternal);
  if (story.is_open(EffectKind::kTimer)) story.fires();
  while (!story.is_open(EffectKind::kValidate)) story.must(Resume{});
  validates(story, {passed("tests"), passed("lint")});
  story.seals();
  EXPECT_TRUE(story.state.is_ready_to_apply());
}

TEST(Validate, LongOutputKeepsItsEnd) {
  PlanStory story;
  work(story, checked(0));
  ValidationResult long_one = failed("tests");
  long_one.output = std::string(10'000, 'x') + "the end";
  validates(story, {long_one});
  EXPECT_LT(story.state.validation->results[0].output.size(), 4'100U);
  EXPECT_TRUE(story.state.validation->results[0].output.ends_with("the end"));
}

// A direct plan whose required check was not run.
void work_unchecked(PlanStory& story) {
  work(story, checked());
  ValidationResult result = failed("tests");
  result.ran = false;
  result.outcome = "it is not trusted";
  validates(story, {result, passed("lint")});
  story.seals();
}

TEST(Validate, AnUnrunValidationPreventsLandingWithoutAStep) {
  PlanStory story;
  work_unchecked(story);
  EXPECT_EQ(story.where(), "apply/constrained");
  EXPECT_EQ(story.state.fixes, 0);
  EXPECT_THAT(story.state.reason, HasSubstr("validation tests (it is not trusted) was not run;"));
  EXPECT_THAT(story.state.reason, Not(HasSubstr("asks for a fix")));
  EXPECT_THAT(story.refused(story.apply()), HasSubstr("it did not pass"));
  story.must(Resume{});
  validates(story, {passed("tests"), passed("lint")});
  story.seals();
  EXPECT_TRUE(story.state.is_ready_to_apply());
}

TEST(Validate, APersonLetsItLandWithoutOneByItsName) {
  PlanStory story;
  work_unchecked(story);
  Apply apply = story.apply();
  apply.request.without = {"nothing"};
  EXPECT_THAT(story.refused(apply, base::ErrorCode::kNotFound), HasSubstr("tests, lint"));
  apply.request.without = {"lint"};
  EXPECT_THAT(story.refused(apply), HasSubstr("--without-validation tests"));
  apply.request.without = {"tests"};
  EXPECT_EQ(kinds(story.must(apply)),
            "decision.recorded apply.requested plan.moved:apply/processing "
            "effect.requested:apply.run");
  story.must(ApplyCame{.effect = story.open(EffectKind::kApply), .outcome = {.applied = true}});
  EXPECT_EQ(story.where(), "apply/applied");
}

TEST(Validate, AnExcuseEndsWithMoreWork) {
  PlanStory story;
  work(story, checked(0));
  validates(story, {failed("tests"), passed("lint")});
  story.seals();
  Apply apply = story.apply();
  apply.request.without = {"tests"};
  story.must(apply);
  story.must(ApplyCame{.effect = story.open(EffectKind::kApply), .outcome = {.reason = "moved"}});
  EXPECT_EQ(story.where(), "apply/constrained");
  story.must(Prompt{.message = test::user("more")});
  mend(story, "b");
  validates(story, {failed("tests"), passed("lint")});
  story.seals("more");
  EXPECT_EQ(story.where(), "apply/constrained");
  EXPECT_THAT(story.refused(story.apply()), HasSubstr("it did not pass"));
}

}  // namespace
}  // namespace clever::plan
