#include "engine/plan_execution_context.h"

#include <gtest/gtest.h>

#include "base/random.h"
#include "sim/engine/writer_kit.h"

namespace clever::engine {
namespace {

using base::ErrorCode;

model::ChangeEntry change(const std::string& path) {
  model::ChangeEntry entry{.path = path, .operation = model::ChangeOperation::kCreate};
  entry.after = model::FileState{.hash = base::sha256(path)};
  entry.tool = "write";
  return entry;
}

class PlanExecutionContextTest : public ::testing::Test {
 protected:
  sim::WriterKit kit_;
  base::SeededRandom random_{1};
  base::UlidGenerator ids_{kit_.clock, random_};
  base::StopSource stop_;
  PlanExecutionContext context_{kit_.writer(), kit_.store, ids_, stop_.token()};
};

TEST_F(PlanExecutionContextTest, KnowsItsPlanAndItsStop) {
  EXPECT_EQ(context_.plan(), kit_.plan);
  EXPECT_FALSE(context_.stop().stop_requested());
  stop_.request_stop();
  EXPECT_TRUE(context_.stop().stop_requested());
}

TEST_F(PlanExecutionContextTest, EachGetsAHandleOfItsOwn) {
  auto first = context_.start_changeset().value();
  auto second = context_.start_changeset().value();
  ASSERT_TRUE(first.record({change("of the first")}).ok());
  ASSERT_TRUE(second.record({change("of the second"), change("and more")}).ok());
  ASSERT_EQ(first.entries()->size(), 1U);
  EXPECT_EQ(first.entries()->front().path, "of the first");
  ASSERT_EQ(second.entries()->size(), 2U);
  EXPECT_EQ(second.entries()->back().sequence, 2);
}

TEST_F(PlanExecutionContextTest, ASealedOneRefusesMore) {
  auto changeset = context_.start_changeset().value();
  ASSERT_TRUE(changeset.record({change("a")}).ok());
  const auto sealed = changeset.seal().value();
  EXPECT_EQ(sealed.changes.size(), 1U);
  EXPECT_EQ(changeset.seal().value().digest, sealed.digest);
  EXPECT_EQ(changeset.record({change("b")}).error().code(), ErrorCode::kConflict);
}

TEST_F(PlanExecutionContextTest, GoesOnWithOneThatWasStarted) {
  const auto id = context_.start_changeset().value().id();
  auto again = context_.resume_changeset(id).value();
  EXPECT_TRUE(again.record({change("a")}).ok());
  EXPECT_EQ(context_.resume_changeset(model::ChangesetId(ids_.next())).error().code(),
            ErrorCode::kNotFound);
}

TEST_F(PlanExecutionContextTest, RecordsDecisions) {
  const auto id = context_.record({.question = "how?", .chosen = "so"}).value();
  EXPECT_TRUE(id);
  EXPECT_EQ(kit_.writer().state()->decisions.back().id, id);
}

TEST_F(PlanExecutionContextTest, WithoutTheLeaseNothingIsRecorded) {
  auto changeset = context_.start_changeset().value();
  kit_.steal();
  EXPECT_EQ(changeset.record({change("late")}).error().code(), ErrorCode::kConflict);
  EXPECT_EQ(context_.start_changeset().error().code(), ErrorCode::kConflict);
}

}  // namespace
}  // namespace clever::engine
