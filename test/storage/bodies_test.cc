#include "storage/bodies.h"

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
            "(SELECT coalesce(sum(length(data)), 0) FROM event)",
            "SELECT CAST((SELECT coalesce(sum(octet_length(content)), 0) FROM body) + "
            "(SELECT coalesce(sum(octet_length(data)), 0) FROM event) AS bigint)"});
  }
  // A conversation: every turn adds one message, and the model is given all of them.
  void talk(HeldPlan& plan, int turns) {
    for (int i = 0; i < turns; ++i) {
      transcript_.push_back(Body::of(std::string(1000, 'x') + std::to_string(transcript_.size())));
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
  EXPECT_EQ(number("SELECT count(*) FROM body_use"), 2);
}

// Twice as many turns cost twice as much, although each append hands over all messages so far.
TEST_P(BodiesTest, ATranscriptCostsWhatItsMessagesCost) {
  HeldPlan plan = create();
  const std::int64_t before = stored_bytes();
  talk(plan, 20);
  const std::int64_t twenty = stored_bytes() - before;
  talk(plan, 20);
  const std::int64_t forty = stored_bytes() - before;
  EXPECT_GE(twenty, 20 * 1000);
  EXPECT_LE(forty, 2 * twenty + 100);
}

CLEVER_ALL_ENGINES(BodiesTest);

}  // namespace
}  // namespace clever::storage
