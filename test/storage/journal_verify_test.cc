#include "storage/journal_verify.h"

#include "storage/keys.h"
#include "storage/plan_test.h"

namespace clever::storage {
namespace {

using base::ErrorCode;
using ::testing::HasSubstr;
using testing::HeldPlan;
using testing::note;

class JournalVerifyTest : public testing::PlanTest {
 protected:
  JournalVerifyTest() : plan_(create()) {
    append(plan_, {note("2"), note("3"), note("4")});
    auto with_body = make_append(plan_, {note("5")});
    with_body.bodies.push_back(Body::of("content"));
    with_body.events[0].bodies = {base::sha256("content")};
    plan_.head = journal().append(std::move(with_body)).value();
  }

  [[nodiscard]] JournalVerdict verdict() {
    return JournalVerify(engine()).verify(plan_.id).value();
  }

  // Exactly this is found, by looking at the plan alone and at everything.
  void expect_fault(std::int64_t sequence, const std::string& what) {
    const auto found = verdict();
    ASSERT_FALSE(found.faults.empty());
    EXPECT_EQ(found.faults[0].sequence, sequence) << found.faults[0].to_string();
    EXPECT_THAT(found.faults[0].to_string(), HasSubstr(what));
    EXPECT_FALSE(JournalVerify(engine())
                     .verify_all([](std::string_view, std::uint64_t, std::uint64_t) {})
                     .value()
                     .sound());
  }
  [[nodiscard]] Blob id() const { return to_blob(plan_.id); }

