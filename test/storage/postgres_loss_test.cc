// Connections that die at the worst moments: a write is acknowledged exactly if it happened, once.
#include <chrono>
#include <thread>

#include "storage/postgres_fixture.h"

namespace clever::storage {
namespace {

using base::ErrorCode;
using test::PgProxy;
using testing::create_ledger;
using ::testing::ElementsAre;
using testing::entries;
using testing::entry;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class PostgresLossTest : public ::testing::Test {
 protected:
  PostgresLossTest() { create_ledger(*beside_); }

  [[nodiscard]] std::unique_ptr<Engine> through_proxy(base::Clock& clock) {
    return testing::opened_postgres(proxy_.url(database_.name()), clock, {.writers = 1});
  }
  // The row that the receipt speaks of is the one that is there.
  void expect_receipt_of(const base::Result<Receipt>& receipt, std::int64_t number) {
    ASSERT_TRUE(receipt.ok()) << receipt.error().to_string();
    const auto rows =
        beside_->query("SELECT position FROM ledger WHERE entry = $1", number).value();
    ASSERT_EQ(rows.size(), 1U);
    EXPECT_EQ(receipt->outcomes[0].rows[0].integer(0), rows[0].integer(0));
  }

  base::SystemClock clock_;
  test::PostgresDatabase database_{test::shared_postgres()};
  PgProxy proxy_{test::shared_postgres().port()};
  std::unique_ptr<Engine> beside_ = testing::opened_postgres(database_.url(), clock_);
  std::unique_ptr<Engine> engine_ = through_proxy(clock_);
};

TEST_F(PostgresLossTest, BeforeTheCommitTheGroupIsRunAgain) {
  proxy_.arm(PgProxy::Fault::kBeforeCommit, 2);
  expect_receipt_of(engine_->commit(entry(1)), 1);
  proxy_.await_faults(2);
}

TEST_F(PostgresLossTest, AfterTheCommitItIsNotDoneAgain) {
  proxy_.arm(PgProxy::Fault::kAfterCommit);
  expect_receipt_of(engine_->commit(entry(1)), 1);
  proxy_.await_faults(1);
}

TEST_F(PostgresLossTest, ACommitThatIsStillUnderWayIsWaitedFor) {
  proxy_.arm(PgProxy::Fault::kDelayedCommit);
  expect_receipt_of(engine_->commit(entry(1)), 1);
  proxy_.await_faults(1);
}

TEST_F(PostgresLossTest, LossesInARowAddUpToOneWrite) {
  for (std::int64_t i = 0; i < 3; ++i) {
    proxy_.arm(PgProxy::Fault::kAfterCommit);
    expect_receipt_of(engine_->commit(entry(3 * i)), 3 * i);
    proxy_.arm(PgProxy::Fault::kBeforeCommit);
    expect_receipt_of(engine_->commit(entry(3 * i + 1)), 3 * i + 1);
    proxy_.arm(PgProxy::Fault::kDelayedCommit);
    expect_receipt_of(engine_->commit(entry(3 * i + 2)), 3 * i + 2);
  }
  EXPECT_THAT(entries(*beside_), ElementsAre(0, 1, 2, 3, 4, 5, 6, 7, 8));
}

TEST_F(PostgresLossTest, ARefusalStaysOneWhenTheCommitOfItsGroupIsLost) {
  engine_->commit(entry(0)).value();
  testing::Answers answers;
  proxy_.pause();
  engine_->submit(entry(1), answers.taker());
  UnitOfWork refused;
  refused.run("INSERT INTO ledger (entry) VALUES (2)");
  refused.require(1, {ErrorCode::kConflict, "not there"}, "DELETE FROM ledger WHERE entry = 99");
  engine_->submit(std::move(refused), answers.taker());
  engine_->submit(entry(3), answers.taker());
  proxy_.arm(PgProxy::Fault::kAfterCommit);
  proxy_.resume();
  const auto all = answers.await(3);
  EXPECT_EQ(std::ranges::count_if(all, [](const auto& answer) { return answer.ok(); }), 2);
  EXPECT_THAT(entries(*beside_), ElementsAre(0, 1, 3));
}

TEST_F(PostgresLossTest, OthersHearOfACommitWhoseAnswerWasLost) {
  base::Monitor<int> heard;
  const auto subscription =
      beside_->subscribe("plan", [&] { heard.update([](int& count) { ++count; }); });
  heard.wait({}, base::Deadline::never(), [](int count) { return count > 0; }).value();
  proxy_.arm(PgProxy::Fault::kAfterCommit);
  UnitOfWork unit = entry(1);
  unit.notify("plan");
  const int before = heard.read([](int count) { return count; });
  engine_->commit(std::move(unit)).value();
  heard.wait({}, base::Deadline::never(), [&](int count) { return count > before; }).value();
}

TEST_F(PostgresLossTest, WhileTheServerHangsClosingGivesUpAfterAWhile) {
  base::SimulatedClock clock;
  auto engine = through_proxy(clock);
  testing::Answers answers;
  engine->commit(entry(1)).value();
  proxy_.pause();
  engine->submit(entry(2), answers.taker());
  const base::Thread closing("closing", [&](const base::StopToken&) { engine.reset(); });
  // Only the destructor waits for this clock.
  while (clock.waiters() == 0) std::this_thread::yield();
  clock.advance(std::chrono::seconds(11));
  const auto all = answers.await(1);
  EXPECT_EQ(all[0].error().code(), ErrorCode::kUnavailable);
  EXPECT_THAT(all[0].error().message(), Not(HasSubstr("unknown")));
  proxy_.resume();
  EXPECT_THAT(entries(*beside_), ElementsAre(1));
}

TEST_F(PostgresLossTest, WhileACommitHangsClosingSaysThatItsOutcomeIsUnknown) {
  base::SimulatedClock clock;
  auto engine = through_proxy(clock);
  testing::Answers answers;
  proxy_.arm(PgProxy::Fault::kSwallowCommit);
  engine->submit(entry(1), answers.taker());
  proxy_.await_faults(1);
  const base::Thread closing("closing", [&](const base::StopToken&) { engine.reset(); });
  while (clock.waiters() == 0) std::this_thread::yield();
  clock.advance(std::chrono::seconds(11));
  const auto all = answers.await(1);
  EXPECT_EQ(all[0].error().code(), ErrorCode::kUnavailable);
  EXPECT_THAT(all[0].error().message(), HasSubstr("unknown"));
}

// Time that flies while it lives: always, or only while somebody waits for it to pass (and not
// while a server is being waited for).
class FlyingTime {
 public:
  enum class When : std::uint8_t { kAlways, kAwaited };
  FlyingTime(base::SimulatedClock& clock, When when) : clock_(clock), when_(when) {}

