#include "engine/plan_writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/work_events.h"
#include "plan/decide.h"
#include "sim/engine/writer_kit.h"

namespace clever::engine {
namespace {

using base::ErrorCode;
using sim::trouble;
using sim::WriterKit;
using ::testing::AllOf;
using ::testing::HasSubstr;

// Fails the next appends.
void fail(WriterKit& kit, const base::Error& with, int times) {
  kit.store.fault = [with, left = std::make_shared<int>(times)](const storage::Append&) {
    return (*left)-- > 0 ? std::optional(with) : std::nullopt;
  };
}

std::optional<base::Result<Settled>> submit(WriterKit& kit, Submission submission) {
  auto answer = std::make_shared<std::optional<base::Result<Settled>>>();
  kit.writer().submit(std::move(submission), [answer](base::Result<Settled> settled) {
    answer->emplace(std::move(settled));
  });
  return *answer;
}

TEST(PlanWriterTest, WhatIsReportedIsDurableAndFolded) {
  WriterKit kit;
  EXPECT_EQ(kit.created.sequence, static_cast<std::int64_t>(kit.events().size()));
  EXPECT_EQ(kit.writer().state()->sequence, kit.created.sequence);
  EXPECT_EQ(kit.writer().state()->title, "a task");
  EXPECT_TRUE(kit.writer().is_idle());
}

TEST(PlanWriterTest, TellsTheStateAndTheEventsOfEachCommit) {
  std::vector<std::int64_t> sequences;
  WriterKit kit({.committed = [&](const auto& state, const auto& events) {
    EXPECT_EQ(state->sequence, events.back().sequence);
    for (const auto& event : events) sequences.push_back(event.sequence);
  }});
  ASSERT_TRUE(kit.writer().execute({trouble()}).ok());
  std::vector<std::int64_t> stored;
  for (const auto& event : kit.events()) stored.push_back(event.sequence);
  EXPECT_EQ(sequences, stored);
}

TEST(PlanWriterTest, ARefusalIsTheAnswer) {
  WriterKit kit;
  const auto again = kit.writer().execute({sim::new_plan()});
  ASSERT_FALSE(again.ok());
  EXPECT_EQ(again.error().code(), ErrorCode::kConflict);
  EXPECT_EQ(kit.writer().state()->sequence, kit.created.sequence);
}

TEST(PlanWriterTest, ARefusedCommandOfTheInboxIsConsumed) {
  WriterKit kit;
  const auto sent = kit.store.send(kit.plan, "apply/1", plan::to_json(plan::Apply{})).value();
  EXPECT_FALSE(kit.writer().execute({plan::Apply{}, sent.id}).ok());
  const auto receipt = kit.store.receipt(kit.plan, "apply/1").value();
  EXPECT_EQ(receipt.consumed, kit.writer().state()->sequence);
  EXPECT_THAT(receipt.receipt,
              AllOf(HasSubstr("\"refused\":\"conflict\""), HasSubstr("\"phase\":\"strategize\""),
                    HasSubstr("\"state\":\"queued\"")));
  EXPECT_EQ(kit.count(model::CommandRefused::kKind), 1U);
}

TEST(PlanWriterTest, WhatCannotBeReadIsConsumedAsRefused) {
  WriterKit kit;
  const auto sent = kit.store.send(kit.plan, "k", "{}").value();
  EXPECT_FALSE(
      kit.writer().execute({plan::Create{}, sent.id, base::invalid_argument("no command")}).ok());
  EXPECT_THAT(kit.events().back().data, HasSubstr("unreadable"));
  EXPECT_THAT(kit.store.receipt(kit.plan, "k")->receipt, HasSubstr("no command"));
}

TEST(PlanWriterTest, TriesAgainAfterAPauseWhileTheStoreIsAway) {
  WriterKit kit;
  fail(kit, base::unavailable("away"), 2);
  auto answer = std::make_shared<std::optional<base::Result<Settled>>>();
  kit.writer().submit({trouble()}, [answer](auto settled) { answer->emplace(std::move(settled)); });
  EXPECT_FALSE(answer->has_value());
  EXPECT_EQ(kit.scheduler.ring(), 1U);
  EXPECT_FALSE(answer->has_value());
  EXPECT_EQ(kit.scheduler.ring(), 1U);
  ASSERT_TRUE(answer->has_value());
  EXPECT_TRUE((*answer)->ok());
  EXPECT_EQ(kit.count(model::ErrorRecorded::kKind), 1U);
}

TEST(PlanWriterTest, ARefusalOfTheStoreHitsOneCommandOfTheInbox) {
  WriterKit kit;
  fail(kit, base::already_exists("such an id"), 1);
  const auto sent = kit.store.send(kit.plan, "cancel", plan::to_json(plan::Cancel{})).value();
  EXPECT_FALSE(kit.writer().execute({plan::Cancel{}, sent.id}).ok());
  EXPECT_THAT(kit.store.receipt(kit.plan, "cancel")->receipt, HasSubstr("already_exists"));
  EXPECT_TRUE(kit.writer().execute({plan::Cancel{}}).ok());
}

TEST(PlanWriterTest, AConflictThatIsNotAboutTheLeaseIsTheCommandsOwn) {
  WriterKit kit;
  fail(kit, base::conflict("a sealed changeset"), 1);
  const auto answer = kit.writer().execute({trouble()});
  ASSERT_FALSE(answer.ok());
  EXPECT_THAT(answer.error().message(), HasSubstr("sealed"));
  EXPECT_FALSE(kit.writer().is_closed());
  EXPECT_TRUE(kit.writer().execute({trouble()}).ok());
}

TEST(PlanWriterTest, ALostLeaseEndsIt) {
  int lost = 0;
  WriterKit kit({.lost = [&](const base::Error&) { ++lost; }});
  kit.steal();
  for (int i = 0; i < 2; ++i) {
    const auto answer = kit.writer().execute({trouble()});
    ASSERT_FALSE(answer.ok());
    EXPECT_EQ(answer.error().code(), ErrorCode::kConflict);
  }
  EXPECT_EQ(lost, 1);
  EXPECT_TRUE(kit.writer().is_closed());
  EXPECT_EQ(kit.count(model::ErrorRecorded::kKind), 0U);
}

TEST(PlanWriterTest, AFailureForGoodEndsIt) {
  std::string why;
  WriterKit kit({.lost = [&](const base::Error& error) { why = error.message(); }});
  fail(kit, base::corruption("torn"), 1);
  EXPECT_EQ(kit.writer().execute({trouble()}).error().code(), ErrorCode::kConflict);
  EXPECT_EQ(why, "torn");
}

TEST(PlanWriterTest, MoneyThatIsNotThereIsDecidedAgainWithoutIt) {
  std::optional<storage::Budgets::Room> room;
  WriterKit kit({.no_money = [&](const auto&, const storage::Budgets::Room& seen) { room = seen; },
                 .caps = [](const std::string&) { return storage::Caps{.tokens = 10}; }});
  const auto base = kit.writer().state()->effects.begin()->first;
  ASSERT_TRUE(kit.writer().execute({plan::BaseIsTaken{base, {.tree = std::string(40, 'a')}}}).ok());
  EXPECT_EQ(kit.writer().state()->waiting, plan::Waiting::kBudget);
  EXPECT_TRUE(kit.writer().state()->base.has_value());
  ASSERT_TRUE(room.has_value());
  EXPECT_EQ(room->answer, storage::Budgets::Room::Answer::kFull);
}

TEST(PlanWriterTest, ScopesWithoutACapGetOne) {
  WriterKit kit;
  const auto base = kit.writer().state()->effects.begin()->first;
  ASSERT_TRUE(kit.writer().execute({plan::BaseIsTaken{base, {.tree = std::string(40, 'a')}}}).ok());
  EXPECT_EQ(kit.writer().state()->waiting, plan::Waiting::kNothing);
  EXPECT_EQ(kit.count(model::BudgetReserved::kKind), 1U);
}

TEST(PlanWriterTest, AFullStoreIsWaitedFor) {
  WriterKit kit;
  fail(kit, base::resource_exhausted("disk full"), 1);
  EXPECT_FALSE(submit(kit, {trouble()}).has_value());
  EXPECT_EQ(kit.scheduler.ring(), 1U);
  EXPECT_TRUE(kit.writer().is_idle());
  EXPECT_EQ(kit.count(model::ErrorRecorded::kKind), 1U);
}

// Rings until nothing is tried any more; how often that was.
std::size_t ring_to_the_end(WriterKit& kit) {
  constexpr std::size_t kEnough = 100;
  std::size_t rung = 0;
  while (rung < kEnough && kit.scheduler.ring() != 0) ++rung;
  return rung;
}

TEST(PlanWriterTest, AStoreThatStaysFullEndsIt) {
  std::optional<base::Error> why;
  WriterKit kit({.lost = [&](const base::Error& error) { why = error; }});
  fail(kit, base::unavailable("disk full"), 1000);
  EXPECT_FALSE(submit(kit, {trouble()}).has_value());
  EXPECT_EQ(ring_to_the_end(kit), 12U);
  ASSERT_TRUE(why.has_value());
  EXPECT_EQ(why->message(), "disk full");
  EXPECT_TRUE(kit.writer().is_closed());
  EXPECT_TRUE(kit.writer().is_idle());
}

TEST(PlanWriterTest, InAHurryItGivesUpSoon) {
  WriterKit kit;
  fail(kit, base::unavailable("disk full"), 1000);
  EXPECT_FALSE(submit(kit, {trouble()}).has_value());
  kit.writer().hurry();
  EXPECT_FALSE(kit.writer().is_closed());
  EXPECT_EQ(ring_to_the_end(kit), 4U);
  EXPECT_TRUE(kit.writer().is_idle());
}

TEST(PlanWriterTest, InAHurryItStillWritesWhatItCan) {
  WriterKit kit;
  fail(kit, base::unavailable("disk full"), 1);
  EXPECT_FALSE(submit(kit, {trouble()}).has_value());
  kit.writer().hurry();
  EXPECT_EQ(kit.count(model::ErrorRecorded::kKind), 1U);
  EXPECT_FALSE(kit.writer().is_closed());
}

TEST(PlanWriterTest, ClosingAnswersWhoWaits) {
  WriterKit kit;
  fail(kit, base::unavailable("away"), 100);
  auto answer = std::make_shared<std::optional<base::Result<Settled>>>();
  kit.writer().submit({trouble()}, [answer](auto settled) { answer->emplace(std::move(settled)); });
  kit.close();
  ASSERT_TRUE(answer->has_value());
  EXPECT_EQ((*answer)->error().code(), ErrorCode::kCancelled);
}

TEST(PlanWriterTest, AStopWithdrawsWhatIsNotBeingWritten) {
  WriterKit kit;
  fail(kit, base::unavailable("away"), 100);
  base::StopSource stop;
  stop.request_stop();
  const auto answer = kit.writer().execute({trouble()}, stop.token());
  ASSERT_FALSE(answer.ok());
  EXPECT_EQ(answer.error().code(), ErrorCode::kCancelled);
  EXPECT_TRUE(kit.writer().is_idle());
}

TEST(PlanWriterTest, ACommandThatLeadsToNothingIsAnsweredWithoutWriting) {
  WriterKit kit;
  const auto before = kit.events().size();
  const auto answer = kit.writer().execute({plan::BudgetFreed{}});
  ASSERT_TRUE(answer.ok());
  EXPECT_EQ(answer->sequence, kit.created.sequence);
  EXPECT_EQ(kit.events().size(), before);
}

TEST(PlanWriterTest, WhatItHoldsIsWhatTheJournalFoldsTo) {
  WriterKit kit;
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(kit.writer().execute({trouble()}).ok());
  const auto folded = plan::fold(kit.events()).value();
  EXPECT_EQ(folded.errors, kit.writer().state()->errors);
  EXPECT_EQ(folded.sequence, kit.writer().state()->sequence);
  EXPECT_EQ(folded.retries, kit.writer().state()->retries);
}

}  // namespace
}  // namespace clever::engine
