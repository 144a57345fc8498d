// Whole journals of ended plans are deleted, and what must stay stays verifiable.
#include "storage/tombstones.h"

#include <gmock/gmock.h>

#include <chrono>

#include "model/effect_events.h"
#include "model/plan_events.h"
#include "model/work_events.h"
#include "storage/budgets.h"
#include "storage/inbox.h"
#include "storage/journal_verify.h"
#include "storage/keys.h"
#include "storage/model_calls.h"
#include "storage/plan_test.h"
#include "storage/rebuild.h"
#include "storage/row_verify.h"

namespace clever::storage {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::HeldPlan;
using ::testing::IsEmpty;

void nothing_said(std::string_view /*doing*/, std::uint64_t /*done*/, std::uint64_t /*all*/) {}

base::Result<std::vector<model::Tombstone::Audit>> one_line(
    const std::vector<model::StoredEvent>& events) {
  return std::vector<model::Tombstone::Audit>{
      {static_cast<std::int64_t>(events.size()), events.back().time, "applied", "all"}};
}

class TombstonesTest : public testing::PlanTest {
 protected:
  TombstonesTest() { EXPECT_TRUE(Budgets(engine()).set_cap("day", {1'000'000, 1'000'000}).ok()); }

  // One that spent 40 of the day, was sent a command, called a model and committed something.
  HeldPlan ended(model::PlanState state, const model::PlanId& parent = {}) {
    HeldPlan plan = create({.parent = parent, .title = "busy", .project = "/p"});
    append(plan, {model::BudgetReserved{{"day"}, {60, 6}}.to_event()});
    append(plan, {model::BudgetSettled{plan.head.sequence, {"day"}, {60, 6}, {40, 4}}.to_event(),
                  model::EffectRequested{.id = world().next<model::EffectId>(), .kind = "tool.run"}
                      .to_event()
                      .value(),
                  model::ApplyEnded{.applied = true, .commit = "abc"}.to_event()});
    EXPECT_TRUE(Inbox(engine()).send(plan.id, "one", "a command").ok());
    UnitOfWork trace;
    ModelCalls::add(trace, {.plan = plan.id, .provider = "p", .model = "m", .cost = 40});
    EXPECT_TRUE(engine().commit(std::move(trace)).ok());
    append(plan, {model::PlanMoved{model::Phase::kApply, state}.to_event()});
    EXPECT_TRUE(leases().release(plan.lease, owner()).ok());
    return plan;
  }