 private:
  void fly(const base::StopToken& stop) {
    while (!stop.stop_requested()) {
      const bool now = when_ == When::kAlways || clock_.waiters() > 0;
      if (now) clock_.advance(std::chrono::milliseconds(500));
      std::this_thread::yield();
    }
  }

  base::SimulatedClock& clock_;
  const When when_;
  base::Thread thread_{"time", [this](const base::StopToken& stop) { fly(stop); }};
};

TEST_F(PostgresLossTest, InDoubtTheServerIsWaitedForHoweverLongItIsAway) {
  base::SimulatedClock clock;
  const auto engine = through_proxy(clock);
  testing::Answers answers;
  proxy_.arm(PgProxy::Fault::kAfterCommit, 1, true);
  engine->submit(entry(1), answers.taker());
  proxy_.await_faults(1);
  const auto begin = clock.now();
  {
    const FlyingTime flying(clock, FlyingTime::When::kAlways);
    while (clock.now() < begin + std::chrono::minutes(5)) std::this_thread::yield();
  }
  proxy_.resume();
  const FlyingTime flying(clock, FlyingTime::When::kAwaited);
  expect_receipt_of(answers.await(1)[0], 1);
}

TEST_F(PostgresLossTest, AServerThatAlwaysBreaksOffBeforeTheCommitIsUnavailable) {
  base::SimulatedClock clock;
  const auto engine = through_proxy(clock);
  proxy_.arm(PgProxy::Fault::kBeforeCommit, 1'000'000);
  {
    const FlyingTime flying(clock, FlyingTime::When::kAwaited);
    EXPECT_EQ(engine->commit(entry(1)).error().code(), ErrorCode::kUnavailable);
  }
  proxy_.arm(PgProxy::Fault::kNone, 0);
  engine->commit(entry(2)).value();
  EXPECT_THAT(entries(*beside_), ElementsAre(2));
}

TEST_F(PostgresLossTest, AReadOnADeadConnectionIsDoneOnAnother) {
  EXPECT_THAT(entries(*engine_), IsEmpty());
  test::shared_postgres().terminate_backends(database_.name());
  EXPECT_THAT(entries(*engine_), IsEmpty());
}

TEST_F(PostgresLossTest, AViewOfOneMomentIsGoneWithItsConnection) {
  const auto read = engine_->read([&](Snapshot& snapshot) -> base::Result<void> {
    CLEVER_TRY(snapshot.query("SELECT entry FROM ledger"));
    test::shared_postgres().terminate_backends(database_.name());
    CLEVER_TRY(snapshot.query("SELECT entry FROM ledger"));
    return {};
  });
  ASSERT_FALSE(read.ok());
  EXPECT_EQ(read.error().code(), ErrorCode::kUnavailable);
  EXPECT_THAT(entries(*engine_), IsEmpty());
}

TEST_F(PostgresLossTest, AReadGivesUpAtItsDeadline) {
  EXPECT_THAT(entries(*engine_), IsEmpty());
  proxy_.pause();
  const auto read = engine_->query(statement("SELECT entry FROM ledger"), {},
                                   base::Deadline::after(clock_, std::chrono::milliseconds(1)));
  EXPECT_EQ(read.error().code(), ErrorCode::kDeadlineExceeded);
  proxy_.resume();
  EXPECT_THAT(entries(*engine_), IsEmpty());
}

TEST_F(PostgresLossTest, AReadGivesUpOnAStop) {
  EXPECT_THAT(entries(*engine_), IsEmpty());
  proxy_.pause();
  base::StopSource stop;
  base::Monitor<bool> reading;
  const base::Thread stopper("stopper", [&](const base::StopToken&) {
    reading.wait({}, base::Deadline::never(), [](bool begun) { return begun; }).value();
    stop.request_stop();
  });
  const auto read = engine_->read(
      [&](Snapshot& snapshot) -> base::Result<void> {
        reading.update([](bool& begun) { begun = true; });
        CLEVER_TRY(snapshot.query("SELECT entry FROM ledger"));
        return {};
      },
      stop.token());
  EXPECT_EQ(read.error().code(), ErrorCode::kCancelled);
  proxy_.resume();
}

TEST_F(PostgresLossTest, OpeningGivesUpOnAStop) {
  proxy_.pause();
  base::StopSource stop;
  stop.request_stop();
  const auto opened =
      testing::try_open_postgres(proxy_.url(database_.name()), clock_, {}, stop.token());
  EXPECT_EQ(opened.error().code(), ErrorCode::kCancelled);
  proxy_.resume();
}

// Acknowledged is kept, exactly once, whatever breaks meanwhile.
class PostgresLoadTest : public ::testing::Test {
 protected:
  static constexpr std::size_t kThreads = 64;

