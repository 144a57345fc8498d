#include "storage/bodies.h"

#include "storage/effects.h"
#include "storage/keys.h"
#include "storage/migration.h"
#include "storage/plan_test.h"

namespace clever::storage {
namespace {

using base::ErrorCode;
using testing::HeldPlan;
using testing::note;

class BodiesTest : public testing::PlanTest {
 protected:
  void put(std::string content) {
    UnitOfWork unit;
    Bodies::put(unit, Body::of(std::move(content)));
    engine().commit(std::move(unit)).value();
  }
  [[nodiscard]] std::int64_t stored_bytes() {
    return number(
        Sql{"SELECT (SELECT coalesce(sum(length(content)), 0) FROM body) + "
            "(SELECT coalesce(sum(length(content)), 0) FROM event_body) + "
            "(SELECT coalesce(sum(length(data)), 0) FROM event)",
            "SELECT CAST((SELECT coalesce(sum(octet_length(content)), 0) FROM body) + "
            "(SELECT coalesce(sum(octet_length(content)), 0) FROM event_body) + "
            "(SELECT coalesce(sum(octet_length(data)), 0) FROM event) AS bigint)"});
  }
  // A conversation: every turn adds one message, and the model is given all of them.
  void talk(HeldPlan& plan, int turns, std::size_t size) {
    for (int i = 0; i < turns; ++i) {
      transcript_.push_back(Body::of(std::string(size, 'x') + std::to_string(transcript_.size())));
      auto turn = make_append(plan, {note("turn")});
      turn.bodies = transcript_;
      turn.events[0].bodies = {transcript_.back().hash};
      plan.head = journal().append(std::move(turn)).value();
    }
  }

