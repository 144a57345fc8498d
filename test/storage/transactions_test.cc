#include <algorithm>
#include <chrono>
#include <optional>
#include <vector>

#include "base/monitor.h"
#include "base/random.h"
#include "storage/engines.h"

namespace clever::storage {
namespace {

using base::ErrorCode;

// The tables of these tests lie beside the schema's.
class TransactionsTest : public testing::EngineTest {
 protected:
  TransactionsTest() {
    UnitOfWork unit;
    unit.run(
        "CREATE TABLE account (name TEXT PRIMARY KEY, balance BIGINT NOT NULL, "
        "version BIGINT NOT NULL)");
    unit.run(Sql{"CREATE TABLE thing (id BIGINT PRIMARY KEY, text TEXT, bytes BLOB, real REAL)",
                 "CREATE TABLE thing (id BIGINT PRIMARY KEY, text TEXT COLLATE \"C\", bytes BYTEA, "
                 "real DOUBLE PRECISION)"});
    unit.run(
        "CREATE TABLE part (id BIGINT PRIMARY KEY, thing BIGINT NOT NULL REFERENCES "
        "thing(id) ON DELETE CASCADE)");
    engine().commit(std::move(unit)).value();
  }

  static UnitOfWork insert_thing(std::int64_t id, Value text = Null{}, Value bytes = Null{}) {
    UnitOfWork unit;
    unit.run("INSERT INTO thing (id, text, bytes) VALUES ($1, $2, $3)", id, std::move(text),
             std::move(bytes));
    return unit;
  }
  std::int64_t things() {
    return engine().query("SELECT count(*) FROM thing").value()[0].integer(0);
  }
};

// A database that others can open too: not one in memory.
class SharedTransactionsTest : public TransactionsTest {};

TEST_P(TransactionsTest, ACommittedUnitIsSeen) {
  engine().commit(insert_thing(1, "one")).value();
  const auto rows = engine().query("SELECT id, text, bytes FROM thing").value();
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0].integer(0), 1);
  EXPECT_EQ(rows[0].text(1), "one");
  EXPECT_TRUE(rows[0].is_null(2));
}

TEST_P(TransactionsTest, AReceiptHasAnOutcomePerStatement) {
  UnitOfWork unit;
  const auto inserted = unit.run("INSERT INTO thing (id) VALUES ($1), ($2)", 1, 2);
  const auto returned = unit.run("UPDATE thing SET text = $1 RETURNING id", "x");
  const auto nothing = unit.run("DELETE FROM thing WHERE id = $1", 3);
  const auto receipt = engine().commit(std::move(unit)).value();
  EXPECT_EQ(receipt.outcomes[inserted].count, 2U);
  EXPECT_EQ(receipt.outcomes[returned].count, 2U);
  EXPECT_EQ(receipt.outcomes[returned].rows.size(), 2U);
  EXPECT_EQ(receipt.outcomes[nothing].count, 0U);
}

TEST_P(TransactionsTest, AUnitHappensWhollyOrNotAtAll) {
  UnitOfWork unit = insert_thing(1);
  unit.run("INSERT INTO thing (id) VALUES ($1)", 1);
  EXPECT_EQ(engine().commit(std::move(unit)).error().code(), ErrorCode::kAlreadyExists);
  EXPECT_EQ(things(), 0);
}

TEST_P(TransactionsTest, AnUnmetExpectationRefusesTheUnit) {
  engine().commit(insert_thing(1, "old")).value();
  UnitOfWork unit;
  unit.run("UPDATE thing SET text = 'new'");
  unit.require(1, {ErrorCode::kConflict, "somebody was faster"},
               "UPDATE thing SET text = 'newer' WHERE text = $1", "old");
  const auto refused = engine().commit(std::move(unit));
  EXPECT_EQ(refused.error().code(), ErrorCode::kConflict);
  EXPECT_EQ(refused.error().message(), "somebody was faster");
  EXPECT_EQ(engine().query("SELECT text FROM thing").value()[0].text(0), "old");
}