  // Threads write until `disturb` has been called so many times, each time after more was written.
  static void load(Engine& engine, int times, const std::function<void()>& disturb) {
    constexpr std::int64_t kMost = 1'000'000;
    create_ledger(engine);
    base::Monitor<bool> calm;
    base::Monitor<int> written;
    std::vector<std::vector<std::int64_t>> acknowledged(kThreads);
    testing::in_threads(kThreads + 1, [&](std::size_t thread) {
      if (thread == kThreads) {
        for (int i = 0; i < times; ++i) {
          const int least = written.read([](int count) { return count; }) + 100;
          written.wait({}, base::Deadline::never(), [&](int count) { return count >= least; })
              .value();
          disturb();
        }
        calm.update([](bool& is) { is = true; });
        return;
      }
      std::int64_t next = static_cast<std::int64_t>(thread) * kMost;
      while (!calm.read([](bool is) { return is; })) {
        const auto answer = engine.commit(entry(next));
        EXPECT_TRUE(answer.ok()) << answer.error().to_string();
        written.update([](int& count) { ++count; });
        acknowledged[thread].push_back(next++);
      }
    });
    std::vector<std::int64_t> expected;
    for (const auto& of_thread : acknowledged) {
      expected.insert(expected.end(), of_thread.begin(), of_thread.end());
    }
    EXPECT_EQ(entries(engine), expected);
  }

  base::SystemClock clock_;
};

TEST_F(PostgresLoadTest, ConnectionsEndedByTheAdministrator) {
  const test::PostgresDatabase database(test::shared_postgres());
  const auto engine = testing::opened_postgres(database.url(), clock_);
  load(*engine, 10, [&] { test::shared_postgres().terminate_backends(database.name()); });
}

TEST_F(PostgresLoadTest, AServerThatIsKilledAndStartedAgain) {
  test::PrivatePostgresServer server;
  const std::string name = server.create_database();
  const auto engine = testing::opened_postgres(server.url(name), clock_);
  load(*engine, 2, [&] {
    server.stop_hard();
    server.start();
  });
}

}  // namespace
}  // namespace clever::storage
