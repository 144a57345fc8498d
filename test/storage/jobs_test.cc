#include <algorithm>
#include <chrono>
#include <concepts>
#include <set>
#include <string>
#include <vector>

#include "base/monitor.h"
#include "base/random.h"
#include "storage/engines.h"
#include "worker/job_queue.h"

namespace clever::worker {
namespace {

using base::ErrorCode;
using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

model::OwnerId owner(std::uint8_t number) {
  base::Ulid::Bytes bytes{};
  bytes.back() = number;
  return model::OwnerId(base::Ulid(bytes));
}

class JobsTest : public storage::testing::EngineTest {
 protected:
  JobId add(NewJob job) { return jobs_.enqueue(job).value().id.value(); }
  // A template, so that braces always mean a NewJob.
  template <std::convertible_to<std::string> Body>
  JobId add(const Body& body) {
    return add(NewJob{.body = body});
  }

  std::vector<Job> take(std::size_t limit, std::uint8_t who = 1) {
    return jobs_.claim(claim(limit, who)).value();
  }
  static Claim claim(std::size_t limit, std::uint8_t who = 1) {
    return {"default", limit, owner(who), kLease};
  }
  Job take_one() {
    auto jobs = take(1);
    EXPECT_THAT(jobs, SizeIs(1));
    return jobs.empty() ? Job{} : jobs.front();
  }
  std::vector<std::string> bodies(std::size_t limit) {
    std::vector<std::string> result;
    for (const auto& job : take(limit)) result.push_back(job.body);
    return result;
  }
  Counts counts() { return jobs_.counts("default").value(); }
  std::vector<Lost> fail(const Lease& lease, microseconds after = seconds{1}) {
    return jobs_.fail("default", {lease, "it broke", after}).value();
  }
  std::vector<Lost> complete(std::vector<Lease> leases) {
    return jobs_.complete("default", std::move(leases)).value();
  }