  std::vector<Body> transcript_;
};

TEST_P(BodiesTest, AreFoundByTheHashOfTheirContent) {
  put(std::string("a\0b\xff", 4));
  EXPECT_EQ(Bodies(engine()).content(base::sha256(std::string("a\0b\xff", 4))).value(),
            std::string("a\0b\xff", 4));
  EXPECT_EQ(Bodies(engine()).content(base::sha256("none")).error().code(), ErrorCode::kNotFound);
}

TEST_P(BodiesTest, AreStoredOnce) {
  put("twice");
  put("twice");
  EXPECT_EQ(number("SELECT count(*) FROM body"), 1);
}

TEST_P(BodiesTest, ManyComeInTheOrderAskedFor) {
  std::vector<base::Sha256Digest> hashes;
  for (int i = 0; i < 100; ++i) {
    put("body " + std::to_string(i));
    hashes.insert(hashes.begin(), base::sha256("body " + std::to_string(i)));
  }
  hashes.push_back(hashes.front());
  const auto bodies = Bodies(engine()).contents(hashes).value();
  ASSERT_EQ(bodies.size(), 101U);
  EXPECT_EQ(bodies[0], Body::of("body 99"));
  EXPECT_EQ(bodies[99].content, "body 0");
  EXPECT_EQ(bodies[100].content, "body 99");
  EXPECT_TRUE(Bodies(engine()).contents({}).value().empty());
  hashes.push_back(base::sha256("none"));
  EXPECT_EQ(Bodies(engine()).contents(hashes).error().code(), ErrorCode::kNotFound);
}

TEST_P(BodiesTest, MayHaveSixteenMebibytes) {
  const std::string large(std::size_t{16} << 20U, '\x7f');
  put(large);
  EXPECT_TRUE(Bodies(engine()).content(base::sha256(large)).value() == large);
}

TEST_P(BodiesTest, AnEventCannotNameOneThatIsNotThere) {
  const HeldPlan plan = create();
  auto append = make_append(plan, {note("x")});
  append.events[0].bodies = {base::sha256("none")};
  EXPECT_EQ(journal().append(std::move(append)).error().code(), ErrorCode::kInvalidArgument);
}

TEST_P(BodiesTest, AnEventMayNameOneTwice) {
  HeldPlan plan = create();
  auto append = make_append(plan, {note("x")});
  append.bodies = {Body::of("b"), Body::of("a"), Body::of("b")};
  append.events[0].bodies = {base::sha256("b"), base::sha256("a"), base::sha256("b")};
  EXPECT_TRUE(journal().append(std::move(append)).ok());
  EXPECT_EQ(number("SELECT count(*) FROM event_body"), 2);
}

// Twice as many turns cost twice as much, although each append hands over all messages so far.
TEST_P(BodiesTest, ATranscriptCostsWhatItsMessagesCost) {
  for (const std::size_t size : {Bodies::kSmall - 10, Bodies::kSmall + 1}) {
    HeldPlan plan = create();
    transcript_.clear();
    const std::int64_t before = stored_bytes();
    talk(plan, 20, size);
    const std::int64_t twenty = stored_bytes() - before;
    talk(plan, 20, size);
    const std::int64_t forty = stored_bytes() - before;
    EXPECT_GE(twenty, 20 * static_cast<std::int64_t>(size));
    EXPECT_LE(forty, 2 * twenty + 100);
  }
}

TEST_P(BodiesTest, ASmallOneLiesWithEachEventThatNamesIt) {
  HeldPlan plan = create();
  auto first = make_append(plan, {note("x"), note("y")});
  first.bodies = {Body::of("small")};
  first.events[0].bodies = {base::sha256("small")};
  first.events[1].bodies = {base::sha256("small")};
  plan.head = journal().append(std::move(first)).value();
  EXPECT_EQ(number("SELECT count(*) FROM body"), 0);
  EXPECT_EQ(number("SELECT count(*) FROM event_body WHERE content IS NOT NULL"), 2);
  EXPECT_EQ(Bodies(engine()).content(base::sha256("small")).value(), "small");
}

TEST_P(BodiesTest, AnEventMayNameOneThatCameBefore) {
  const std::string large(Bodies::kSmall + 1, 'l');
  for (const std::string& content : {std::string("small"), large}) {
    HeldPlan plan = create();
    auto first = make_append(plan, {note("x")});
    first.bodies = {Body::of(content)};
    first.events[0].bodies = {base::sha256(content)};
    plan.head = journal().append(std::move(first)).value();
    HeldPlan other = create();
    auto second = make_append(other, {note("y")});
    second.events[0].bodies = {base::sha256(content)};
    ASSERT_TRUE(journal().append(std::move(second)).ok());
  }
  // Each holds its own, and does not depend on the other.
  EXPECT_EQ(number("SELECT count(*) FROM event_body WHERE content IS NOT NULL"), 2);
  EXPECT_EQ(number("SELECT count(*) FROM body"), 1);
  const std::vector<base::Sha256Digest> both{base::sha256("small"), base::sha256(large)};
  EXPECT_EQ(Bodies(engine()).contents(both).value()[1].content, large);
}

TEST_P(BodiesTest, ASmallOneThatNoEventNamesYetIsKeptOnce) {
  HeldPlan plan = create();
  for (int i = 0; i < 2; ++i) {
    auto append = make_append(plan, {note("x")});
    append.bodies = {Body::of("for later")};
    plan.head = journal().append(std::move(append)).value();
  }
  EXPECT_EQ(number("SELECT count(*) FROM body"), 1);
  EXPECT_EQ(Bodies(engine()).content(base::sha256("for later")).value(), "for later");
}

CLEVER_ALL_ENGINES(BodiesTest);

// What an earlier program has left.
class OlderBodiesTest : public ::testing::TestWithParam<testing::EngineKind> {};

TEST_P(OlderBodiesTest, ContentsAndEffectsStay) {
  testing::TestDatabase database(GetParam());
  const auto plan = model::PlanId::parse("01J00000000000000000000001").value();
  const auto open = model::EffectId::parse("01J00000000000000000000002").value();
  const auto settled = model::EffectId::parse("01J00000000000000000000003").value();
  {
    const auto engine = database.open({.migrations = schema().first(6)});
    UnitOfWork unit;
    unit.run("INSERT INTO journal (plan, sequence, hash, epoch) VALUES ($1, 3, $2, 1)",
             to_blob(plan), Blob{std::string(32, 'h')});
    unit.run(
        "INSERT INTO effect (id, plan, kind, data, requested, settled) VALUES "
        "($1, $3, 'tool.run', $4, 2, NULL), ($2, $3, 'tool.run', $4, 1, 3)",
        to_blob(open), to_blob(settled), to_blob(plan), Blob{"data"});
    Bodies::put(unit, Body::of("content"));
    unit.run("INSERT INTO body_use (plan, sequence, hash) VALUES ($1, 1, $2)", to_blob(plan),
             to_blob(base::sha256("content")));
    engine->commit(std::move(unit)).value();
  }
  const auto engine = database.open();
  EXPECT_EQ(Effects(*engine).open(plan).value(),
            (std::vector{OpenEffect{open, "tool.run", "data", 2}}));
  const auto number = [&](Sql sql) { return engine->query(sql).value()[0].integer(0); };
  EXPECT_EQ(number("SELECT settled FROM effect WHERE settled IS NOT NULL"), 3);
  EXPECT_EQ(number("SELECT sequence FROM event_body"), 1);
  EXPECT_EQ(Bodies(*engine).remove_unused([](auto, auto, auto) {}).value().bodies, 0U);
  EXPECT_EQ(Bodies(*engine).content(base::sha256("content")).value(), "content");
}

CLEVER_SHARED_ENGINES(OlderBodiesTest);

}  // namespace
}  // namespace clever::storage
