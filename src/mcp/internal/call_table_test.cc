#include "mcp/internal/call_table.h"

#include <gtest/gtest.h>

namespace clever::mcp::internal {
namespace {

Call::News take(const CallTable::Opened& opened) {
  return opened.call->take({}, base::Deadline::never()).value();
}

TEST(CallTable, AnAnswerReachesItsCallAlone) {
  CallTable table;
  const auto first = table.open().value();
  const auto second = table.open().value();
  EXPECT_TRUE(table.settle(second.number, Json("two")));
  EXPECT_TRUE(table.settle(first.number, Json("one")));
  EXPECT_EQ(std::get<Json>(*take(first).outcome), "one");
  EXPECT_EQ(std::get<Json>(*take(second).outcome), "two");
}

TEST(CallTable, ASecondAnswerFindsNoCall) {
  CallTable table;
  const auto call = table.open().value();
  EXPECT_TRUE(table.settle(call.number, Json(1)));
  EXPECT_FALSE(table.settle(call.number, Json(2)));
  EXPECT_TRUE(call.call->settled());
  EXPECT_EQ(std::get<Json>(*take(call).outcome), 1);
}

TEST(CallTable, ReportsAnAnswerWithoutACall) {
  CallTable table;
  EXPECT_FALSE(table.settle(7, Json(1)));
  EXPECT_FALSE(table.note(7, {}));
  EXPECT_FALSE(table.pause(7, std::chrono::milliseconds{1}));
}

TEST(CallTable, AnAbandonedCallTakesNoAnswer) {
  CallTable table;
  const auto call = table.open().value();
  EXPECT_TRUE(table.abandon(call.number));
  EXPECT_FALSE(table.settle(call.number, Json(1)));
  EXPECT_FALSE(table.abandon(call.number));
  EXPECT_EQ(table.size(), 0U);
}

TEST(CallTable, OnlyTheNewestProgressIsKept) {
  CallTable table;
  const auto call = table.open().value();
  table.note(call.number, {.done = 1});
  table.note(call.number, {.done = 2});
  table.pause(call.number, std::chrono::milliseconds{3});
  const Call::News news = take(call);
  EXPECT_EQ(news.progress->done, 2);
  EXPECT_EQ(news.pause, std::chrono::milliseconds{3});
  EXPECT_FALSE(news.outcome.has_value());
}

TEST(CallTable, ACloseFailsAllThatAreOpenAndAllThatCome) {
  CallTable table;
  const auto call = table.open().value();
  table.close(base::unavailable("gone"));
  table.close(base::unavailable("again"));
  EXPECT_EQ(std::get<RequestLoss>(*take(call).outcome).error.message(), "gone");
  EXPECT_EQ(table.open().error().message(), "gone");
  EXPECT_EQ(table.closed()->message(), "gone");
}

TEST(CallTable, ThereAreNotEndlesslyMany) {
  CallTable table;
  for (std::size_t n = 0; n < CallTable::kMostCalls; ++n) ASSERT_TRUE(table.open().ok());
  EXPECT_EQ(table.open().error().code(), base::ErrorCode::kResourceExhausted);
}

TEST(CallTable, WaitingEndsWithItsCaller) {
  CallTable table;
  base::StopSource stop;
  stop.request_stop();
  const auto call = table.open().value();
  EXPECT_EQ(call.call->take(stop.token(), base::Deadline::never()).error().code(),
            base::ErrorCode::kCancelled);
}

}  // namespace
}  // namespace clever::mcp::internal
