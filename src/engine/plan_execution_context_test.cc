#include "engine/plan_execution_context.h"

#include <gtest/gtest.h>

#include "base/random.h"
#include "sim/engine/writer_kit.h"

namespace clever::engine {
namespace {

using base::ErrorCode;
using sim::record;

model::ChangeEntry change(const std::string& path) {
  model::ChangeEntry entry{.path = path, .operation = model::ChangeOperation::kCreate};
  entry.after = model::FileState{.hash = base::sha256(path)};
  entry.tool = "write";
  return entry;
}

class PlanExecutionContextTest : public ::testing::Test {
 protected:
  std::vector<model::ChangeEntry> entries(const Changeset& changeset) {
    return sim::entries_of(kit_.store, kit_.plan, changeset.id());
  }

  sim::WriterKit kit_;
  base::SeededRandom random_{1};
  base::UlidGenerator ids_{kit_.clock, random_};
  PlanExecutionContext context_{ids_, sim::writes_to(kit_.writer())};
};

TEST_F(PlanExecutionContextTest, EachGetsAHandleOfItsOwn) {
  const Changeset first = context_.start_changeset({});
  const Changeset second = context_.start_changeset({});
  ASSERT_TRUE(record(first, {change("of the first")}).ok());
  ASSERT_TRUE(record(second, {change("of the second"), change("and more")}).ok());
  ASSERT_EQ(entries(first).size(), 1U);
  EXPECT_EQ(entries(first).front().path, "of the first");
  ASSERT_EQ(entries(second).size(), 2U);
  EXPECT_EQ(entries(second).back().sequence, 2);
}

TEST_F(PlanExecutionContextTest, AnEmptyChangesetIsNotInTheJournal) {
  const Changeset changeset = context_.start_changeset({});
  ASSERT_TRUE(record(changeset, {}).ok());
  EXPECT_EQ(kit_.count(model::ChangesetStarted::kKind), 0U);
}

TEST_F(PlanExecutionContextTest, SaysWhichDecisionTheWorkCarriesOut) {
  const model::DecisionId decision = kit_.writer().state()->root_decision;
  ASSERT_TRUE(record(context_.start_changeset(decision), {change("a")}).ok());
  for (const model::StoredEvent& event : kit_.events()) {
    if (event.kind != model::ChangesetStarted::kKind) continue;
    EXPECT_EQ(model::ChangesetStarted::parse(event.data)->decision, decision);
  }
}

TEST_F(PlanExecutionContextTest, WhatIsBroughtToTheJournalLaterFollowsTheChanges) {
  context_.start_changeset({}).record({change("a")});
  ASSERT_TRUE(kit_.writer().execute({sim::trouble()}).ok());
  std::vector<std::string> kinds;
  for (const model::StoredEvent& event : kit_.events()) kinds.push_back(event.kind);
  const auto changes = std::ranges::find(kinds, model::ChangesRecorded::kKind);
  EXPECT_LT(changes, std::ranges::find(kinds, model::ErrorRecorded::kKind));
}

TEST_F(PlanExecutionContextTest, WithoutTheLeaseNothingIsRecorded) {
  const Changeset changeset = context_.start_changeset({});
  kit_.steal();
  EXPECT_EQ(record(changeset, {change("late")}).error().code(), ErrorCode::kConflict);
}

}  // namespace
}  // namespace clever::engine
