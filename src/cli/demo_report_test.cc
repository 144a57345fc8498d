#include "service/demo/demo_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/render.h"
#include "model/document_json.h"

namespace clever::cli {
namespace {

using namespace service;

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

DemoOutcome good() {
  DemoOutcome outcome;
  outcome.project = "/tmp/demo/project";
  outcome.tests_before = {.passed = 0, .failed = 8};
  outcome.tests_after = {.passed = 8, .failed = 0};
  outcome.plan.steps.resize(8);
  outcome.plan.tree = "0123456789abcdef";
  outcome.plan.changeset.digest = base::Sha256Digest{};
  outcome.answers = 25;
  outcome.kill = {.process = 4711, .steps_done = 4, .steps = 8};
  outcome.undisturbed = {
      .tree = outcome.plan.tree, .digest = outcome.digest(), .answers = outcome.answers};
  outcome.diff = "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n same\n-old\n+new\n";
  outcome.commit = "abc1234";
  return outcome;
}

std::string report_text(const DemoOutcome& outcome) {
  return render_plain(demo_report(outcome).view);
}
std::string report_json(const DemoOutcome& outcome) { return to_json(demo_report(outcome).data); }

TEST(DemoReportTest, SaysThatNoModelWasCalled) {
  EXPECT_THAT(report_text(good()), HasSubstr("No model was called"));
  DemoOutcome live = good();
  live.live = true;
  EXPECT_THAT(report_text(live), Not(HasSubstr("No model was called")));
}

TEST(DemoReportTest, SucceedsIfNothingWasLost) {
  const Report report = demo_report(good());
  EXPECT_EQ(report.exit_code, ExitCode::kOk);
  EXPECT_THAT(report_text(good()), HasSubstr("process 4711 died when 4 of 8 subplans were done"));
  EXPECT_THAT(report_json(good()), HasSubstr("\"subplans_done\":4"));
}

TEST(DemoReportTest, AnotherTreeIsAnError) {
  DemoOutcome outcome = good();
  outcome.undisturbed->tree = "fedcba";
  EXPECT_EQ(demo_report(outcome).exit_code, ExitCode::kError);
  EXPECT_THAT(report_text(outcome), HasSubstr("undisturbed run: fedcba"));
}

TEST(DemoReportTest, AnotherNumberOfAnswersIsAnError) {
  DemoOutcome outcome = good();
  outcome.undisturbed->answers = 24;
  EXPECT_EQ(demo_report(outcome).exit_code, ExitCode::kError);
}

TEST(DemoReportTest, FailingTestsAreAnErrorUnlessAModelWrote) {
  DemoOutcome outcome = good();
  outcome.tests_after = {.passed = 7, .failed = 1};
  EXPECT_EQ(demo_report(outcome).exit_code, ExitCode::kError);
  outcome.live = true;
  EXPECT_EQ(demo_report(outcome).exit_code, ExitCode::kOk);
}

TEST(DemoReportTest, ALivePlanIsComparedWithNothing) {
  DemoOutcome outcome = good();
  outcome.live = true;
  outcome.undisturbed.reset();
  EXPECT_EQ(demo_report(outcome).exit_code, ExitCode::kOk);
  EXPECT_THAT(report_json(outcome), HasSubstr("\"undisturbed\":null"));
}

TEST(DemoReportTest, APlanThatWasTooQuickIsNotKilled) {
  DemoOutcome outcome = good();
  outcome.kill.reset();
  EXPECT_THAT(report_text(outcome), HasSubstr("finished before"));
  EXPECT_THAT(report_json(outcome), HasSubstr("\"killed\":null"));
}

TEST(DemoReportTest, WhatIsKeptIsNamed) {
  EXPECT_THAT(report_json(good()), HasSubstr("\"project\":null"));
  DemoOutcome outcome = good();
  outcome.kept = true;
  EXPECT_THAT(report_json(outcome), HasSubstr("\"project\":\"/tmp/demo/project\""));
  EXPECT_THAT(report_text(outcome), HasSubstr("CLEVERAGENTS_HOME=/tmp/demo/home agents plan tree"));
}

TEST(ShortDiffTest, KeepsFilesAndChangedLines) {
  std::vector<std::string> texts;
  for (const Line& line : short_diff(good().diff)) texts.push_back(line.front().text);
  EXPECT_THAT(texts, ElementsAre("x", "-old", "+new"));
}

TEST(ShortDiffTest, OfNothingIsEmpty) { EXPECT_TRUE(short_diff("").empty()); }

}  // namespace
}  // namespace clever::cli
