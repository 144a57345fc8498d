#include "worker/job_queue.h"

#include <gtest/gtest.h>

#include <deque>

#include "base/random.h"
#include "support/idle_engine.h"

// What a queue makes of an engine's errors; what it does with jobs is shown over real databases in
// test/storage/jobs_test.cc.
namespace clever::worker {
namespace {

using std::chrono::seconds;

// Answers the first units, each statement by these rows; then it is gone.
class DyingEngine final : public test::IdleEngine {
 public:
  void submit(storage::UnitOfWork unit, Done done) override {
    if (units_.empty()) return IdleEngine::submit(std::move(unit), std::move(done));
    storage::Receipt receipt;
    receipt.outcomes.resize(unit.statements().size());
    for (auto& [statement, rows] : units_.front()) {
      receipt.outcomes[statement] = {rows.size(), std::move(rows)};
    }
    units_.pop_front();
    done(std::move(receipt));
  }
  void answer(std::vector<std::pair<std::size_t, storage::Rows>> rows) {
    units_.push_back(std::move(rows));
  }

 private:
  std::deque<std::vector<std::pair<std::size_t, storage::Rows>>> units_;
};

template <class... Values>
storage::Rows row(Values... values) {
  storage::Rows rows(sizeof...(values));
  (rows.push(storage::to_value(values)), ...);
  return rows;
}

class JobQueueTest : public ::testing::Test {
 protected:
  base::Result<Exchanged> exchange(Settlement settlement) {
    std::optional<base::Result<Exchanged>> answer;
    jobs_.exchange("default", std::move(settlement), kClaim,
                   [&](auto result) { answer.emplace(std::move(result)); });
    return *std::move(answer);
  }

  const Claim kClaim{"default", 1, model::OwnerId(base::Ulid({1})), seconds{30}};
  const Lease kLease{JobId{7}, AttemptNumber{1}, std::nullopt};
  base::SimulatedClock clock_;
  base::SeededRandom random_{1};
  DyingEngine engine_;
  JobQueue jobs_{engine_, clock_, random_};
};

TEST_F(JobQueueTest, WithoutAStoreEveryCallSaysSo) {
  EXPECT_FALSE(jobs_.enqueue(NewJob{}).ok());
  EXPECT_FALSE(jobs_.claim(kClaim).ok());
  EXPECT_FALSE(jobs_.heartbeat({kLease}, kClaim).ok());
  EXPECT_FALSE(jobs_.complete("default", {kLease}).ok());
  EXPECT_FALSE(jobs_.cancel(JobId{7}).ok());
  EXPECT_FALSE(jobs_.dead("default", JobId{0}, 1).ok());
  EXPECT_FALSE(jobs_.retry_dead("default", {JobId{7}}).ok());
  EXPECT_FALSE(jobs_.delete_dead({JobId{7}}).ok());
  EXPECT_FALSE(jobs_.counts("default").ok());
  EXPECT_FALSE(jobs_.next_ready("default").ok());
  bool failed = false;
  jobs_.renew({kLease}, kClaim, [&](const auto& result) { failed = !result.ok(); });
  EXPECT_TRUE(failed);
}

TEST_F(JobQueueTest, AnExchangeThatDidNotHappenIsAnError) {
  EXPECT_EQ(exchange({{kLease}, {}, {}}).error().code(), base::ErrorCode::kUnavailable);
}

// Statements: 0 complete, 1 claim, 2 the database's time, 3 leases that ended.
TEST_F(JobQueueTest, ReportsSettlementsFromBeforeTheStoreFailed) {
  engine_.answer({{0, row(7, 1)}, {2, row(1'000'000)}});
  const auto exchanged = exchange({{kLease}, {}, {}});
  ASSERT_TRUE(exchanged.ok());
  EXPECT_TRUE(exchanged->refused.empty());
  EXPECT_TRUE(exchanged->jobs.empty());
  EXPECT_EQ(exchanged->look_again, seconds{1});
}

TEST_F(JobQueueTest, HandsOutJobsClaimedBeforeTheStoreFailed) {
  const auto nothing = storage::Value(storage::Null{});
  engine_.answer({{0, row(7, 1, 1, nothing, 2, 0, 3, nothing, storage::Blob{"body"}, 0)},
                  {1, row(1'000'000)},
                  {2, row(8, nothing, "default", 2, 0)}});
  const auto exchanged = exchange({});
  ASSERT_TRUE(exchanged.ok());
  ASSERT_EQ(exchanged->jobs.size(), 1U);
  EXPECT_EQ(exchanged->jobs[0].lease, kLease);
  EXPECT_EQ(exchanged->jobs[0].body, "body");
}

}  // namespace
}  // namespace clever::worker
