// Real threads that read and write one database at the same time.
#include "base/atomic.h"
#include "storage/engines.h"
#include "support/together.h"

namespace clever::storage {
namespace {

using base::ErrorCode;

constexpr int kThreadsOfAKind = 8;
constexpr int kTransfersEach = 40;
constexpr std::int64_t kAccounts = 10;

class ReadersWritersTest : public testing::EngineTest {
 protected:
  ReadersWritersTest() {
    UnitOfWork unit;
    unit.run("CREATE TABLE account (id BIGINT PRIMARY KEY, balance BIGINT NOT NULL)");
    for (std::int64_t id = 0; id < kAccounts; ++id) {
      unit.run("INSERT INTO account VALUES ($1, 100)", id);
    }
    engine().commit(std::move(unit)).value();
  }
  std::int64_t balance(std::int64_t id) {
    return engine().query("SELECT balance FROM account WHERE id = $1", id).value()[0].integer(0);
  }
};

TEST_P(ReadersWritersTest, AReaderNeverSeesHalfOfATransfer) {
  test::together(2 * kThreadsOfAKind, [&](int thread) {
    for (int round = 0; round < kTransfersEach; ++round) {
      if (thread % 2 == 0) {
        UnitOfWork unit;
        unit.run("UPDATE account SET balance = balance - 1 WHERE id = $1", round % kAccounts);
        unit.run("UPDATE account SET balance = balance + 1 WHERE id = $1",
                 (round + thread) % kAccounts);
        EXPECT_TRUE(engine().commit(std::move(unit)).ok());
      } else {
        std::int64_t sum = 0;
        const auto read = [&](Snapshot& snapshot) -> base::Result<void> {
          for (std::int64_t id = 0; id < kAccounts; ++id) {
            CLEVER_ASSIGN(const Rows rows,
                          snapshot.query("SELECT balance FROM account WHERE id = $1", id));
            sum += rows[0].integer(0);
          }
          return {};
        };
        EXPECT_TRUE(engine().read(read).ok());
        EXPECT_EQ(sum, 100 * kAccounts);
      }
    }
  });
}

TEST_P(ReadersWritersTest, ARaiseThatNamesWhatItSawIsNeverLost) {
  base::Atomic<std::int64_t> acknowledged;  // raises that were answered with a receipt
  test::together(kThreadsOfAKind, [&](int) {
    for (int round = 0; round < kTransfersEach; ++round) {
      const std::int64_t seen = balance(0);
      UnitOfWork unit;
      unit.require(1, {ErrorCode::kConflict, "stale"},
                   "UPDATE account SET balance = $1 WHERE id = 0 AND balance = $2", seen + 1, seen);
      const auto raised = engine().commit(std::move(unit));
      if (raised.ok()) {
        acknowledged.fetch_add(1);
      } else {
        EXPECT_EQ(raised.error().code(), ErrorCode::kConflict);
      }
    }
  });
  EXPECT_EQ(balance(0), 100 + acknowledged.load());
  EXPECT_GT(acknowledged.load(), 0);
}

CLEVER_ALL_ENGINES(ReadersWritersTest);

}  // namespace
}  // namespace clever::storage
