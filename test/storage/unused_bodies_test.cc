// Contents that no event names are removed, while others append.
#include "storage/bodies.h"
#include "storage/journal_verify.h"
#include "storage/plan_test.h"
#include "support/together.h"

namespace clever::storage {
namespace {

using base::ErrorCode;
using testing::HeldPlan;
using testing::note;

void quiet(std::string_view, std::uint64_t, std::uint64_t) {}

class UnusedBodiesTest : public testing::PlanTest {
 protected:
  void put(std::string content) {
    UnitOfWork unit;
    Bodies::put(unit, Body::of(std::move(content)));
    engine().commit(std::move(unit)).value();
  }
  [[nodiscard]] base::Result<Head> append_with(const HeldPlan& plan, const std::string& content) {
    auto turn = make_append(plan, {note("turn")});
    turn.bodies = {Body::of(content)};
    EXPECT_FALSE(Bodies::is_small(turn.bodies[0]));
    turn.events[0].bodies = {turn.bodies[0].hash};
    return journal().append(std::move(turn));
  }
};

TEST_P(UnusedBodiesTest, AreRemovedAndTheOthersStay) {
  HeldPlan plan = create();
  const std::string used(2 * Bodies::kSmall, 'u');
  plan.head = append_with(plan, used).value();
  for (int i = 0; i < 600; ++i) put("unused " + std::to_string(1000 + i));
  const auto removed = Bodies(engine()).remove_unused(quiet).value();
  EXPECT_EQ(removed.bodies, 600U);
  EXPECT_EQ(removed.bytes, 600U * 11);
  EXPECT_EQ(Bodies(engine()).content(base::sha256(used)).value(), used);
  EXPECT_EQ(number("SELECT count(*) FROM body"), 1);
}

TEST_P(UnusedBodiesTest, AStopEndsIt) {
  put("unused");
  base::StopSource stop;
  stop.request_stop();
  EXPECT_EQ(Bodies(engine()).remove_unused(quiet, stop.token()).error().code(),
            ErrorCode::kCancelled);
  EXPECT_EQ(number("SELECT count(*) FROM body"), 1);
}

// The content is there, unused, when the append begins, and may be removed under its hands: it must
// neither be refused nor lose its content.
TEST_P(UnusedBodiesTest, AppendsThatBringAContentAlongAreNotDisturbed) {
  constexpr int kTurns = 60;
  constexpr int kWriters = 3;
  std::vector<HeldPlan> plans;
  for (int i = 0; i < kWriters; ++i) plans.push_back(create());
  test::together(kWriters + 1, [&](int worker) {
    if (worker == kWriters) {
      for (int i = 0; i < kTurns; ++i) EXPECT_TRUE(Bodies(engine()).remove_unused(quiet).ok());
      return;
    }
    HeldPlan& plan = plans[static_cast<std::size_t>(worker)];
    for (int i = 0; i < kTurns; ++i) {
      const std::string content = std::string(Bodies::kSmall, 'c') + std::to_string(i);
      put(content);
      const auto head = append_with(plan, content);
      ASSERT_TRUE(head.ok()) << head.error().to_string();
      plan.head = *head;
    }
  });
  const auto verdict = JournalVerify(engine()).verify_all(quiet).value();
  EXPECT_TRUE(verdict.sound()) << verdict.faults[0].to_string();
  EXPECT_EQ(verdict.bodies, static_cast<std::uint64_t>(kTurns));
}

CLEVER_ALL_ENGINES(UnusedBodiesTest);

}  // namespace
}  // namespace clever::storage
