#include "storage/postgres/internal/group.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace clever::storage::postgres {
namespace {

using base::ErrorCode;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

using RecordedUnits = std::vector<std::pair<int, bool>>;

// A unit with one statement that is told about in `told` by its number.
internal::Pending pending_unit(int number, RecordedUnits& reported, std::string text = "x") {
  UnitOfWork unit;
  unit.run("INSERT INTO t VALUES ($1)", std::move(text));
  unit.notify("topic " + std::to_string(number % 2));
  return {.unit = std::move(unit), .done = [number, &reported](base::Result<Receipt> answer) {
            reported.emplace_back(number, answer.ok());
          }};
}

Group group_of(int size, RecordedUnits& reported) {
  std::vector<internal::Pending> units;
  for (int i = 0; i < size; ++i) units.push_back(pending_unit(i, reported));
  return Group(std::move(units));
}

TEST(GroupTest, WhatCannotBeSentIsAnsweredAtOnce) {
  RecordedUnits reported;
  std::vector<internal::Pending> units;
  units.push_back(pending_unit(0, reported, "\xff"));
  units.push_back(pending_unit(1, reported));
  const Group group(std::move(units));
  EXPECT_EQ(group.size(), 1U);
  EXPECT_THAT(reported, ElementsAre(std::pair(0, false)));
}

TEST(GroupTest, SuspectsAreSetApart) {
  RecordedUnits reported;
  Group group = group_of(3, reported);
  group.suspect(1);
  EXPECT_THAT(group.trusted(), ElementsAre(0, 2));
  EXPECT_THAT(group.suspects(), ElementsAre(1));
  group.suspect_all();
  EXPECT_THAT(group.trusted(), IsEmpty());
}

TEST(GroupTest, EveryUnitGetsItsOwnAnswer) {
  RecordedUnits reported;
  Group group = group_of(2, reported);
  EXPECT_FALSE(group.any_succeeded());
  group.set_answer(0, base::conflict("stale"));
  group.set_answer(1, Receipt{});
  EXPECT_TRUE(group.any_succeeded());
  group.answer();
  EXPECT_THAT(reported, ElementsAre(std::pair(0, false), std::pair(1, true)));
}

TEST(GroupTest, TopicsAreThoseOfTheUnitsThatHappened) {
  RecordedUnits reported;
  Group group = group_of(4, reported);
  EXPECT_THAT(group.topics(), IsEmpty());
  group.set_answer(0, base::conflict("stale"));
  group.set_answer(1, Receipt{});
  group.set_answer(3, Receipt{});
  EXPECT_THAT(group.topics(), ElementsAre("topic 1"));
  group.answer_all(base::unavailable("gone"));
  EXPECT_EQ(reported.size(), 4U);
}

TEST(GroupTest, ASplitGroupHasAllItsUnits) {
  RecordedUnits reported;
  Group group = group_of(3, reported);
  auto parts = group.split();
  ASSERT_EQ(parts.size(), 3U);
  EXPECT_EQ(group.size(), 0U);
  for (Group& part : parts) part.answer_all(base::unavailable("gone"));
  EXPECT_EQ(reported.size(), 3U);
}

TEST(JudgedTest, OtherRowsThanExpectedAreTheRefusal) {
  UnitOfWork unit;
  unit.run("INSERT INTO t VALUES (1)");
  unit.require(1, {ErrorCode::kConflict, "stale"}, "UPDATE t SET a = 1");
  std::vector<Outcome> outcomes(3);
  outcomes[1].count = 5;
  outcomes[2].count = 0;
  const auto refused = judged(unit, outcomes, 1);
  EXPECT_EQ(refused.error().code(), ErrorCode::kConflict);
  EXPECT_EQ(refused.error().message(), "stale");
}

TEST(JudgedTest, AReceiptHasTheOutcomesInOrder) {
  UnitOfWork unit;
  unit.run("INSERT INTO t VALUES (1)");
  unit.require(1, {ErrorCode::kConflict, "stale"}, "UPDATE t SET a = 1");
  std::vector<Outcome> outcomes(3);
  outcomes[1].count = 5;
  outcomes[2].count = 1;
  const auto receipt = judged(unit, outcomes, 1).value();
  ASSERT_EQ(receipt.outcomes.size(), 2U);
  EXPECT_EQ(receipt.outcomes[0].count, 5U);
  EXPECT_EQ(receipt.outcomes[1].count, 1U);
}

TEST(JudgedTest, AFailureOfTheServerCountsUnlessARefusalCameBefore) {
  const base::Error failure = base::already_exists("twice");
  UnitOfWork unit;
  unit.require(1, {ErrorCode::kConflict, "stale"}, "UPDATE t SET a = 1");
  unit.run("INSERT INTO t VALUES (1)");
  std::vector<Outcome> outcomes(1);
  EXPECT_EQ(judged(unit, outcomes, 0, &failure).error().code(), ErrorCode::kConflict);
  outcomes[0].count = 1;
  EXPECT_EQ(judged(unit, outcomes, 0, &failure).error(), failure);
}

}  // namespace
}  // namespace clever::storage::postgres