TEST_P(TransactionsTest, StatementsOfAUnitSeeTheEarlierOnes) {
  UnitOfWork unit = insert_thing(1, "a");
  const auto seen = unit.run("SELECT text FROM thing WHERE id = $1", 1);
  const auto receipt = engine().commit(std::move(unit)).value();
  EXPECT_EQ(receipt.outcomes[seen].rows[0].text(0), "a");
}

TEST_P(TransactionsTest, AStaleMemberOfAGroupIsRefusedAlone) {
  engine().commit(insert_thing(0, "version 1")).value();
  constexpr int kUnits = 100;
  base::Monitor<std::vector<std::optional<ErrorCode>>> answers;
  for (int i = 1; i <= kUnits; ++i) {
    UnitOfWork unit = insert_thing(i);
    if (i % 3 == 0) {
      unit.require(1, {ErrorCode::kConflict, "stale"}, "DELETE FROM thing WHERE text = $1", "none");
    }
    engine().submit(std::move(unit), [&](base::Result<Receipt> result) {
      answers.update([&](auto& all) {
        all.push_back(result.ok() ? std::nullopt : std::optional(result.error().code()));
      });
    });
  }
  answers.wait({}, base::Deadline::never(), [](const auto& all) { return all.size() == kUnits; })
      .value();
  const auto all = answers.read([](const auto& held) { return held; });
  EXPECT_EQ(std::ranges::count(all, std::optional(ErrorCode::kConflict)), kUnits / 3);
  EXPECT_EQ(std::ranges::count(all, std::optional<ErrorCode>()), kUnits - kUnits / 3);
  EXPECT_EQ(things(), 1 + kUnits - kUnits / 3);
  EXPECT_EQ(engine().query("SELECT count(*) FROM thing WHERE id % 3 = 0").value()[0].integer(0), 1);
}

TEST_P(TransactionsTest, ALateStatementRunsBehindTheOthers) {
  UnitOfWork unit;
  unit.add_late(required(2, {ErrorCode::kConflict, "stale"}, "UPDATE thing SET text = $1", "x"));
  const auto first = unit.run("INSERT INTO thing (id) VALUES (1)");
  const auto second = unit.run("INSERT INTO thing (id) VALUES (2) RETURNING id");
  EXPECT_EQ(first, 0U);
  const auto receipt = engine().commit(std::move(unit)).value();
  ASSERT_EQ(receipt.outcomes.size(), 3U);
  EXPECT_EQ(receipt.outcomes[second].rows[0].integer(0), 2);
  EXPECT_EQ(receipt.outcomes[2].count, 2U);
  EXPECT_EQ(engine().query("SELECT count(*) FROM thing WHERE text = 'x'").value()[0].integer(0), 2);
}

TEST_P(TransactionsTest, ALateStatementThatIsNotMetRefusesTheUnit) {
  engine().commit(insert_thing(1, "old")).value();
  UnitOfWork unit = insert_thing(2);
  unit.add_late(required(1, {ErrorCode::kResourceExhausted, "used up"},
                         "UPDATE thing SET text = 'new' WHERE text = $1", "none"));
  const auto refused = engine().commit(std::move(unit));
  EXPECT_EQ(refused.error().code(), ErrorCode::kResourceExhausted);
  EXPECT_EQ(refused.error().message(), "used up");
  EXPECT_EQ(things(), 1);
}