  [[nodiscard]] std::vector<model::PlanId> due() {
    const auto later =
        std::chrono::floor<std::chrono::microseconds>(clock().wall_now()) + std::chrono::hours(1);
    std::vector<model::PlanId> ids;
    for (const PlanSummary& plan : Tombstones::due(engine(), later, 10).value()) {
      ids.push_back(plan.id);
    }
    return ids;
  }
  base::Result<DeletedJournals> bury(const model::PlanId& plan) {
    return Tombstones(engine(), clock(), owner()).bury(plan, one_line);
  }
  // What `db verify` finds.
  [[nodiscard]] std::vector<std::string> faults() {
    std::vector<std::string> found;
    for (const auto& fault : JournalVerify(engine()).verify_all(nothing_said)->faults) {
      found.push_back(fault.to_string());
    }
    for (const auto& fault : RowVerify(engine(), clock()).verify(nothing_said)->faults) {
      found.push_back(fault.to_string());
    }
    return found;
  }
};
CLEVER_ALL_ENGINES(TombstonesTest);

TEST_P(TombstonesTest, CostsAuditCommitsAndTheLastHashStay) {
  const HeldPlan plan = ended(model::PlanState::kApplied);
  const HeldPlan below = ended(model::PlanState::kComplete, plan.id);
  ASSERT_THAT(due(), ElementsAre(plan.id));
  const auto deleted = bury(plan.id);
  ASSERT_TRUE(deleted.ok()) << deleted.error().sentence();
  EXPECT_EQ(deleted->plans, 2U);
  EXPECT_EQ(deleted->events, static_cast<std::uint64_t>(plan.head.sequence * 2));

  const auto stone = Tombstones::find_by_prefix(engine(), plan.id.to_string())->value();
  EXPECT_EQ(stone.head, plan.head.hash);
  EXPECT_EQ(stone.events, plan.head.sequence);
  EXPECT_EQ(stone.state, "applied");
  EXPECT_THAT(stone.commits, ElementsAre("abc"));
  EXPECT_THAT(stone.shares, ElementsAre(model::Tombstone::Share{"day", 40, 4}));
  ASSERT_EQ(stone.audit.size(), 1U);
  EXPECT_EQ(stone.audit.front().what, "applied");
  EXPECT_EQ(Tombstones::find_by_prefix(engine(), below.id.to_string())->value().parent, plan.id);

  EXPECT_EQ(Budgets(engine()).find("day")->spent.money, 80);
  EXPECT_EQ(ModelCalls(engine()).list({.plan = plan.id})->size(), 1U);
  for (const Sql& rows : {Sql("SELECT count(*) FROM journal"), Sql("SELECT count(*) FROM event"),
                          Sql("SELECT count(*) FROM plan"), Sql("SELECT count(*) FROM inbox"),
                          Sql("SELECT count(*) FROM effect")}) {
    EXPECT_EQ(number(rows), 0);
  }
  EXPECT_THAT(faults(), IsEmpty());
  EXPECT_THAT(Plans(engine()).find_by_prefix(plan.id.to_string()).error().message(),
              HasSubstr("was deleted"));
}

TEST_P(TombstonesTest, ADeletedPlanIsNotDriven) {
  const HeldPlan plan = ended(model::PlanState::kApplied);
  ASSERT_TRUE(bury(plan.id).ok());
  EXPECT_EQ(leases().acquire(plan.id, owner(), testing::kTtl).error().code(),
            base::ErrorCode::kNotFound);
  EXPECT_FALSE(try_append(plan, {testing::note("late")}).ok());
  EXPECT_THAT(faults(), IsEmpty());
}

TEST_P(TombstonesTest, APlanThatHasNotEndedIsKept) {
  const HeldPlan failed = ended(model::PlanState::kErrored);
  const HeldPlan constrained = ended(model::PlanState::kConstrained);
  const HeldPlan with_failure = ended(model::PlanState::kApplied);
  ended(model::PlanState::kErrored, with_failure.id);
  const HeldPlan driven = create();
  EXPECT_THAT(due(), IsEmpty());
  for (const model::PlanId& plan : {failed.id, constrained.id, driven.id}) {
    EXPECT_EQ(bury(plan).error().code(), base::ErrorCode::kConflict);
  }
  EXPECT_EQ(number("SELECT count(*) FROM journal"), 5);
  EXPECT_THAT(faults(), IsEmpty());
}

TEST_P(TombstonesTest, AYoungOneIsKept) {
  ended(model::PlanState::kApplied);
  const auto now = std::chrono::floor<std::chrono::microseconds>(clock().wall_now());
  EXPECT_THAT(Tombstones::due(engine(), now - std::chrono::hours(1), 10).value(), IsEmpty());
}

TEST_P(TombstonesTest, ADeletionWithoutATombstoneIsNoticed) {
  const HeldPlan plan = ended(model::PlanState::kApplied);
  for (const Sql& deletion :
       {Sql("DELETE FROM inbox"), Sql("DELETE FROM seal WHERE source = 'inbox'"),
        Sql("DELETE FROM effect"), Sql("DELETE FROM event"), Sql("DELETE FROM plan"),
        Sql("DELETE FROM journal")}) {
    edit(deletion);
  }
  EXPECT_THAT(faults(), ::testing::Contains(HasSubstr("no tombstone says that it was deleted")));
}

TEST_P(TombstonesTest, ATombstoneThatIsDeletedOrChangedIsNoticed) {
  const HeldPlan first = ended(model::PlanState::kApplied);
  const HeldPlan second = ended(model::PlanState::kCancelled);
  ASSERT_TRUE(bury(first.id).ok());
  ASSERT_TRUE(bury(second.id).ok());
  EXPECT_THAT(faults(), IsEmpty());
  edit("DELETE FROM tombstone WHERE number = 1");
  EXPECT_THAT(faults(), ::testing::Contains(HasSubstr("one before it is missing")));
}

TEST_P(TombstonesTest, ARebuildKeepsWhatWasSpent) {
  const HeldPlan plan = ended(model::PlanState::kApplied);
  ASSERT_TRUE(bury(plan.id).ok());
  ASSERT_TRUE(Rebuild(engine()).run(nothing_said).ok());
  EXPECT_EQ(Budgets(engine()).find("day")->spent.money, 40);
  EXPECT_THAT(faults(), IsEmpty());
}

}  // namespace
}  // namespace clever::storage