  HeldPlan plan_;
};

TEST_P(JournalVerifyTest, ASoundJournalIsSound) {
  const auto found = verdict();
  EXPECT_TRUE(found.sound());
  EXPECT_EQ(found.plans, 1U);
  EXPECT_EQ(found.events, 5U);
  EXPECT_EQ(found.bodies, 1U);
}

TEST_P(JournalVerifyTest, AJournalWithoutEventsIsSound) {
  const auto plan = world().next<model::PlanId>();
  leases().acquire(plan, owner(), testing::kTtl).value();
  EXPECT_TRUE(JournalVerify(engine()).verify(plan).value().sound());
  EXPECT_EQ(JournalVerify(engine()).verify(world().next<model::PlanId>()).error().code(),
            ErrorCode::kNotFound);
}

TEST_P(JournalVerifyTest, AllPlansAreLookedAtWithProgress) {
  static_cast<void>(create());
  std::vector<std::string> doing;
  std::uint64_t all = 0;
  const auto found = JournalVerify(engine())
                         .verify_all([&](std::string_view what, std::uint64_t, std::uint64_t of) {
                           doing.emplace_back(what);
                           all = std::max(all, of);
                         })
                         .value();
  EXPECT_TRUE(found.sound());
  EXPECT_EQ(found.plans, 2U);
  EXPECT_EQ(found.events, 6U);
  EXPECT_EQ(found.bodies, 1U);
  EXPECT_EQ(all, 2U);
  EXPECT_THAT(doing, ::testing::Contains("verifying plans"));
  EXPECT_THAT(doing, ::testing::Contains("verifying contents"));
}

TEST_P(JournalVerifyTest, EndsOnAStop) {
  base::StopSource stop;
  stop.request_stop();
  EXPECT_EQ(JournalVerify(engine()).verify(plan_.id, stop.token()).error().code(),
            ErrorCode::kCancelled);
}

TEST_P(JournalVerifyTest, ChangedDataIsFound) {
  edit("UPDATE event SET data = $2 WHERE plan = $1 AND sequence = 3", id(), Blob{"{}"});
  expect_fault(3, "its hash is not that of its content");
}

TEST_P(JournalVerifyTest, AChangedTimeKindEpochOrVersionIsFound) {
  edit("UPDATE event SET time = time + 1 WHERE plan = $1 AND sequence = 2", id());
  expect_fault(2, "its hash");
  edit("UPDATE event SET time = time - 1 WHERE plan = $1 AND sequence = 2", id());
  edit("UPDATE event SET kind = 'n' WHERE plan = $1 AND sequence = 2", id());
  expect_fault(2, "its hash");
  edit("UPDATE event SET kind = 'note', version = 2 WHERE plan = $1 AND sequence = 2", id());
  expect_fault(2, "its hash");
  edit("UPDATE event SET version = 1, epoch = 2 WHERE plan = $1 AND sequence = 2", id());
  expect_fault(2, "its hash");
  edit("UPDATE event SET epoch = 1 WHERE plan = $1 AND sequence = 2", id());
  EXPECT_TRUE(verdict().sound());
}

TEST_P(JournalVerifyTest, AnEventChangedTogetherWithItsHashIsFoundAtTheNext) {
  edit("UPDATE event SET hash = $2 WHERE plan = $1 AND sequence = 3", id(),
       to_blob(base::sha256("forged")));
  expect_fault(3, "its hash");
  EXPECT_EQ(verdict().faults.size(), 2U);
}

TEST_P(JournalVerifyTest, ADeletedEventIsFound) {
  edit("DELETE FROM event WHERE plan = $1 AND sequence = 3", id());
  expect_fault(4, "the events from 3 to 3 are missing");
}

TEST_P(JournalVerifyTest, ACutEndIsFound) {
  edit("DELETE FROM event WHERE plan = $1 AND sequence = 5", id());
  expect_fault(0, "the journal ends at 5, its last event is 4");
}

TEST_P(JournalVerifyTest, SwappedEventsAreFound) {
  edit("UPDATE event SET sequence = 30 WHERE plan = $1 AND sequence = 3", id());
  edit("UPDATE event SET sequence = 3 WHERE plan = $1 AND sequence = 4", id());
  edit("UPDATE event SET sequence = 4 WHERE plan = $1 AND sequence = 30", id());
  expect_fault(3, "its hash");
}

TEST_P(JournalVerifyTest, AnInsertedEventIsFound) {
  edit(
      "INSERT INTO event (plan, sequence, kind, version, epoch, time, data, hash) "
      "VALUES ($1, 6, 'note', 1, 1, 0, $2, $3)",
      id(), Blob{"{}"}, to_blob(base::sha256("x")));
  expect_fault(6, "its hash");
  EXPECT_THAT(verdict().faults.back().what, HasSubstr("the journal ends at 5"));
}

TEST_P(JournalVerifyTest, AForgedHeadIsFound) {
  edit("UPDATE journal SET hash = $2 WHERE plan = $1", id(), to_blob(base::sha256("x")));
  expect_fault(0, "the head's hash is not that of the last event");
}

TEST_P(JournalVerifyTest, AnEpochThatGoesBackIsFound) {
  edit("UPDATE journal SET epoch = 0 WHERE plan = $1", id());
  expect_fault(0, "the journal's epoch is smaller");
}

TEST_P(JournalVerifyTest, AMissingContentIsFound) {
  edit("DELETE FROM event_body WHERE plan = $1", id());
  expect_fault(5, "its hash");
}

TEST_P(JournalVerifyTest, AChangedContentIsFound) {
  edit("UPDATE event_body SET content = $1", Blob{"changed"});
  expect_fault(5, "does not match");
}

TEST_P(JournalVerifyTest, ALargeContentThatIsMissingOrChangedIsFound) {
  auto large = make_append(plan_, {note("6")});
  large.bodies.push_back(Body::of(std::string(Bodies::kSmall + 1, 'x')));
  large.events[0].bodies = {large.bodies[0].hash};
  plan_.head = journal().append(std::move(large)).value();
  EXPECT_EQ(verdict().bodies, 2U);
  edit("UPDATE body SET content = $1", Blob{"changed"});
  expect_fault(0, "does not match");
  EXPECT_THAT(verdict().faults[0].to_string(), HasSubstr("contents: "));
  edit("DELETE FROM body");
  expect_fault(6, "is missing");
}

TEST_P(JournalVerifyTest, EventsWithoutAJournalAreFound) {
  edit("DELETE FROM journal WHERE plan = $1", id());
  const auto found = JournalVerify(engine())
                         .verify_all([](std::string_view, std::uint64_t, std::uint64_t) {})
                         .value();
  ASSERT_EQ(found.faults.size(), 1U);
  EXPECT_EQ(found.faults[0].to_string(),
            "plan " + plan_.id.to_string() + ": there are events, and no journal");
}

CLEVER_ALL_ENGINES(JournalVerifyTest);

}  // namespace
}  // namespace clever::storage