  static constexpr seconds kLease{30};
  base::SeededRandom random_{1};
  JobQueue jobs_{engine(), clock(), random_};
};

// ---- Enqueue ------------------------------------------------------------------------------------

// A database that others can open too: not one in memory.
class SharedJobsTest : public JobsTest {};

TEST_P(JobsTest, AJobComesBackAsItWasGiven) {
  const model::EffectId effect(base::Ulid({1, 2, 3}));
  const std::string body("a\0b\xff", 4);
  const JobId id =
      add({.body = body, .priority = Priority::kHigh, .max_attempts = 7, .effect = effect});
  const Job job = take_one();
  EXPECT_EQ(job.lease, (Lease{id, AttemptNumber{1}, std::nullopt}));
  EXPECT_EQ(job.queue, "default");
  EXPECT_EQ(job.body, body);
  EXPECT_EQ(job.priority, Priority::kHigh);
  EXPECT_EQ(job.max_attempts, 7);
  EXPECT_EQ(job.effect, effect);
  EXPECT_EQ(job.enqueued, clock().wall_now());
}

TEST_P(JobsTest, SharesTakeTurns) {
  for (const char* body : {"a1", "a2", "a3", "a4"}) add({.body = body, .share = "a"});
  advance(milliseconds{1});
  for (const char* body : {"b1", "b2"}) add({.body = body, .share = "b"});
  const auto first = jobs_.claim({.limit = 3, .owner = owner(1), .thorough = true}).value();
  std::vector<std::string> order;
  for (const auto& job : first) order.push_back(job.body);
  EXPECT_THAT(order, ElementsAre("a1", "b1", "a2"));
  // One that comes later does not go before those that wait as long as it would.
  advance(seconds{2});
  add({.body = "c1", .share = "c"});
  order.clear();
  for (const auto& job : jobs_.claim({.limit = 9, .owner = owner(1), .thorough = true}).value()) {
    order.push_back(job.body);
  }
  EXPECT_THAT(order, ElementsAre("b2", "a3", "c1", "a4"));
}

TEST_P(JobsTest, AShareDoesNotKeepAJobFromItsTime) {
  add({.body = "later", .not_before = clock().wall_now() + seconds{5}, .share = "a"});
  for (int i = 0; i < 4000; ++i) add({.body = "now", .share = "a"});
  EXPECT_EQ(counts().waiting, 4000);
  EXPECT_EQ(counts().later, 1);
}

TEST_P(JobsTest, AKeyIsEnqueuedOnce) {
  const auto first = jobs_.enqueue(NewJob{.body = "a", .key = "k"}).value();
  const auto second = jobs_.enqueue(NewJob{.body = "b", .key = "k"}).value();
  EXPECT_FALSE(first.existed);
  EXPECT_TRUE(second.existed);
  EXPECT_EQ(first.id, second.id);
  EXPECT_THAT(bodies(10), ElementsAre("a"));
}

TEST_P(JobsTest, AKeyIsFreeOnceItsJobIsDone) {
  add({.body = "a", .key = "k"});
  complete({take_one().lease});
  EXPECT_FALSE(jobs_.enqueue(NewJob{.body = "b", .key = "k"}).value().existed);
}

TEST_P(JobsTest, AReceiptMayTellOfAJobThatEndedMeanwhile) {
  storage::Receipt receipt;
  receipt.outcomes.resize(2);
  const Enqueued nothing = enqueued(receipt, {0, 1});
  EXPECT_TRUE(nothing.existed);
  EXPECT_FALSE(nothing.id.has_value());
}

TEST_P(JobsTest, ManyAreEnqueuedTogether) {
  std::vector<NewJob> many(100);
  for (std::size_t i = 0; i < many.size(); ++i) many[i].body = std::to_string(i);
  const auto enqueued = jobs_.enqueue(many).value();
  std::set<JobId> ids;
  for (const auto& one : enqueued) ids.insert(one.id.value());
  EXPECT_EQ(ids.size(), 100U);
  EXPECT_EQ(counts().waiting, 100);
}

TEST_P(JobsTest, ManyAreEnqueuedAllOrNone) {
  const std::vector<NewJob> many{{.body = "a"}, {.body = "b", .max_attempts = 0}};
  EXPECT_EQ(jobs_.enqueue(many).error().code(), ErrorCode::kInvalidArgument);
  EXPECT_EQ(counts().waiting, 0);
}

TEST_P(JobsTest, AJobWithoutAQueueIsRefused) {
  EXPECT_EQ(jobs_.enqueue(NewJob{.queue = "", .body = ""}).error().code(),
            ErrorCode::kInvalidArgument);
}

TEST_P(JobsTest, AJobInACallersUnitCommitsWithIt) {
  storage::UnitOfWork unit;
  const auto ticket = add_enqueue(unit, {.body = "a"}).value();
  unit.require(1, {ErrorCode::kConflict, "no"}, "DELETE FROM job WHERE id = $1", -1);
  EXPECT_FALSE(engine().commit(std::move(unit)).ok());
  EXPECT_EQ(counts().waiting, 0);

  storage::UnitOfWork another;
  const auto kept = add_enqueue(another, {.body = "a"}).value();
  const auto receipt = engine().commit(std::move(another)).value();
  EXPECT_TRUE(enqueued(receipt, kept).id.has_value());
  EXPECT_EQ(ticket.inserted, kept.inserted);
  EXPECT_EQ(counts().waiting, 1);
}

// ---- Claim --------------------------------------------------------------------------------------

TEST_P(JobsTest, ClaimsGoByPriorityThenByNumber) {
  add({.body = "3", .priority = Priority::kNormal});
  add({.body = "5", .priority = Priority::kLow});
  add({.body = "1", .priority = Priority::kUrgent});
  add({.body = "4", .priority = Priority::kNormal});
  add({.body = "2", .priority = Priority::kHigh});
  EXPECT_THAT(bodies(2), ElementsAre("1", "2"));
  EXPECT_THAT(bodies(10), ElementsAre("3", "4", "5"));
}

TEST_P(JobsTest, AMoreUrgentJobIsFoundBehindTheLastClaim) {
  add("a");
  take(10);
  add("b");
  add({.body = "c", .priority = Priority::kUrgent});
  EXPECT_THAT(bodies(1), ElementsAre("c"));
}

TEST_P(JobsTest, AClaimedJobIsNotClaimedAgain) {
  add("a");
  EXPECT_THAT(take(10), SizeIs(1));
  EXPECT_THAT(take(10, 2), IsEmpty());
}

TEST_P(JobsTest, QueuesAreApart) {
  add({.queue = "other", .body = "o"});
  EXPECT_THAT(take(10), IsEmpty());
  Claim other = claim(10);
  other.queue = "other";
  EXPECT_THAT(jobs_.claim(other).value(), SizeIs(1));
}

TEST_P(JobsTest, SeveralQueuesAreServedInOrder) {
  for (const char* body : {"b1", "b2"}) add({.queue = "b", .body = body});
  for (const char* body : {"a1", "a2"}) add({.queue = "a", .body = body});
  const std::vector<std::string> queues{"a", "none", "b"};
  const auto jobs = jobs_.claim(claim(3), queues).value();
  ASSERT_THAT(jobs, SizeIs(3));
  EXPECT_EQ(jobs[0].body, "a1");
  EXPECT_EQ(jobs[2].body, "b1");
  EXPECT_EQ(jobs[2].queue, "b");
  EXPECT_FALSE(jobs_.claim(Claim{.limit = 0, .owner = {}}, queues).ok());
}

TEST_P(JobsTest, AJobIsNotClaimedBeforeItsTime) {
  add({.body = "later", .not_before = clock().wall_now() + seconds{10}});
  add("now");
  EXPECT_THAT(bodies(10), ElementsAre("now"));
  EXPECT_EQ(jobs_.next_ready("default").value(), seconds{10});
  advance(seconds{10});
  EXPECT_THAT(bodies(10), ElementsAre("later"));
}

TEST_P(JobsTest, ABadClaimIsRefused) {
  for (const Claim& bad :
       {Claim{.queue = "", .owner = owner(1)}, Claim{.limit = 0, .owner = owner(1)}, Claim{},
        Claim{.owner = owner(1), .lease = seconds{0}}}) {
    EXPECT_EQ(jobs_.claim(bad).error().code(), ErrorCode::kInvalidArgument);
  }
}

TEST_P(SharedJobsTest, AClaimSurvivesAReopening) {
  add("a");
  add("b");
  take(1);
  storage::testing::TestDatabase& files = database();
  auto another = files.open();
  JobQueue queue(*another, clock(), random_);
  EXPECT_EQ(queue.counts("default").value(), (Counts{.waiting = 1, .running = 1}));
}

// ---- Leases -------------------------------------------------------------------------------------

TEST_P(JobsTest, AnExpiredLeaseIsClaimedAgainAsTheNextAttempt) {
  add("a");
  const Job first = take_one();
  advance(kLease - milliseconds{1});
  EXPECT_THAT(take(1, 2), IsEmpty());
  advance(milliseconds{1});
  const auto second = take(1, 2);
  ASSERT_THAT(second, SizeIs(1));
  EXPECT_EQ(second[0].lease.id, first.lease.id);
  EXPECT_EQ(second[0].lease.attempt, AttemptNumber{2});
}

TEST_P(JobsTest, AnExpiredJobIsFoundBehindWhatWasClaimedSince) {
  add("a");
  take(1);
  advance(seconds{1});
  add("b");
  take(1);
  advance(kLease - seconds{1});
  EXPECT_THAT(bodies(10), ElementsAre("a"));
}

TEST_P(JobsTest, TheLastAttemptsExpiryIsDeath) {
  add({.body = "a", .max_attempts = 1});
  take(1);
  advance(kLease);
  EXPECT_THAT(take(1), IsEmpty());
  const auto dead = jobs_.dead("default", JobId{0}, 10).value();
  ASSERT_THAT(dead, SizeIs(1));
  EXPECT_EQ(dead[0].error, "the lease of attempt 1 expired");
}

TEST_P(JobsTest, AHeartbeatKeepsTheLease) {
  add("a");
  const Job job = take_one();
  advance(kLease - seconds{1});
  EXPECT_THAT(jobs_.heartbeat({job.lease}, claim(1)).value(), IsEmpty());
  advance(kLease - seconds{1});
  EXPECT_THAT(take(1, 2), IsEmpty());
}

TEST_P(JobsTest, AHeartbeatTellsWhichLeasesAreLost) {
  add("a");
  add("b");
  const auto jobs = take(2);
  complete({jobs[1].lease});
  EXPECT_THAT(jobs_.heartbeat({jobs[0].lease, jobs[1].lease}, claim(1)).value(),
              ElementsAre(Lost{jobs[1].lease, LostBecause::kStale}));
}

TEST_P(JobsTest, AHeartbeatOfAnEarlierAttemptIsLostEvenForTheSameOwner) {
  add("a");
  const Job first = take_one();
  advance(kLease);
  take_one();
  EXPECT_THAT(jobs_.heartbeat({first.lease}, claim(1)).value(), SizeIs(1));
}

TEST_P(JobsTest, AStaleAttemptIsRefusedAndTheOthersAreNot) {
  for (const char* body : {"a", "b", "c"}) add(body);
  const auto jobs = take(3);
  ASSERT_THAT(jobs, SizeIs(3));
  advance(kLease);
  const auto again = take(1, 2);
  ASSERT_THAT(again, SizeIs(1));
  EXPECT_THAT(complete({jobs[0].lease, jobs[1].lease, jobs[2].lease}),
              ElementsAre(Lost{jobs[0].lease, LostBecause::kStale},
                          Lost{jobs[1].lease, LostBecause::kStale},
                          Lost{jobs[2].lease, LostBecause::kStale}));
  EXPECT_THAT(take(2), SizeIs(2));
  EXPECT_THAT(complete({again[0].lease, jobs[1].lease}),
              ElementsAre(Lost{jobs[1].lease, LostBecause::kStale}));
  EXPECT_EQ(counts().running, 2);
}

TEST_P(JobsTest, AttemptsOfDifferentEpochsCompleteTogether) {
  add("a");
  const Job first = take_one();
  fail(first.lease, seconds{0});
  add("b");
  const auto both = take(2);
  ASSERT_THAT(both, SizeIs(2));
  EXPECT_NE(both[0].lease.attempt, both[1].lease.attempt);
  EXPECT_THAT(complete({both[0].lease, both[1].lease}), IsEmpty());
  EXPECT_EQ(counts(), Counts{});
}

TEST_P(JobsTest, AGuardedUnitIsRefusedOnceTheLeaseIsLost) {
  add("a");
  const Job first = take_one();
  const auto write = [&] {
    storage::UnitOfWork unit;
    unit.add(job_guard(first.lease));
    return engine().commit(std::move(unit));
  };
  EXPECT_TRUE(write().ok());
  advance(kLease);
  take_one();
  EXPECT_EQ(write().error().code(), ErrorCode::kConflict);
}

TEST_P(JobsTest, ACompletionInACallersUnitIsGuardedToo) {
  add("a");
  const Job job = take_one();
  const auto finish = [&] {
    storage::UnitOfWork unit;
    add_completion(unit, job.lease, "default");
    return engine().commit(std::move(unit));
  };
  EXPECT_TRUE(finish().ok());
  EXPECT_EQ(finish().error().code(), ErrorCode::kConflict);
}

// ---- Failure ------------------------------------------------------------------------------------

TEST_P(JobsTest, AFailedJobWaitsAndIsTriedAgain) {
  add("a");
  EXPECT_THAT(fail(take_one().lease, seconds{5}), IsEmpty());
  EXPECT_THAT(take(1), IsEmpty());
  EXPECT_EQ(counts().later, 1);
  advance(seconds{5});
  EXPECT_EQ(take_one().lease.attempt, AttemptNumber{2});
}

TEST_P(JobsTest, WithoutAnotherWordTheBackoffDecides) {
  add("a");
  jobs_.fail("default", {take_one().lease, "it broke"}).value();
  const auto wait = jobs_.next_ready("default").value();
  ASSERT_TRUE(wait.has_value());
  EXPECT_GT(*wait, milliseconds{499});
  EXPECT_LE(*wait, seconds{1});
}

TEST_P(JobsTest, TheLastFailureIsDeath) {
  add({.body = "a", .max_attempts = 2});
  fail(take_one().lease, seconds{0});
  fail(take_one().lease, seconds{0});
  EXPECT_THAT(take(1), IsEmpty());
  const auto dead = jobs_.dead("default", JobId{0}, 10).value();
  ASSERT_THAT(dead, SizeIs(1));
  EXPECT_EQ(dead[0].attempts, 2);
  EXPECT_EQ(dead[0].error, "it broke");
  EXPECT_EQ(dead[0].body, "a");
}

TEST_P(JobsTest, AStaleFailureIsRefused) {
  add("a");
  const Job first = take_one();
  advance(kLease);
  const Job second = take_one();
  EXPECT_THAT(fail(first.lease), SizeIs(1));
  EXPECT_THAT(complete({second.lease}), IsEmpty());
}

TEST_P(JobsTest, AReleasedJobHasLostNoAttempt) {
  add({.body = "a", .max_attempts = 1});
  const Job first = take_one();
  EXPECT_THAT(jobs_.release("default", {first.lease}).value(), IsEmpty());
  const Job second = take_one();
  EXPECT_EQ(second.lease.attempt, AttemptNumber{2});
  EXPECT_EQ(second.max_attempts, 2);
  EXPECT_THAT(complete({first.lease}), SizeIs(1)) << "the released lease must not hold";
  EXPECT_THAT(complete({second.lease}), IsEmpty());
}

TEST_P(JobsTest, AReleasedJobKeepsItsPlace) {
  add("a");
  advance(seconds{1});
  add("b");
  const Job first = take_one();
  jobs_.release("default", {first.lease}).value();
  EXPECT_THAT(bodies(2), ElementsAre("a", "b"));
}

TEST_P(JobsTest, NothingToSettleIsNothingToDo) {
  EXPECT_THAT(jobs_.settle("default", {}).value(), IsEmpty());
}

// ---- Concurrency keys ---------------------------------------------------------------------------

TEST_P(JobsTest, OfOneConcurrencyKeyOneRunsAtATime) {
  for (const char* body : {"a", "b", "c"}) add({.body = body, .concurrency = "k"});
  add("free");
  auto jobs = take(10);
  ASSERT_THAT(jobs, SizeIs(2));
  EXPECT_EQ(jobs[0].body, "a");
  EXPECT_EQ(jobs[1].body, "free");
  EXPECT_EQ(counts().blocked, 2);
  complete({jobs[0].lease});
  jobs = take(10);
  ASSERT_THAT(jobs, SizeIs(1));
  EXPECT_EQ(jobs[0].body, "b");
}

TEST_P(JobsTest, AClaimLooksBehindJobsThatMustWait) {
  for (int i = 0; i < 5; ++i) add({.body = "k" + std::to_string(i), .concurrency = "k"});
  add("free");
  EXPECT_THAT(bodies(1), ElementsAre("k0"));
  EXPECT_THAT(bodies(1), ElementsAre("free"));
}

TEST_P(JobsTest, HoweverAnAttemptEndsTheNextOfItsKeyMayRun) {
  for (int i = 0; i < 6; ++i)
    add({.body = std::to_string(i), .concurrency = "k", .max_attempts = 1});
  fail(take_one().lease);
  EXPECT_EQ(counts().dead, 1);
  const Job released = take_one();
  EXPECT_EQ(released.body, "1");
  jobs_.release("default", {released.lease}).value();
  take_one();
  advance(kLease);
  const Job cancelled = take_one();
  EXPECT_EQ(jobs_.cancel(cancelled.lease.id).value(), CancelOutcome::kMarked);
  EXPECT_THAT(take(1), IsEmpty()) << "the cancelled one still runs";
  complete({cancelled.lease});
  const Job fourth = take_one();
  storage::UnitOfWork unit;
  add_completion(unit, fourth.lease, "default");
  engine().commit(std::move(unit)).value();
  EXPECT_THAT(take(1), SizeIs(1));
}

TEST_P(JobsTest, ACancelledJobThatWasNextLeavesItsTurnToAnother) {
  for (const char* body : {"a", "b", "c"}) add({.body = body, .concurrency = "k"});
  auto jobs = take(10);
  const auto blocked = engine().query("SELECT id FROM job WHERE state = 3 ORDER BY id").value();
  complete({jobs[0].lease});
  EXPECT_EQ(jobs_.cancel(JobId{blocked[0].integer(0)}).value(), CancelOutcome::kGone);
  EXPECT_THAT(bodies(10), ElementsAre("c"));
}

TEST_P(JobsTest, OneConcurrencyKeyInTwoQueuesIsTwoKeys) {
  add({.body = "a", .concurrency = "k"});
  add({.queue = "other", .body = "b", .concurrency = "k"});
  take_one();
  Claim other = claim(1);
  other.queue = "other";
  EXPECT_THAT(jobs_.claim(other).value(), SizeIs(1));
}

// ---- Cancellation -------------------------------------------------------------------------------

TEST_P(JobsTest, AWaitingJobIsCancelledAtOnce) {
  const JobId id = add("a");
  EXPECT_EQ(jobs_.cancel(id).value(), CancelOutcome::kGone);
  EXPECT_EQ(counts(), Counts{});
  EXPECT_EQ(jobs_.cancel(id).value(), CancelOutcome::kMissing);
}

TEST_P(JobsTest, ARunningJobsWorkerLearnsByItsHeartbeat) {
  const JobId id = add("a");
  const Job job = take_one();
  EXPECT_EQ(jobs_.cancel(id).value(), CancelOutcome::kMarked);
  EXPECT_THAT(jobs_.heartbeat({job.lease}, claim(1)).value(),
              ElementsAre(Lost{job.lease, LostBecause::kCancelled}));
}

TEST_P(JobsTest, ACancelledJobCannotCompleteAndIsGoneThen) {
  const JobId id = add("a");
  const Job job = take_one();
  jobs_.cancel(id).value();
  storage::UnitOfWork unit;
  add_completion(unit, job.lease, "default");
  EXPECT_EQ(engine().commit(std::move(unit)).error().code(), ErrorCode::kConflict);
  EXPECT_THAT(complete({job.lease}), ElementsAre(Lost{job.lease, LostBecause::kCancelled}));
  EXPECT_EQ(counts(), Counts{});
}

TEST_P(JobsTest, ACancelledJobThatFailsIsGoneToo) {
  const JobId id = add("a");
  const Job job = take_one();
  jobs_.cancel(id).value();
  EXPECT_THAT(fail(job.lease), ElementsAre(Lost{job.lease, LostBecause::kCancelled}));
  EXPECT_EQ(counts(), Counts{});
}

TEST_P(JobsTest, ACancelledJobOfADeadWorkerEndsWithItsLease) {
  const JobId id = add("a");
  take_one();
  jobs_.cancel(id).value();
  advance(kLease);
  EXPECT_THAT(take(1), IsEmpty());
  EXPECT_EQ(counts(), Counts{});
}

// ---- Dead letters -------------------------------------------------------------------------------

TEST_P(JobsTest, DeadJobsAreListedPageByPage) {
  for (const char* body : {"a", "b", "c"}) add({.body = body, .max_attempts = 1});
  for (const auto& job : take(3)) fail(job.lease);
  const auto page = jobs_.dead("default", JobId{0}, 2).value();
  ASSERT_THAT(page, SizeIs(2));
  const auto rest = jobs_.dead("default", page[1].id, 2).value();
  ASSERT_THAT(rest, SizeIs(1));
  EXPECT_EQ(rest[0].body, "c");
}

TEST_P(JobsTest, ADeadJobIsRevivedWithItsAttempts) {
  add({.body = "a", .max_attempts = 1});
  const Job job = take_one();
  fail(job.lease);
  EXPECT_EQ(jobs_.retry_dead("default", {job.lease.id}).value(), 1U);
  EXPECT_EQ(jobs_.retry_dead("default", {job.lease.id}).value(), 0U);
  const Job again = take_one();
  EXPECT_EQ(again.lease.attempt, AttemptNumber{2});
  EXPECT_THAT(complete({again.lease}), IsEmpty());
}

TEST_P(JobsTest, ADeadJobIsDeletedAndAWaitingOneIsNot) {
  add({.body = "a", .max_attempts = 1});
  const Job job = take_one();
  fail(job.lease);
  const JobId waiting = add("b");
  EXPECT_EQ(jobs_.delete_dead({job.lease.id, waiting}).value(), 1U);
  EXPECT_EQ(counts(), (Counts{.waiting = 1}));
}

// ---- Counting and waiting -----------------------------------------------------------------------

TEST_P(JobsTest, CountsTellTheStatesApart) {
  add({.body = "dead", .priority = Priority::kUrgent, .max_attempts = 1});
  fail(take_one().lease);
  add({.body = "runs", .priority = Priority::kUrgent, .concurrency = "k"});
  add({.body = "blocked", .priority = Priority::kUrgent, .concurrency = "k"});
  take(2);
  add("waits");
  add({.body = "later", .not_before = clock().wall_now() + seconds{1}});
  EXPECT_EQ(counts(), (Counts{.waiting = 1, .later = 1, .blocked = 1, .running = 1, .dead = 1}));
}

TEST_P(JobsTest, WithoutAnythingToComeThereIsNoNextTime) {
  EXPECT_EQ(jobs_.next_ready("default").value(), std::nullopt);
}

TEST_P(JobsTest, TheEndOfALeaseIsANextTime) {
  add("a");
  take(1);
  EXPECT_EQ(jobs_.next_ready("default").value(), kLease);
}

TEST_P(JobsTest, EnqueueWakesWhoWaits) {
  base::Monitor<int> woken;
  const auto subscriptions =
      jobs_.subscribe("default", [&] { woken.update([](int& n) { ++n; }); }, [] {});
  add("a");
  EXPECT_TRUE(woken.wait({}, base::Deadline::never(), [](int n) { return n > 0; }).ok());
}

TEST_P(JobsTest, CancellingWakesItsWorker) {
  base::Monitor<int> reported;
  const auto subscriptions =
      jobs_.subscribe("default", [] {}, [&] { reported.update([](int& n) { ++n; }); });
  const JobId id = add("a");
  take_one();
  jobs_.cancel(id).value();
  EXPECT_TRUE(reported.wait({}, base::Deadline::never(), [](int n) { return n > 0; }).ok());
}

// ---- Exchange -----------------------------------------------------------------------------------

TEST_P(JobsTest, AnExchangeSettlesAndClaims) {
  add("a");
  add("b");
  const Job first = take_one();
  base::Monitor<std::vector<Exchanged>> answers;
  jobs_.exchange("default", {{first.lease}, {}, {}}, claim(5), [&](auto result) {
    answers.update([&](auto& all) { all.push_back(*std::move(result)); });
  });
  answers.wait({}, base::Deadline::never(), [](const auto& all) { return !all.empty(); }).value();
  EXPECT_EQ(counts(), (Counts{.running = 1}));
}

TEST_P(JobsTest, AnExchangeThatFindsNothingSaysWhenToLookAgain) {
  add({.body = "later", .not_before = clock().wall_now() + seconds{10}});
  base::Monitor<std::vector<Exchanged>> answers;
  jobs_.exchange("default", {}, claim(5), [&](auto result) {
    answers.update([&](auto& all) { all.push_back(*std::move(result)); });
  });
  answers.wait({}, base::Deadline::never(), [](const auto& all) { return !all.empty(); }).value();
  EXPECT_EQ(answers.read([](const auto& all) { return all.front().look_again; }), seconds{10});
}

CLEVER_ALL_ENGINES(JobsTest);
CLEVER_SHARED_ENGINES(SharedJobsTest);

}  // namespace
}  // namespace clever::worker
