#include "service/plan/plan_document.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/render.h"
#include "model/change_events.h"
#include "model/document_json.h"
#include "support/shown_plans.h"

namespace clever::cli {
namespace {

using namespace service;

using model::Phase;
using model::PlanState;
using test::plan_number;
using test::subplan_step;
using test::with_effect;
using test::working_plan;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

plan::State complete_plan() {
  plan::State plan = working_plan(1, "Fix it");
  plan.state = PlanState::kComplete;
  plan.base = model::BaseTaken{.tree = "aa"};
  plan.tree = "bb";
  plan.strategy_summary = "Split it";
  plan.changeset.digest = base::Sha256Digest();
  plan.steps = {subplan_step("a", model::StepState::kDone),
                subplan_step("b", model::StepState::kFailed)};
  return plan;
}

const std::vector<ChangedFile>& two_files() {
  static const std::vector<ChangedFile> kFiles{
      {.path = "a.cc", .status = "modified", .insertions = 3, .deletions = 1},
      {.path = "c.bin", .from = "b.bin", .status = "renamed", .binary = true}};
  return kFiles;
}

std::string json_of(const plan::State& plan) {
  return to_json(plan_document({plan, two_files(), {2, 100, 20, 1'500'000}}));
}

TEST(PlanDocumentTest, HasTheseKeysInThisOrder) {
  const std::string id = plan_number(1).to_string();
  EXPECT_EQ(to_json(plan_document({complete_plan(), two_files(), {2, 100, 20, 1'500'000}})),
            to_json(Document::map()
                        .set("plan_id", id)
                        .set("phase", "execute")
                        .set("state", "complete")
                        .set("summary", "Split it")
                        .set("files", files_document(two_files()))
                        .set("digest", std::string(64, '0'))
                        .set("subplans",
                             Document::map().set("total", 2).set("complete", 1).set("failed", 1))
                        .set("usage", Document::map()
                                          .set("calls", 2)
                                          .set("input_tokens", 100)
                                          .set("output_tokens", 20)
                                          .set("cost_usd", 1.5))
                        .set("next_steps", [&] {
                          Document steps = Document::list();
                          steps.push("agents diff " + id);
                          steps.push("agents apply " + id);
                          steps.push("agents plan prompt " + id + " \"…\"");
                          return steps;
                        }())));
}

TEST(PlanDocumentTest, FilesSayWhatHappenedToThem) {
  EXPECT_THAT(to_json(files_document(two_files())),
              AllOf(HasSubstr("\"insertions\":3"), HasSubstr("\"from\":\"b.bin\""),
                    HasSubstr("\"binary\":true")));
  EXPECT_EQ(files_total({}), "no changes");
  EXPECT_EQ(files_total(two_files()), "2 files changed, 3 insertions, 1 deletion");
}

TEST(PlanDocumentTest, TellsWhatMattersInEachState) {
  plan::State plan = complete_plan();
  plan.changeset.digest.reset();
  EXPECT_THAT(json_of(plan), HasSubstr("\"digest\":null"));
  plan.conflicts = {{.path = "a.cc", .kind = "content", .step = "b"}};
  EXPECT_THAT(json_of(plan), HasSubstr("\"conflicts\""));
  plan.state = PlanState::kErrored;
  plan.reason = "it broke";
  plan.last_error = model::ErrorRecorded{.message = "broken", .hint = "mend it"};
  EXPECT_THAT(json_of(plan), AllOf(HasSubstr("\"reason\":\"it broke\""),
                                   HasSubstr("\"category\":\"internal\""), HasSubstr("mend it")));
  plan.state = PlanState::kApplied;
  plan.applied = model::ApplyEnded{.applied = true, .commit = "abc"};
  EXPECT_THAT(json_of(plan), AllOf(HasSubstr("\"commit\":\"abc\""), Not(HasSubstr("error"))));
}

TEST(PlanDocumentTest, ExitCodesSayWhoIsNeeded) {
  const auto code = [](PlanState state) {
    plan::State plan = complete_plan();
    plan.state = state;
    return exit_code_of(plan);
  };
  EXPECT_EQ(code(PlanState::kComplete), ExitCode::kOk);
  EXPECT_EQ(code(PlanState::kApplied), ExitCode::kOk);
  EXPECT_EQ(code(PlanState::kQueued), ExitCode::kOk);
  EXPECT_EQ(code(PlanState::kCancelling), ExitCode::kOk);
  EXPECT_EQ(code(PlanState::kProcessing), ExitCode::kOk);
  EXPECT_EQ(code(PlanState::kWaiting), ExitCode::kNeedsPerson);
  EXPECT_EQ(code(PlanState::kConstrained), ExitCode::kNeedsPerson);
  EXPECT_EQ(code(PlanState::kErrored), ExitCode::kError);
  EXPECT_EQ(code(PlanState::kCancelled), ExitCode::kError);
  plan::State conflicting = complete_plan();
  conflicting.conflicts.resize(1);
  EXPECT_EQ(exit_code_of(conflicting), ExitCode::kNeedsPerson);
}

TEST(PlanDocumentTest, ASubplanThatWaitsNeedsAPerson) {
  plan::State plan = working_plan(1, "All");
  plan.steps = {subplan_step("a", model::StepState::kRunning, plan_number(2))};
  plan.steps[0].waits = "money";
  EXPECT_EQ(exit_code_of(plan), ExitCode::kNeedsPerson);
  EXPECT_EQ(reason_of(plan), "step a waits: money");
  EXPECT_EQ(next_steps(plan)[1], "agents resume " + plan_number(2).to_string());
  EXPECT_EQ(exit_code_of(with_effect(plan, plan::EffectKind::kModel)), ExitCode::kOk);
}

TEST(PlanDocumentTest, NextStepsFitTheState) {
  const std::string id = " " + plan_number(1).to_string();
  const auto first = [&](PlanState state, auto change) {
    plan::State plan = complete_plan();
    plan.state = state;
    change(plan);
    const auto steps = next_steps(plan);
    return steps.empty() ? std::string() : steps.front();
  };
  const auto as_it_is = [](plan::State&) {};
  EXPECT_EQ(first(PlanState::kProcessing, as_it_is), "agents watch" + id);
  EXPECT_EQ(first(PlanState::kComplete, as_it_is), "agents diff" + id);
  EXPECT_EQ(first(PlanState::kErrored, as_it_is), "agents resume" + id);
  EXPECT_EQ(first(PlanState::kConstrained, as_it_is), "agents diff" + id);
  EXPECT_EQ(first(PlanState::kApplied, as_it_is), "agents undo" + id);
  EXPECT_EQ(first(PlanState::kCancelled, as_it_is), "agents run --from-plan" + id);
  EXPECT_EQ(first(PlanState::kApplied, [](plan::State& plan) { plan.undone = true; }),
            "agents plan prompt" + id + " \"…\"");
  EXPECT_EQ(first(PlanState::kWaiting, as_it_is), "agents plan tree" + id);
  EXPECT_EQ(
      first(PlanState::kWaiting, [](plan::State& plan) { plan.waiting = plan::Waiting::kBudget; }),
      "agents budget set plan/" + id.substr(1) + " USD");
  const auto unchanged = [](plan::State& plan) {
    plan.tree = plan.base->tree;
    plan.changeset.digest = model::digest_of({});
  };
  EXPECT_THAT(first(PlanState::kComplete, unchanged), StartsWith("agents plan prompt"));
}

TEST(PlanDocumentTest, FilesThatMovedOnCanBeMergedAgain) {
  plan::State plan = complete_plan();
  plan.phase = model::Phase::kApply;
  plan.state = PlanState::kConstrained;
  plan.applied = model::ApplyEnded{.moved_on = {"a.cc changed since"}};
  EXPECT_EQ(next_steps(plan)[1], "agents apply --remerge " + plan.id.to_string());
}

TEST(PlanDocumentTest, TheSummaryIsTheLastWordAboutTheWork) {
  plan::State plan = working_plan(1, "Fix it");
  EXPECT_EQ(plan_summary(plan), "Fix it");
  plan.strategy_summary = "Carefully";
  EXPECT_EQ(plan_summary(plan), "Carefully");
  plan.steps.resize(1);
  plan.steps[0].summary = "Fixed.";
  EXPECT_EQ(plan_summary(plan), "Fixed.");
}

TEST(PlanDocumentTest, PeopleSeeTheSame) {
  plan::State plan = complete_plan();
  plan.conflicts = {{.path = "x.cc", .kind = "content", .step = "b"}};
  const std::string text = render_plain(plan_view({plan, two_files(), {2, 1000, 20, 15'000}}));
  EXPECT_THAT(text, AllOf(HasSubstr("execute/complete"), HasSubstr("1 of 2 complete, 1 failed"),
                          HasSubstr("1,000 tokens in, 20 out, $0.015"), HasSubstr("b.bin → c.bin"),
                          HasSubstr("x.cc"), HasSubstr("next: agents diff")));
  plan::State errored = complete_plan();
  errored.state = PlanState::kErrored;
  errored.reason = "gave up";
  errored.last_error = model::ErrorRecorded{.message = "broken"};
  EXPECT_THAT(render_plain(plan_view({errored, {}, {}})),
              AllOf(HasSubstr("gave up"), HasSubstr("broken"), Not(HasSubstr("tokens"))));
  plan::State idle = complete_plan();
  idle.tree = "aa";
  EXPECT_THAT(render_plain(plan_view({idle, {}, {}})), HasSubstr("It changed nothing."));
}

TEST(PlanDocumentTest, TonesShowTheStatus) {
  plan::State plan = complete_plan();
  EXPECT_EQ(tone_of(plan), Tone::kGood);
  plan.state = PlanState::kProcessing;
  EXPECT_EQ(tone_of(plan), Tone::kAccent);
  plan.state = PlanState::kWaiting;
  EXPECT_EQ(tone_of(plan), Tone::kWarn);
  plan.state = PlanState::kErrored;
  EXPECT_EQ(tone_of(plan), Tone::kBad);
}

}  // namespace
}  // namespace clever::cli
