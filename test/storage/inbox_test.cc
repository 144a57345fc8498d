#include "storage/inbox.h"

#include <atomic>

#include "base/thread.h"
#include "storage/keys.h"
#include "storage/plan_test.h"
#include "storage/topic_watch.h"

namespace clever::storage {
namespace {

using base::ErrorCode;
using testing::HeldPlan;
using testing::note;

class InboxTest : public testing::PlanTest {
 protected:
  InboxTest() : plan_(create()) {}
  [[nodiscard]] Inbox inbox() { return Inbox(engine()); }

  HeldPlan plan_;
};

TEST_P(InboxTest, CommandsWaitInTheOrderOfTheirArrival) {
  EXPECT_TRUE(inbox().send(plan_.id, "b", "first").value().is_new);
  EXPECT_TRUE(inbox().send(plan_.id, "a", "second").value().is_new);
  const auto waiting = inbox().pending(plan_.id).value();
  ASSERT_EQ(waiting.size(), 2U);
  EXPECT_EQ(waiting[0].key, "b");
  EXPECT_EQ(waiting[0].body, "first");
  EXPECT_EQ(waiting[0].received, clock().wall_now());
  EXPECT_EQ(waiting[1].body, "second");
  EXPECT_EQ(inbox().pending(plan_.id, 1).value().size(), 1U);
}

TEST_P(InboxTest, TheSameCommandAgainIsTheSameCommand) {
  const auto first = inbox().send(plan_.id, "key", "body").value();
  const auto again = inbox().send(plan_.id, "key", "body").value();
  EXPECT_FALSE(again.is_new);
  EXPECT_EQ(again.id, first.id);
  EXPECT_EQ(again.consumed, 0);
  EXPECT_EQ(inbox().pending(plan_.id).value().size(), 1U);
}

TEST_P(InboxTest, TheSameKeyWithAnotherBodyIsAConflict) {
  inbox().send(plan_.id, "key", "body").value();
  EXPECT_EQ(inbox().send(plan_.id, "key", "other").error().code(), ErrorCode::kConflict);
  EXPECT_TRUE(inbox().send(create().id, "key", "other").value().is_new) << "another plan's key";
}

TEST_P(InboxTest, APlanMustBeThere) {
  EXPECT_EQ(inbox().send(world().next<model::PlanId>(), "key", "body").error().code(),
            ErrorCode::kNotFound);
  UnitOfWork unit;
  Inbox::add(unit, world().next<model::PlanId>(), "key", "body");
  EXPECT_EQ(engine().commit(std::move(unit)).error().code(), ErrorCode::kConflict);
}

TEST_P(InboxTest, AConsumedCommandHasAReceipt) {
  const auto sent = inbox().send(plan_.id, "key", "body").value();
  auto answer = make_append(plan_, {note("answer")});
  answer.consumed.push_back({sent.id, "done"});
  plan_.head = journal().append(std::move(answer)).value();
  EXPECT_TRUE(inbox().pending(plan_.id).value().empty());
  const CommandReceipt expected{false, sent.id, 2, "done"};
  EXPECT_EQ(inbox().send(plan_.id, "key", "body").value(), expected);
  EXPECT_EQ(inbox().receipt(plan_.id, "key").value(), expected);
  EXPECT_EQ(inbox().receipt(plan_.id, "none").error().code(), ErrorCode::kNotFound);
}

TEST_P(InboxTest, ACommandIsConsumedOnce) {
  const auto sent = inbox().send(plan_.id, "key", "body").value();
  auto first = make_append(plan_, {note("answer")});
  first.consumed.push_back({sent.id, ""});
  plan_.head = journal().append(std::move(first)).value();
  auto second = make_append(plan_, {note("another answer")});
  second.consumed.push_back({sent.id, ""});
  EXPECT_EQ(journal().append(std::move(second)).error().code(), ErrorCode::kConflict);
  EXPECT_EQ(journal().state(plan_.id).value().head, plan_.head);
}

TEST_P(InboxTest, ACommandOfAnotherPlanCannotBeConsumed) {
  const auto sent = inbox().send(create().id, "key", "body").value();
  auto answer = make_append(plan_, {note("answer")});
  answer.consumed.push_back({sent.id, ""});
  EXPECT_EQ(journal().append(std::move(answer)).error().code(), ErrorCode::kConflict);
}

// A command may be refused by the plan: its receipt says so and nothing happened.
TEST_P(InboxTest, ACommandCanBeConsumedWithoutAnEvent) {
  const auto sent = inbox().send(plan_.id, "key", "body").value();
  auto refusal = make_append(plan_, {});
  refusal.consumed.push_back({sent.id, "no"});
  EXPECT_EQ(journal().append(std::move(refusal)).value(), plan_.head);
  EXPECT_EQ(inbox().receipt(plan_.id, "key").value().receipt, "no");
}

TEST_P(InboxTest, WhoSendsWakesThePlan) {
  TopicWatch watch(engine(), plan_name(plan_.id));
  const auto seen = watch.changes();
  inbox().send(plan_.id, "key", "body").value();
  EXPECT_TRUE(watch.wait(seen, {}, base::Deadline::never()).ok());
}

TEST_P(InboxTest, AsPartOfAUnitItIsSentOnce) {
  for (int i = 0; i < 2; ++i) {
    UnitOfWork unit;
    Inbox::add(unit, plan_.id, "key", "body");
    EXPECT_TRUE(engine().commit(std::move(unit)).ok());
  }
  EXPECT_EQ(inbox().pending(plan_.id).value().size(), 1U);
  UnitOfWork other;
  Inbox::add(other, plan_.id, "key", "other");
  EXPECT_EQ(engine().commit(std::move(other)).error().code(), ErrorCode::kConflict);
}

TEST_P(InboxTest, OfManySendersOfOneKeyOneIsTheFirst) {
  std::atomic<int> first = 0;  // counts, publishes nothing
  std::atomic<int> same = 0;   // counts, publishes nothing
  {
    std::vector<std::unique_ptr<base::Thread>> senders;
    for (int i = 0; i < 8; ++i) {
      senders.push_back(std::make_unique<base::Thread>("sender", [&](const base::StopToken&) {
        ++(Inbox(engine()).send(plan_.id, "key", "body").value().is_new ? first : same);
      }));
    }
  }
  EXPECT_EQ(first, 1);
  EXPECT_EQ(same, 7);
}

CLEVER_ALL_ENGINES(InboxTest);

}  // namespace
}  // namespace clever::storage
