#include "cli/live/attention.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/shown_plans.h"

namespace clever::cli {
namespace {

TEST(AttentionTest, BytesOfEachKind) {
  EXPECT_EQ(attention_bytes(Notify::kOff, "words"), "");
  EXPECT_EQ(attention_bytes(Notify::kBell, "words"), "\a");
  EXPECT_EQ(attention_bytes(Notify::kDesktop, "fix; it"),
            "\x1b]9;agents: fix, it\a\x1b]777;notify;agents;fix, it\a\a");
}

TEST(AttentionTest, WordsCannotSteerTheTerminal) {
  const std::string bytes = attention_bytes(Notify::kDesktop, "a\a\x1b[2Jb");
  EXPECT_THAT(bytes, testing::HasSubstr("a\uFFFD\uFFFD[2Jb"));
}

TEST(AttentionTest, Names) {
  EXPECT_EQ(service::notify_from_string("off"), Notify::kOff);
  EXPECT_EQ(service::notify_from_string("bell"), Notify::kBell);
  EXPECT_EQ(service::notify_from_string("desktop"), Notify::kDesktop);
}

TEST(AttentionTest, OncePerNeed) {
  Attention attention;
  plan::State plan = test::working_plan(1, "Fix it");
  EXPECT_EQ(attention.on_state(plan), std::nullopt);
  plan.state = model::PlanState::kWaiting;
  plan.reason = "money is needed";
  EXPECT_EQ(attention.on_state(plan), "Fix it: money is needed");
  EXPECT_EQ(attention.on_state(plan), std::nullopt);
  plan.state = model::PlanState::kProcessing;
  EXPECT_EQ(attention.on_state(plan), std::nullopt);
  plan.state = model::PlanState::kErrored;
  plan.reason.clear();
  EXPECT_EQ(attention.on_state(plan), "Fix it: needs you");
}

TEST(AttentionTest, NotForWhatContinuesByItself) {
  Attention attention;
  plan::State plan = test::working_plan(1, "Fix it");
  plan.state = model::PlanState::kWaiting;
  plan.room_may_come = true;
  EXPECT_EQ(attention.on_state(plan), std::nullopt);
  plan::State child = test::working_plan(2, "A part", test::plan_number(1));
  child.state = model::PlanState::kErrored;
  EXPECT_EQ(attention.on_state(child), std::nullopt) << "its root says so";
}

}  // namespace
}  // namespace clever::cli
