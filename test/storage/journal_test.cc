#include "storage/journal.h"

#include <atomic>
#include <optional>
#include <set>

#include "base/monitor.h"
#include "base/thread.h"
#include "storage/inbox.h"
#include "storage/keys.h"
#include "storage/plan_test.h"
#include "support/journal_tail.h"

namespace clever::storage {
namespace {

using base::ErrorCode;
using ::testing::HasSubstr;
using testing::HeldPlan;
using testing::note;
using namespace std::chrono_literals;

class JournalTest : public testing::PlanTest {};

TEST_P(JournalTest, WhatIsAppendedIsReadBackInOrder) {
  HeldPlan plan = create();
  append(plan, {note("a"), note("b")});
  const auto events = journal().read(plan.id, 1, 10).value();
  ASSERT_EQ(events.size(), 3U);
  EXPECT_EQ(events[0].kind, "plan.created");
  EXPECT_EQ(events[1].data, note("a").data);
  EXPECT_EQ(events[2].data, note("b").data);
  for (std::size_t i = 0; i < events.size(); ++i) {
    EXPECT_EQ(events[i].plan, plan.id);
    EXPECT_EQ(events[i].sequence, static_cast<std::int64_t>(i) + 1);
    EXPECT_EQ(events[i].epoch, 1);
    EXPECT_EQ(events[i].time, clock().wall_now());
  }
  EXPECT_EQ(plan.head, (Head{3, events[2].hash}));
  EXPECT_EQ(journal().state(plan.id).value(), (JournalState{plan.head, 1}));
}

TEST_P(JournalTest, ReadsFromASequenceAndNoMoreThanAskedFor) {
  HeldPlan plan = create();
  append(plan, {note("2"), note("3"), note("4")});
  const auto events = journal().read(plan.id, 2, 2).value();
  ASSERT_EQ(events.size(), 2U);
  EXPECT_EQ(events[0].sequence, 2);
  EXPECT_EQ(events[1].sequence, 3);
  EXPECT_TRUE(journal().read(world().next<model::PlanId>(), 1, 10).value().empty());
}

TEST_P(JournalTest, StaysWhenTheDatabaseIsOpenedAgain) {
  HeldPlan plan = create();
  append(plan, {note("kept")});
  reopen();
  EXPECT_EQ(journal().state(plan.id).value().head, plan.head);
  append(plan, {note("more")});
  EXPECT_EQ(journal().read(plan.id, 1, 10).value().size(), 3U);
}

TEST_P(JournalTest, AStaleSequenceIsRefusedWithTheHead) {
  HeldPlan plan = create();
  const HeldPlan stale = plan;
  append(plan, {note("first"), note("second")});
  const auto refused = try_append(stale, {note("late")});
  EXPECT_EQ(refused.error().code(), ErrorCode::kConflict);
  EXPECT_THAT(refused.error().message(), HasSubstr("expected 1, the journal is at 3"));
  EXPECT_EQ(journal().state(plan.id).value().head, plan.head);
}

TEST_P(JournalTest, AStaleEpochIsRefusedWithTheOwner) {
  HeldPlan plan = create();
  advance(2min);
  const auto next = world().new_owner();
  EXPECT_EQ(leases().acquire(plan.id, next, testing::kTtl).value().epoch, 2);
  const auto refused = try_append(plan, {note("late")});
  EXPECT_EQ(refused.error().code(), ErrorCode::kConflict);
  EXPECT_THAT(refused.error().message(), HasSubstr("epoch 1 is stale, 2 holds the plan"));
}

TEST_P(JournalTest, AnotherHistoryOfTheSameLengthIsRefused) {
  HeldPlan plan = create();
  plan.head.hash = base::sha256("another history");
  const auto refused = try_append(plan, {note("fork")});
  EXPECT_EQ(refused.error().code(), ErrorCode::kConflict);
  EXPECT_THAT(refused.error().message(), HasSubstr("its last event is not the expected one"));
}

TEST_P(JournalTest, APlanWithoutALeaseIsRefused) {
  const HeldPlan plan{world().next<model::PlanId>(), {"", 1}, {}};
  const auto refused = try_append(plan, {note("x")});
  EXPECT_EQ(refused.error().code(), ErrorCode::kConflict);
  EXPECT_THAT(refused.error().message(), HasSubstr("there is no plan " + plan.id.to_string()));
  EXPECT_EQ(journal().state(plan.id).error().code(), ErrorCode::kNotFound);
}

TEST_P(JournalTest, ARefusedAppendLeavesNothing) {
  HeldPlan plan = create();
  auto stale = make_append(plan, {note("x")});
  append(plan, {note("y")});
  stale.bodies.push_back(Body::of("left behind?"));
  ASSERT_FALSE(journal().append(std::move(stale)).ok());
  EXPECT_EQ(number("SELECT count(*) FROM body"), 0);
  EXPECT_EQ(number("SELECT count(*) FROM event"), 2);
}

TEST_P(JournalTest, AnEventAloneIsTwoStatements) {
  const HeldPlan plan = create();
  const auto prepared = journal().prepare(make_append(plan, {note("x")})).value();
  EXPECT_EQ(prepared.unit.statements().size(), 2U);
  EXPECT_EQ(prepared.unit.topics(), (std::vector{plan_name(plan.id), std::string(kEventsTopic)}));
}

TEST_P(JournalTest, AnInvalidEventIsRefused) {
  const HeldPlan plan = create();
  const auto check = [&](model::Event event, const std::string& why) {
    const auto refused = try_append(plan, {std::move(event)});
    EXPECT_EQ(refused.error().code(), ErrorCode::kInvalidArgument);
    EXPECT_THAT(refused.error().message(), HasSubstr(why));
  };
  check({"", 1, "{}"}, "needs a kind");
  check({"plan.moved", 2, "{}"}, "a new plan.moved must have version 1, not 2");
  check({"plan.moved", 1, "{}"}, "\"phase\"");
  EXPECT_EQ(journal().append({}).error().code(), ErrorCode::kInvalidArgument);
}

TEST_P(JournalTest, SubmittedAppendsAreAnswered) {
  HeldPlan plan = create();
  base::Monitor<std::vector<base::Result<Head>>> answers;
  const auto keep = [&](base::Result<Head> head) {
    answers.update([&](auto& all) { all.push_back(std::move(head)); });
  };
  const auto wait_for = [&](std::size_t count) {
    answers.wait({}, base::Deadline::never(), [=](const auto& all) { return all.size() == count; })
        .value();
    return answers.read([](const auto& all) { return all.back(); });
  };
  journal().submit(make_append(plan, {note("a")}), keep);
  EXPECT_EQ(wait_for(1).value().sequence, 2);
  journal().submit(make_append(plan, {note("stale")}), keep);
  const auto refused = wait_for(2);
  EXPECT_EQ(refused.error().code(), ErrorCode::kConflict);
  EXPECT_THAT(journal().explain(refused.error(), plan.id, plan.head, plan.lease.epoch).message(),
              HasSubstr("expected 1, the journal is at 2"));
  journal().submit({}, keep);
  EXPECT_EQ(wait_for(3).error().code(), ErrorCode::kInvalidArgument);
}

TEST_P(JournalTest, OtherErrorsAreNotExplainedAway) {
  const HeldPlan plan = create();
  const base::Error error = base::conflict("something else");
  EXPECT_EQ(journal().explain(error, plan.id, plan.head, 1), error);
}

TEST_P(JournalTest, WhatElseBelongsToAnAppendHappensWithIt) {
  HeldPlan plan = create();
  const HeldPlan parent = create();
  auto last = make_append(plan, {note("done")});
  last.also = Inbox::statements(parent.id, "child", "done");
  last.topics.push_back(plan_name(parent.id));
  plan.head = journal().append(std::move(last)).value();
  EXPECT_EQ(Inbox(engine()).pending(parent.id).value().size(), 1U);
  auto refused = make_append(plan, {note("again")});
  refused.also = Inbox::statements(parent.id, "child", "another body");
  EXPECT_EQ(journal().append(std::move(refused)).error().code(), ErrorCode::kConflict);
  EXPECT_EQ(journal().state(plan.id).value().head, plan.head);
}

// Old events stay as they were stored and are read in their newest version.
TEST_P(JournalTest, OldVersionsAreReadAsTheNewest) {
  HeldPlan plan = create();
  append(plan, {{"greeting", 1, "hello"}});
  model::EventKinds newer;
  newer.add("greeting", {[](std::string_view data) -> base::Result<std::string> {
              return std::string(data) + " world";
            }});
  EXPECT_EQ(journal(newer).read(plan.id, 2, 1).value()[0].data, "hello world");
  EXPECT_EQ(journal(newer).load(plan.id).value().events[1].version, 2);
  EXPECT_EQ(journal().read(plan.id, 2, 1).value()[0].data, "hello");
  EXPECT_EQ(journal(newer).append(make_append(plan, {{"greeting", 1, "x"}})).error().code(),
            ErrorCode::kInvalidArgument);
}

TEST_P(JournalTest, AnEventOfANewerProgramIsRefused) {
  HeldPlan plan = create();
  append(plan, {{"greeting", 2, "hello"}});
  model::EventKinds older;
  older.add("greeting");
  EXPECT_EQ(journal(older).read(plan.id, 1, 10).error().code(), ErrorCode::kConflict);
  EXPECT_EQ(journal(older).load(plan.id).error().code(), ErrorCode::kConflict);
}

TEST_P(JournalTest, LoadsAllEvents) {
  HeldPlan plan = create();
  append(plan, {note("2")});
  const auto loaded = journal().load(plan.id).value();
  EXPECT_EQ(loaded.state, (JournalState{plan.head, 1}));
  EXPECT_EQ(loaded.events.size(), 2U);
  EXPECT_EQ(journal().load(world().next<model::PlanId>()).error().code(), ErrorCode::kNotFound);
}

// Whoever lost the race reads and tries again; nobody's acknowledged event is lost.
TEST_P(JournalTest, OfManyWritersAcknowledgedIsKept) {
  constexpr int kWriters = 8;
  constexpr int kEach = 10;
  const HeldPlan plan = create();
  std::vector<std::vector<std::int64_t>> acknowledged(kWriters);
  {
    std::vector<std::unique_ptr<base::Thread>> writers;
    for (auto& mine : acknowledged) {
      writers.push_back(std::make_unique<base::Thread>("writer", [&](const base::StopToken&) {
        Journal own = journal();
        while (mine.size() < kEach) {
          HeldPlan seen = plan;
          seen.head = own.state(plan.id).value().head;
          const auto head = own.append(make_append(seen, {note("x")}));
          if (head.ok()) mine.push_back(head->sequence);
        }
      }));
    }
  }
  std::set<std::int64_t> all;
  for (const auto& mine : acknowledged) all.insert(mine.begin(), mine.end());
  EXPECT_EQ(all.size(), kWriters * kEach) << "two were told the same sequence";
  const auto events = journal().read(plan.id, 1, 1000).value();
  EXPECT_EQ(events.size(), 1 + kWriters * kEach);
  EXPECT_EQ(events.back().sequence, 1 + kWriters * kEach);
}

TEST_P(JournalTest, ATailReturnsWhatIsThereAndThenWaits) {
  HeldPlan plan = create();
  Journal reading = journal();
  test::JournalTail tail(reading, engine(), plan.id, 0);
  EXPECT_EQ(tail.next(10).value().size(), 1U);
  std::vector<std::int64_t> seen;
  base::Thread reader("reader", [&](const base::StopToken&) {
    while (seen.size() < 20) {
      for (const auto& event : tail.next(3).value()) seen.push_back(event.sequence);
    }
  });
  for (int i = 0; i < 20; ++i) append(plan, {note("x")});
  reader.join();
  std::vector<std::int64_t> expected;
  for (std::int64_t i = 2; i <= 21; ++i) expected.push_back(i);
  EXPECT_EQ(seen, expected);
  EXPECT_EQ(tail.position(), 21);
}

TEST_P(JournalTest, ATailEndsOnAStopAndAtItsDeadline) {
  HeldPlan plan = create();
  Journal reading = journal();
  test::JournalTail tail(reading, engine(), plan.id, 1);
  EXPECT_EQ(tail.next(1, {}, base::Deadline::after(clock(), 0s)).error().code(),
            ErrorCode::kDeadlineExceeded);
  base::StopSource stop;
  std::optional<base::Result<std::vector<model::StoredEvent>>> answer;
  base::Thread reader("reader",
                      [&](const base::StopToken&) { answer = tail.next(1, stop.token()); });
  stop.request_stop();
  reader.join();
  EXPECT_EQ(answer->error().code(), ErrorCode::kCancelled);
  append(plan, {note("x")});
  EXPECT_EQ(tail.next(1).value()[0].sequence, 2);
}

CLEVER_ALL_ENGINES(JournalTest);

}  // namespace
}  // namespace clever::storage
