#include "storage/internal/commit_queue.h"

#include <gmock/gmock.h>

#include <string>
#include <vector>

namespace clever::storage::internal {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

UnitOfWork unit_of(std::string text) {
  UnitOfWork unit;
  unit.run("SELECT $1", std::move(text));
  return unit;
}

Pending pending(std::string text) {
  return {unit_of(std::move(text)), [](auto&&) {}, {}};
}

base::Result<CommitQueue::Ticket> push(CommitQueue& queue, std::string text) {
  Pending unit = pending(std::move(text));
  return queue.push(unit);
}

std::string text_of(const Pending& pending) {
  return std::get<std::string>(pending.unit.statements()[0].parameters[0]);
}

std::vector<std::string> taken(CommitQueue& queue, std::size_t units = 100,
                               std::size_t bytes = 1'000'000) {
  std::vector<std::string> texts;
  for (const auto& unit : queue.take(units, bytes)) texts.push_back(text_of(unit));
  return texts;
}

TEST(CommitQueueTest, FirstComeFirstServed) {
  CommitQueue queue({});
  for (const char* text : {"a", "b", "c"}) ASSERT_TRUE(push(queue, text).ok());
  EXPECT_THAT(taken(queue, 2), ElementsAre("a", "b"));
  EXPECT_THAT(taken(queue), ElementsAre("c"));
  EXPECT_THAT(taken(queue), ElementsAre());
}

TEST(CommitQueueTest, DoesNotTakeAWithdrawnWrite) {
  CommitQueue queue({});
  std::vector<CommitQueue::Ticket> tickets;
  for (const char* text : {"a", "b", "c", "d"}) tickets.push_back(push(queue, text).value());
  EXPECT_EQ(text_of(queue.withdraw(tickets[1]).value()), "b");
  EXPECT_EQ(text_of(queue.withdraw(tickets[0]).value()), "a");
  EXPECT_FALSE(queue.withdraw(tickets[0]).has_value()) << "given back twice";
  EXPECT_FALSE(queue.withdraw(tickets[1]).has_value()) << "given back twice";
  EXPECT_EQ(text_of(queue.withdraw(tickets[3]).value()), "d");
  EXPECT_THAT(taken(queue), ElementsAre("c"));
}

TEST(CommitQueueTest, CannotWithdrawATakenWrite) {
  CommitQueue queue({});
  const auto first = push(queue, "a").value();
  const auto second = push(queue, "b").value();
  EXPECT_THAT(taken(queue, 1), ElementsAre("a"));
  EXPECT_FALSE(queue.withdraw(first).has_value());
  EXPECT_TRUE(queue.withdraw(second).has_value());
}

TEST(CommitQueueTest, RefusesMoreUnitsThanItHolds) {
  CommitQueue queue({.units = 2});
  const auto first = push(queue, "a").value();
  ASSERT_TRUE(push(queue, "b").ok());
  EXPECT_EQ(push(queue, "c").error().code(), base::ErrorCode::kResourceExhausted);
  ASSERT_TRUE(queue.withdraw(first).has_value());
  EXPECT_TRUE(push(queue, "c").ok()) << "a withdrawn unit still counts";
  EXPECT_THAT(taken(queue, 1), ElementsAre("b"));
  EXPECT_TRUE(push(queue, "d").ok()) << "a taken unit still counts";
}

TEST(CommitQueueTest, RefusesMoreBytesThanItHolds) {
  CommitQueue queue({.bytes = weight(unit_of(std::string(100, 'x'))) * 2});
  const auto first = push(queue, std::string(100, 'x')).value();
  ASSERT_TRUE(push(queue, std::string(100, 'x')).ok());
  EXPECT_EQ(push(queue, "").error().code(), base::ErrorCode::kResourceExhausted);
  ASSERT_TRUE(queue.withdraw(first).has_value());
  EXPECT_TRUE(push(queue, "").ok());
}

TEST(CommitQueueTest, RefusesAUnitThatIsTooLarge) {
  CommitQueue queue({.unit_bytes = 1000});
  const auto refused = push(queue, std::string(1000, 'x'));
  EXPECT_EQ(refused.error().code(), base::ErrorCode::kInvalidArgument);
  EXPECT_THAT(refused.error().message(), HasSubstr("at most 1000"));
}

TEST(CommitQueueTest, ARefusedUnitStaysWithItsOwner) {
  CommitQueue queue({.units = 0});
  Pending unit = pending("a");
  ASSERT_FALSE(queue.push(unit).ok());
  EXPECT_EQ(text_of(unit), "a");
  EXPECT_TRUE(unit.done != nullptr);
}

TEST(CommitQueueTest, AGroupHasAtMostSoManyBytesButForItsFirst) {
  CommitQueue queue({});
  for (const char c : {'a', 'b', 'c'}) ASSERT_TRUE(push(queue, std::string(100, c)).ok());
  EXPECT_EQ(taken(queue, 10, 1).size(), 1U);
  EXPECT_EQ(taken(queue, 10, weight(unit_of(std::string(100, 'x'))) * 2 - 1).size(), 1U);
}

TEST(CommitQueueTest, WaitsUntilSomethingIsThere) {
  CommitQueue queue({});
  base::SimulatedClock clock;
  const auto now = base::Deadline::after(clock, base::Duration::zero());
  EXPECT_EQ(queue.wait({}, now).error().code(), base::ErrorCode::kDeadlineExceeded);
  const auto ticket = push(queue, "a").value();
  EXPECT_TRUE(queue.wait({}, now).ok());
  ASSERT_TRUE(queue.withdraw(ticket).has_value());
  EXPECT_EQ(queue.wait({}, now).error().code(), base::ErrorCode::kDeadlineExceeded);
  base::StopSource stop;
  stop.request_stop();
  EXPECT_EQ(queue.wait(stop.token()).error().code(), base::ErrorCode::kCancelled);
}

TEST(CommitQueueTest, OnceClosedItRefusesButGivesWhatItHas) {
  CommitQueue queue({});
  ASSERT_TRUE(push(queue, "a").ok());
  queue.close();
  EXPECT_EQ(push(queue, "b").error().code(), base::ErrorCode::kCancelled);
  EXPECT_TRUE(queue.wait({}).ok());
  EXPECT_THAT(taken(queue), ElementsAre("a"));
  EXPECT_EQ(queue.wait({}).error().code(), base::ErrorCode::kCancelled);
}

TEST(WeightTest, GrowsWithTheParameters) {
  const auto light = weight(unit_of("x"));
  EXPECT_GE(weight(unit_of(std::string(1000, 'x'))), light + 999);
  UnitOfWork blob;
  blob.run("SELECT $1", Blob{std::string(1000, 'x')});
  EXPECT_GE(weight(blob), 1000U);
  UnitOfWork list;
  list.run("SELECT $1", IntegerList{std::vector<std::int64_t>(1000)});
  EXPECT_GE(weight(list), 8000U);
  EXPECT_EQ(weight(UnitOfWork{}), 0U);
}

base::Result<void> push_along(CommitQueue& queue, std::string text) {
  Pending unit = pending(std::move(text));
  return queue.push_along(unit);
}

bool is_wanted(CommitQueue& queue) {
  base::StopSource stopped;
  stopped.request_stop();
  return queue.wait(stopped.token()).ok();
}

TEST(CommitQueueTest, DeferredWritesJoinTheNextUrgentOne) {
  CommitQueue queue({});
  ASSERT_TRUE(push_along(queue, "trace").ok());
  EXPECT_FALSE(is_wanted(queue));
  ASSERT_TRUE(push(queue, "a").ok());
  EXPECT_TRUE(is_wanted(queue));
  EXPECT_THAT(taken(queue), ElementsAre("trace", "a"));
  EXPECT_FALSE(is_wanted(queue));
}

TEST(CommitQueueTest, MuchThatHasTimeIsWantedToo) {
  CommitQueue queue({});
  int pushed = 0;
  while (!is_wanted(queue) && pushed < 1000) {
    ASSERT_TRUE(push_along(queue, "trace").ok());
    ++pushed;
  }
  EXPECT_GT(pushed, 1);
  EXPECT_LT(pushed, 1000);
  EXPECT_EQ(taken(queue, 1000).size(), static_cast<std::size_t>(pushed));
}

TEST(CommitQueueTest, TakesDeferredWritesOnceClosed) {
  CommitQueue queue({});
  ASSERT_TRUE(push_along(queue, "trace").ok());
  queue.close();
  EXPECT_TRUE(queue.wait({}).ok());
  EXPECT_THAT(taken(queue), ElementsAre("trace"));
  EXPECT_FALSE(queue.wait({}).ok());
  EXPECT_EQ(push_along(queue, "late").error().code(), base::ErrorCode::kCancelled);
}

TEST(CommitQueueTest, AUnitThatIsTooLargeIsRefusedAlong) {
  CommitQueue queue({.unit_bytes = 10'000});
  EXPECT_EQ(push_along(queue, std::string(20'000, 'x')).error().code(),
            base::ErrorCode::kInvalidArgument);
}

}  // namespace
}  // namespace clever::storage::internal