TEST_P(TransactionsTest, AMemberWhoseLateStatementIsRefusedIsRefusedAlone) {
  UnitOfWork account;
  account.run("INSERT INTO account VALUES ('day', 50, 0)");
  engine().commit(std::move(account)).value();
  constexpr int kUnits = 80;
  base::Monitor<std::vector<std::optional<ErrorCode>>> answers;
  for (int i = 1; i <= kUnits; ++i) {
    UnitOfWork unit;
    unit.add_late(required(1, {ErrorCode::kResourceExhausted, "used up"},
                           "UPDATE account SET balance = balance - 1 "
                           "WHERE name = 'day' AND balance > 0"));
    // Every fifth is refused by the database, before or behind the row that all share.
    const Statement twice = statement("INSERT INTO account VALUES ('day', 0, 0)");
    if (i % 10 == 0) unit.add(twice);
    if (i % 10 == 5) unit.add_late(twice);
    unit.run("INSERT INTO thing (id) VALUES ($1)", i);
    engine().submit(std::move(unit), [&](base::Result<Receipt> result) {
      answers.update([&](auto& all) {
        all.push_back(result.ok() ? std::nullopt : std::optional(result.error().code()));
      });
    });
  }
  answers.wait({}, base::Deadline::never(), [](const auto& all) { return all.size() == kUnits; })
      .value();
  const auto all = answers.read([](const auto& held) { return held; });
  EXPECT_EQ(std::ranges::count(all, std::optional<ErrorCode>()), 50);
  EXPECT_EQ(std::ranges::count(all, std::optional(ErrorCode::kAlreadyExists)) +
                std::ranges::count(all, std::optional(ErrorCode::kResourceExhausted)),
            kUnits - 50);
  EXPECT_EQ(things(), 50);
  EXPECT_EQ(engine().query("SELECT balance FROM account").value()[0].integer(0), 0);
}

TEST_P(TransactionsTest, WhatIsSubmittedAlongIsThereWithTheNext) {
  engine().submit_along(insert_thing(1));
  engine().submit_along(insert_thing(1));  // refused, which nobody hears of
  engine().commit(insert_thing(2)).value();
  EXPECT_EQ(things(), 2);
}

// Whatever code a caller chose for it, a refusal is not a failure of the database.
TEST_P(TransactionsTest, ARefusalOfAnyKindConcernsItsUnitAlone) {
  base::Monitor<int> committed;
  base::Monitor<int> refused;
  for (int i = 1; i <= 30; ++i) {
    UnitOfWork unit = insert_thing(i);
    if (i % 2 == 0) {
      unit.require(1, {ErrorCode::kUnavailable, "not now"}, "DELETE FROM thing WHERE id = $1", -1);
    }
    engine().submit(std::move(unit), [&](base::Result<Receipt> result) {
      (result.ok() ? committed : refused).update([](int& count) { ++count; });
    });
  }
  const auto half = [](int count) { return count == 15; };
  committed.wait({}, base::Deadline::never(), half).value();
  refused.wait({}, base::Deadline::never(), half).value();
  EXPECT_EQ(things(), 15);
}

TEST_P(TransactionsTest, EachKindOfValueComesBackAsItWas) {
  UnitOfWork unit;
  const std::string all_bytes = [] {
    std::string bytes;
    for (int i = 0; i < 256; ++i) bytes.push_back(static_cast<char>(i));
    return bytes;
  }();
  unit.run("INSERT INTO thing VALUES ($1, $2, $3, $4)", INT64_MIN, "", Blob{all_bytes}, -0.1);
  unit.run("INSERT INTO thing VALUES ($1, $2, $3, $4)", INT64_MAX, "ä€😀\n'\"", Blob{}, 1e300);
  engine().commit(std::move(unit)).value();
  const auto rows = engine().query("SELECT id, text, bytes, real FROM thing ORDER BY id").value();
  EXPECT_EQ(rows[0][0], Value(INT64_MIN));
  EXPECT_EQ(rows[0][1], Value(std::string()));
  EXPECT_EQ(rows[0][2], Value(Blob{all_bytes}));
  EXPECT_EQ(rows[0][3], Value(-0.1));
  EXPECT_EQ(rows[1][0], Value(INT64_MAX));
  EXPECT_EQ(rows[1][1], Value(std::string("ä€😀\n'\"")));
  EXPECT_EQ(rows[1][2], Value(Blob{}));
  EXPECT_EQ(rows[1][3], Value(1e300));
}

