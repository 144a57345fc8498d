#include "worker/roster.h"

#include "base/random.h"
#include "base/ulid.h"
#include "storage/engines.h"
#include "support/temporary_directory.h"

namespace clever::worker {
namespace {

using std::chrono::seconds;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class RosterTest : public storage::testing::EngineTest {
 protected:
  storage::OwnerLock owner() {
    return storage::OwnerLock::acquire(folder_.path() / "owners", model::OwnerId(ids_.next()))
        .value();
  }
  static WorkerRecord facts() {
    return {.queue = "default", .slots = 4, .process = 7, .settings = "abc"};
  }
  std::vector<Job> claim(const storage::OwnerLock& by, std::size_t limit) {
    return jobs_.claim({.limit = limit, .owner = by.owner().id, .thorough = true}).value();
  }

  test::TemporaryDirectory folder_;
  base::SeededRandom random_{1};
  base::UlidGenerator ids_{clock(), random_};
  JobQueue jobs_{engine(), clock(), random_};
};

TEST_P(RosterTest, AWorkerIsListedUntilItLeaves) {
  const auto one = owner();
  const auto two = owner();
  Roster roster(engine(), one);
  ASSERT_TRUE(roster.enter(facts()).ok());
  const auto seen = Roster(engine(), two).list().value();
  ASSERT_THAT(seen, SizeIs(1));
  EXPECT_EQ(seen[0].owner.id, one.owner().id);
  EXPECT_EQ(seen[0].owner.home.id, one.owner().home.id);
  EXPECT_EQ(seen[0].slots, 4);
  EXPECT_EQ(seen[0].process, 7);
  EXPECT_FALSE(seen[0].draining);
  EXPECT_FALSE(roster.stay("def").value());
  EXPECT_EQ(roster.list().value()[0].settings, "def");
  ASSERT_TRUE(roster.leave().ok());
  EXPECT_THAT(roster.list().value(), IsEmpty());
  EXPECT_EQ(roster.stay("def").error().code(), base::ErrorCode::kNotFound);
}

TEST_P(RosterTest, DrainReachesTheNamedWorkers) {
  const auto one = owner();
  const auto two = owner();
  Roster first(engine(), one);
  Roster second(engine(), two);
  ASSERT_TRUE(first.enter(facts()).ok());
  ASSERT_TRUE(second.enter(facts()).ok());
  EXPECT_EQ(first.drain(two.owner().id).value(), 1U);
  EXPECT_FALSE(first.stay("").value());
  EXPECT_TRUE(second.stay("").value());
  EXPECT_EQ(first.drain({}).value(), 2U);
  EXPECT_TRUE(first.stay("").value());
}

TEST_P(RosterTest, JobsOfADeadWorkerWaitAgainAtOnce) {
  const auto living = owner();
  std::optional<storage::OwnerLock> dying(owner());
  ASSERT_TRUE(Roster(engine(), *dying).enter(facts()).ok());
  for (const char* lane : {"a", "a", "b"}) {
    ASSERT_TRUE(jobs_.enqueue(NewJob{.body = lane, .concurrency = lane}).ok());
  }
  ASSERT_THAT(claim(*dying, 9), SizeIs(2)) << "one of each lane";
  Roster roster(engine(), living);
  EXPECT_EQ(roster.bury(jobs_).value(), 0U) << "it lives";
  EXPECT_THAT(claim(living, 9), IsEmpty());
  dying.reset();
  EXPECT_EQ(roster.bury(jobs_).value(), 2U);
  EXPECT_THAT(roster.list().value(), IsEmpty());
  const auto again = claim(living, 9);
  EXPECT_THAT(again, SizeIs(2));
  for (const Job& job : again) {
    const bool is_second_attempt = job.lease.attempt == AttemptNumber{2};
    // Of lane a the other job may go first now.
    EXPECT_TRUE(is_second_attempt || job.body == "a");
  }
  EXPECT_EQ(roster.bury(jobs_).value(), 0U);
}

TEST_P(RosterTest, AJobOutOfAttemptsIsDeadWithItsWorker) {
  std::optional<storage::OwnerLock> dying(owner());
  const auto living = owner();
  ASSERT_TRUE(Roster(engine(), *dying).enter(facts()).ok());
  ASSERT_TRUE(jobs_.enqueue(NewJob{.body = "a", .max_attempts = 1}).ok());
  ASSERT_THAT(claim(*dying, 1), SizeIs(1));
  dying.reset();
  EXPECT_EQ(Roster(engine(), living).bury(jobs_).value(), 1U);
  const auto listed = jobs_.list("default", 10).value();
  ASSERT_THAT(listed, SizeIs(1));
  EXPECT_EQ(listed[0].state, "dead");
  EXPECT_EQ(listed[0].error, "the worker of attempt 1 died");
}

TEST_P(RosterTest, TheQueueListsWhatRunsFirst) {
  const auto one = owner();
  ASSERT_TRUE(jobs_.enqueue(NewJob{.body = "low", .priority = Priority::kLow}).ok());
  ASSERT_TRUE(jobs_.enqueue(NewJob{.body = "first", .priority = Priority::kUrgent}).ok());
  ASSERT_TRUE(jobs_.enqueue(NewJob{.body = "high", .priority = Priority::kHigh}).ok());
  ASSERT_THAT(claim(one, 1), SizeIs(1));
  const auto listed = jobs_.list("default", 10).value();
  ASSERT_THAT(listed, SizeIs(3));
  EXPECT_EQ(listed[0].body, "first");
  EXPECT_EQ(listed[0].state, "running");
  EXPECT_EQ(listed[1].body, "high");
  EXPECT_EQ(listed[1].state, "waiting");
  EXPECT_EQ(listed[2].body, "low");
  EXPECT_THAT(jobs_.list("default", 2).value(), SizeIs(2));
  EXPECT_THAT(jobs_.list("other", 2).value(), IsEmpty());
}

CLEVER_ALL_ENGINES(RosterTest);

}  // namespace
}  // namespace clever::worker
