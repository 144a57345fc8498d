#include "engine/effects/internal/commit_message.h"

#include <gtest/gtest.h>

namespace clever::engine::internal {
namespace {

plan::State plan_with(const std::vector<std::string>& summaries, const std::string& title) {
  plan::State plan;
  plan.title = title;
  for (const std::string& summary : summaries) {
    plan::Step step;
    step.summary = summary;
    plan.steps.push_back(step);
  }
  return plan;
}

TEST(CommitSubject, IsWhatTheModelProposed) {
  const auto check = [](const std::string& summary, const std::string& expected) {
    EXPECT_EQ(commit_subject(plan_with({summary}, "a task")), expected) << summary;
  };
  check("I changed it.\n\nCommit: Handle empty input", "Handle empty input");
  check("Done.\n**commit: `Handle empty input.`**\n", "Handle empty input");
  check("Commit: no\nThat was all.", "a task");
  check("Done.\nCommit:", "a task");
  check("", "a task");
}

TEST(CommitSubject, IsTheFirstSentenceOfTheTaskWhereSeveralStepsWorked) {
  EXPECT_EQ(commit_subject(plan_with({"Commit: Do a", "Commit: Do b"}, "Do both. And more.")),
            "Do both. And more");
  EXPECT_EQ(commit_subject(plan_with({"Commit: Do a", "Commit: Do a"}, "Do both")), "Do a");
  EXPECT_EQ(commit_subject(plan_with({}, "Mend the parser. Then test it.")), "Mend the parser");
}

TEST(CommitSubject, HasAtMost72Characters) {
  const std::string long_one = "Commit: " + std::string(60, 'a') + " " + std::string(30, 'b');
  EXPECT_EQ(commit_subject(plan_with({long_one}, "t")), std::string(60, 'a') + "…");
  std::string umlauts = "Commit: ";
  for (int i = 0; i < 80; ++i) umlauts += "ü";
  EXPECT_EQ(commit_subject(plan_with({umlauts}, "t")).size(), 2 * 71 + 3);
}

TEST(CommitMessage, HasTheTaskTheStepsAndTheDigest) {
  const base::Sha256Digest digest = base::sha256("x");
  EXPECT_EQ(commit_message(plan_with({}, "Do it"), "Do it\n", digest),
            "Do it\n\nPlan-Digest: " + digest.to_hex());
  EXPECT_EQ(
      commit_message(plan_with({"Commit: Do a", "Commit: Do b"}, "Do both"),
                     "Do both\n\nas was said", digest),
      "Do both\n\nDo both\n\nas was said\n\n- Do a\n- Do b\n\nPlan-Digest: " + digest.to_hex());
}

}  // namespace
}  // namespace clever::engine::internal