TEST_P(TransactionsTest, SixteenMebibytesAreAnOrdinaryValue) {
  base::SeededRandom random(7);
  std::string bytes(std::size_t{16} << 20U, '\0');
  for (std::size_t i = 0; i < bytes.size(); i += 4096) bytes[i] = static_cast<char>(random.next());
  engine().commit(insert_thing(1, Null{}, Blob{bytes})).value();
  EXPECT_EQ(engine().query("SELECT bytes FROM thing").value()[0].blob(0), bytes);
}

TEST_P(TransactionsTest, ATextThatIsInvalidIsRefusedBeforeAnythingHappens) {
  for (const std::string& text :
       {std::string("a\0b", 3), std::string("\xff"), std::string("\xed\xa0\x80")}) {
    EXPECT_EQ(engine().commit(insert_thing(1, text)).error().code(), ErrorCode::kInvalidArgument);
  }
  EXPECT_EQ(things(), 0);
}

TEST_P(TransactionsTest, TextSortsByItsBytes) {
  std::int64_t id = 0;
  for (const auto* text : {"b", "A", "ä", "a", "Z", "é", "_"}) {
    engine().commit(insert_thing(++id, text)).value();
  }
  std::string order;
  for (const Row row : engine().query("SELECT text FROM thing ORDER BY text").value()) {
    order += row.text(0);
  }
  EXPECT_EQ(order, "AZ_abäé");
}

TEST_P(TransactionsTest, WhatRefersToARowGoesWithIt) {
  UnitOfWork unit = insert_thing(1);
  unit.run("INSERT INTO part VALUES (10, 1), (11, 1)");
  engine().commit(std::move(unit)).value();
  UnitOfWork remove;
  remove.run("DELETE FROM thing WHERE id = 1");
  engine().commit(std::move(remove)).value();
  EXPECT_EQ(engine().query("SELECT count(*) FROM part").value()[0].integer(0), 0);
}

TEST_P(TransactionsTest, ARowThatRefersToNothingIsRefused) {
  UnitOfWork unit;
  unit.run("INSERT INTO part VALUES (10, 1)");
  EXPECT_EQ(engine().commit(std::move(unit)).error().code(), ErrorCode::kInvalidArgument);
}

TEST_P(TransactionsTest, AReadThatWouldWriteIsRefused) {
  const auto refused = engine().query("INSERT INTO thing (id) VALUES (1) RETURNING id");
  EXPECT_EQ(refused.error().code(), ErrorCode::kInvalidArgument);
  EXPECT_EQ(things(), 0);
}

TEST_P(SharedTransactionsTest, AReadSeesOneMoment) {
  engine().commit(insert_thing(1)).value();
  engine()
      .read([&](Snapshot& snapshot) -> base::Result<void> {
        EXPECT_EQ(snapshot.query("SELECT count(*) FROM thing").value()[0].integer(0), 1);
        engine().commit(insert_thing(2)).value();
        EXPECT_EQ(snapshot.query("SELECT count(*) FROM thing").value()[0].integer(0), 1);
        return {};
      })
      .value();
  EXPECT_EQ(things(), 2);
}

TEST_P(TransactionsTest, TheAnswerOfAReadIsItsCallersToGive) {
  const auto result = engine().read(
      [](Snapshot&) -> base::Result<void> { return base::not_found("no such plan"); });
  EXPECT_EQ(result.error().code(), ErrorCode::kNotFound);
}

TEST_P(TransactionsTest, IntegersGoInAsAList) {
  for (int i = 1; i <= 5; ++i) engine().commit(insert_thing(i)).value();
  const auto rows =
      engine()
          .query(Sql{"SELECT id FROM thing WHERE id IN (SELECT value FROM json_each($1)) "
                     "ORDER BY id",
                     "SELECT id FROM thing WHERE id = ANY($1::bigint[]) ORDER BY id"},
                 IntegerList{{5, 2, 9}})
          .value();
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].integer(0), 2);
  EXPECT_EQ(rows[1].integer(0), 5);
}

