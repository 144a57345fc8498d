// Payloads of ended plans expire: what was said goes, what happened stays.
#include "storage/retention.h"

#include <gmock/gmock.h>

#include "model/plan_events.h"
#include "storage/journal_verify.h"
#include "storage/plan_test.h"

namespace clever::storage {
namespace {

using testing::HeldPlan;
using testing::note;

void silent(std::string_view, std::uint64_t, std::uint64_t) {}

class RetentionTest : public testing::PlanTest {
 protected:
  void says(HeldPlan& plan, const std::string& content) {
    auto turn = make_append(plan, {note("turn")});
    turn.bodies = {Body::of(content)};
    turn.events[0].bodies = {turn.bodies[0].hash};
    plan.head = journal().append(std::move(turn)).value();
  }
  void end(HeldPlan& plan, model::PlanState state) {
    auto last = make_append(plan, {model::PlanMoved{model::Phase::kApply, state}.to_event()});
    plan.head = journal().append(std::move(last)).value();
    EXPECT_TRUE(leases().release(plan.lease, owner()).ok());
  }
  Retention retention() { return Retention(engine(), clock(), owner()); }
  std::uint64_t expired_in_verdict() {
    const auto verdict = JournalVerify(engine()).verify_all(silent).value();
    for (const JournalFault& fault : verdict.faults) ADD_FAILURE() << fault.to_string();
    return verdict.expired;
  }
};

TEST_P(RetentionTest, PayloadsOfAnEndedPlanGoAndItsJournalStays) {
  const std::string large(2 * Bodies::kSmall, 'x');
  const std::string shared(2 * Bodies::kSmall, 'y');
  HeldPlan ended = create();
  HeldPlan works = create();
  says(ended, "small");
  says(ended, large);
  says(ended, shared);
  says(works, shared);
  says(works, "small");
  EXPECT_THAT(retention().ended(10).value(), ::testing::IsEmpty());
  EXPECT_EQ(retention().expire(works.id).error().code(), base::ErrorCode::kConflict);
  end(ended, model::PlanState::kApplied);
  ASSERT_EQ(retention().ended(10).value().size(), 1U);
  EXPECT_EQ(retention().ended(10).value().front().id, ended.id);

  EXPECT_EQ(retention().expire(ended.id).value().payloads, 3U);
  EXPECT_TRUE(Bodies(engine()).remove_unused(silent).ok());
  EXPECT_EQ(Bodies(engine()).content(base::sha256(large)).error().code(),
            base::ErrorCode::kNotFound);
  EXPECT_EQ(Bodies(engine()).content(base::sha256(shared)).value(), shared);
  EXPECT_EQ(Bodies(engine()).content(base::sha256("small")).value(), "small");
  EXPECT_EQ(expired_in_verdict(), 3U);
  EXPECT_TRUE(Retention::expired_at(engine(), ended.id).value().has_value());
  EXPECT_FALSE(Retention::expired_at(engine(), works.id).value().has_value());
  EXPECT_THAT(retention().ended(10).value(), ::testing::IsEmpty());
  EXPECT_EQ(retention().expire(ended.id).value().payloads, 0U) << "a second time";
}

TEST_P(RetentionTest, APlanThatHasNotEndedIsRefused) {
  HeldPlan plan = create();
  says(plan, "words");
  end(plan, model::PlanState::kErrored);
  EXPECT_THAT(retention().ended(10).value(), ::testing::IsEmpty());
  EXPECT_THAT(retention().expire(plan.id).error().message(),
              ::testing::HasSubstr("applied or cancelled"));
  EXPECT_EQ(Bodies(engine()).content(base::sha256("words")).value(), "words");
}

TEST_P(RetentionTest, APayloadThatIsMissingWithoutHavingExpiredIsAFault) {
  HeldPlan plan = create();
  says(plan, "words");
  edit("UPDATE event_body SET content = $1", Blob{std::string()});
  const auto verdict = JournalVerify(engine()).verify_all(silent).value();
  EXPECT_FALSE(verdict.sound());
}

CLEVER_ALL_ENGINES(RetentionTest);

}  // namespace
}  // namespace clever::storage