TEST_P(TransactionsTest, TheDatabasesClockIsTheInjectedOne) {
  const auto before = engine().query("SELECT clever_now()").value()[0].integer(0);
  advance(std::chrono::seconds{5});
  EXPECT_EQ(engine().query("SELECT clever_now()").value()[0].integer(0) - before, 5'000'000);
}

TEST_P(TransactionsTest, AStopThatCameBeforeWithdrawsOrIsTooLate) {
  base::StopSource stop;
  stop.request_stop();
  const auto answer = engine().commit(insert_thing(1), stop.token());
  EXPECT_EQ(things(), answer.ok() ? 1 : 0);
  if (!answer.ok()) {
    EXPECT_EQ(answer.error().code(), ErrorCode::kCancelled);
  }
}

TEST_P(TransactionsTest, WhatIsCommittedIsThereAfterReopening) {
  engine().commit(insert_thing(1, "kept")).value();
  reopen();
  EXPECT_EQ(engine().query("SELECT text FROM thing").value()[0].text(0), "kept");
}

TEST_P(TransactionsTest, SubscribersHearOfTheirTopic) {
  base::Monitor<int> heard;
  const auto subscription =
      engine().subscribe("plan/1", [&] { heard.update([](int& count) { ++count; }); });
  UnitOfWork unit = insert_thing(1);
  unit.notify("plan/1");
  engine().commit(std::move(unit)).value();
  heard.wait({}, base::Deadline::never(), [](int count) { return count > 0; }).value();
}

TEST_P(SharedTransactionsTest, SubscribersHearOfOtherProcesses) {
  const auto other = database().open();
  base::Monitor<int> heard;
  const auto subscription =
      other->subscribe("plan/1", [&] { heard.update([](int& count) { ++count; }); });
  // The subscriber may begin to listen a moment after subscribe(): tell it until it has heard.
  base::SystemClock clock;
  std::int64_t id = 0;
  while (heard.read([](int count) { return count; }) == 0) {
    UnitOfWork unit = insert_thing(++id);
    unit.notify("plan/1");
    engine().commit(std::move(unit)).value();
    const auto soon = base::Deadline::after(clock, std::chrono::milliseconds{50});
    static_cast<void>(heard.wait({}, soon, [](int count) { return count > 0; }).ok());
  }
}

TEST_P(TransactionsTest, FactsNameTheEngine) {
  const auto facts = engine().facts().value();
  EXPECT_THAT(facts.version, ::testing::MatchesRegex("(SQLite 3|PostgreSQL 1).*"));
  EXPECT_EQ(facts.schema_version, static_cast<std::int64_t>(schema().size()));
  EXPECT_GT(facts.size_in_bytes, 0U);
  EXPECT_EQ(facts.address, database().url().normalised());
}

TEST_P(TransactionsTest, AHealthyDatabasePassesItsCheck) {
  engine().commit(insert_thing(1)).value();
  int steps = 0;
  engine()
      .check_integrity([&](std::string_view, std::uint64_t, std::uint64_t) { ++steps; }, {})
      .value();
  EXPECT_GT(steps, 0);
}

TEST_P(TransactionsTest, VacuumLosesNothing) {
  for (int i = 1; i <= 100; ++i)
    engine().commit(insert_thing(i, Null{}, Blob{std::string(1000, 'x')})).value();
  engine().vacuum([](std::string_view, std::uint64_t, std::uint64_t) {}, {}).value();
  EXPECT_EQ(things(), 100);
}

CLEVER_ALL_ENGINES(TransactionsTest);
CLEVER_SHARED_ENGINES(SharedTransactionsTest);

}  // namespace
}  // namespace clever::storage
