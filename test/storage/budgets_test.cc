#include "storage/budgets.h"

#include <memory>
#include <vector>

#include "base/random.h"
#include "model/budget_events.h"
#include "model/effect_events.h"
#include "storage/plan_test.h"
#include "storage/plans.h"
#include "storage/rebuild.h"
#include "storage/topic_watch.h"
#include "support/together.h"

namespace clever::storage {
namespace {

using base::ErrorCode;
using model::BudgetReleased;
using model::BudgetReserved;
using model::BudgetSettled;
using model::Cost;
using testing::HeldPlan;
using Answer = Budgets::Room::Answer;

class BudgetsTest : public testing::PlanTest {
 protected:
  using Scopes = std::vector<std::string>;

  [[nodiscard]] Budgets budgets() { return Budgets(engine()); }
  void cap(const std::string& scope, const Caps& caps) {
    ASSERT_TRUE(budgets().set_cap(scope, caps).ok());
  }
  // The reservation's name.
  std::int64_t reserve(HeldPlan& plan, const Scopes& scopes, const Cost& cost,
                       const model::EffectId& effect = {}) {
    append(plan, {BudgetReserved{scopes, cost, effect}.to_event()});
    return plan.head.sequence;
  }
  [[nodiscard]] ErrorCode refusal(const HeldPlan& plan, const model::Event& event) {
    return try_append(plan, {event}).error().code();
  }
  [[nodiscard]] Answer room(const Scopes& scopes, const Cost& cost) {
    return budgets().room(scopes, cost).value().answer;
  }
};

TEST_P(BudgetsTest, ACostIsReservedAndSettledInEveryScope) {
  for (const char* scope : {"plan/1", "day/1"}) cap(scope, {100, 10});
  HeldPlan plan = create();
  const std::int64_t reservation = reserve(plan, {"plan/1", "day/1"}, {60, 6});
  EXPECT_EQ(budgets().find("day/1").value(), (Budget{"day/1", {100, 10}, {60, 6}, {}}));
  append(plan, {BudgetSettled{reservation, {"plan/1", "day/1"}, {60, 6}, {45, 4}}.to_event()});
  EXPECT_EQ(budgets().list().value(), (std::vector{Budget{"day/1", {100, 10}, {}, {45, 4}},
                                                   Budget{"plan/1", {100, 10}, {}, {45, 4}}}));
  EXPECT_EQ(budgets().find("plan/1").value().left(), (Cost{55, 6}));
  EXPECT_EQ(Plans(engine()).find(plan.id).value().spent, 45) << "once, whatever the scopes";
  EXPECT_TRUE(budgets().reservations().value().empty());
}

TEST_P(BudgetsTest, ACapIsNeverPassed) {
  cap("tight", {10});
  cap("wide", {100});
  HeldPlan plan = create();
  EXPECT_EQ(refusal(plan, BudgetReserved{{"tight", "wide"}, {11, 0}}.to_event()),
            ErrorCode::kResourceExhausted);
  EXPECT_EQ(budgets().find("wide").value().reserved, Cost());
  EXPECT_EQ(refusal(plan, BudgetReserved{{"none"}, {1, 0}}.to_event()),
            ErrorCode::kResourceExhausted);
  reserve(plan, {"tight"}, {10, 0});
  EXPECT_EQ(refusal(plan, BudgetReserved{{"tight"}, {1, 0}}.to_event()),
            ErrorCode::kResourceExhausted);
}

TEST_P(BudgetsTest, WhereAModelHasNoPriceTokensBind) {
  cap("s", {.tokens = 100});
  HeldPlan plan = create();
  reserve(plan, {"s"}, {0, 100});
  EXPECT_EQ(refusal(plan, BudgetReserved{{"s"}, {0, 1}}.to_event()), ErrorCode::kResourceExhausted);
}

TEST_P(BudgetsTest, AReservationIsSettledOnceAndAsItWas) {
  cap("s", {100});
  HeldPlan plan = create();
  const std::int64_t reservation = reserve(plan, {"s"}, {10, 0});
  EXPECT_EQ(refusal(plan, BudgetSettled{reservation, {"s"}, {11, 0}, {}}.to_event()),
            ErrorCode::kConflict);
  EXPECT_EQ(refusal(plan, BudgetSettled{reservation - 1, {"s"}, {10, 0}, {}}.to_event()),
            ErrorCode::kConflict);
  EXPECT_EQ(refusal(create(), BudgetSettled{reservation, {"s"}, {10, 0}, {}}.to_event()),
            ErrorCode::kConflict);
  append(plan, {BudgetSettled{reservation, {"s"}, {10, 0}, {3, 0}}.to_event()});
  EXPECT_EQ(refusal(plan, BudgetSettled{reservation, {"s"}, {10, 0}, {3, 0}}.to_event()),
            ErrorCode::kConflict);
  EXPECT_EQ(budgets().find("s").value().spent, (Cost{3, 0}));
}

TEST_P(BudgetsTest, UsageAboveTheReservationIsRecordedAndStopsThePlan) {
  for (const char* scope : {"plan/1", "day/1"}) cap(scope, {100});
  HeldPlan plan = create();
  const std::int64_t reservation = reserve(plan, {"plan/1", "day/1"}, {10, 0});
  append(plan, {BudgetSettled{reservation, {"plan/1", "day/1"}, {10, 0}, {12, 0}}.to_event()});
  EXPECT_EQ(budgets().find("plan/1").value().spent, (Cost{12, 0}));
  EXPECT_EQ(refusal(plan, BudgetReserved{{"plan/1"}, {1, 0}}.to_event()),
            ErrorCode::kResourceExhausted);
  EXPECT_EQ(room({"plan/1"}, {1, 0}), Answer::kFull);
  reserve(plan, {"day/1"}, {1, 0});  // others of the day go on
  cap("plan/1", {100});
  reserve(plan, {"plan/1"}, {1, 0});
}

TEST_P(BudgetsTest, AnOrphanCountsAsSpentUntilAPersonReleasesIt) {
  cap("s", {100});
  HeldPlan plan = create();
  const model::EffectRequested call{.id = world().next<model::EffectId>(), .kind = "model.call"};
  append(plan, {call.to_event().value()});
  const std::int64_t lost = reserve(plan, {"s"}, {40, 0}, call.id);
  EXPECT_FALSE(budgets().reservations().value()[0].orphaned) << "its call may be under way";

  const std::int64_t again = reserve(plan, {"s"}, {40, 0}, call.id);
  const auto both = budgets().reservations().value();
  ASSERT_EQ(both.size(), 2U);
  EXPECT_EQ(both[0].sequence, lost);
  EXPECT_TRUE(both[0].orphaned);
  EXPECT_FALSE(both[1].orphaned);

  append(plan, {BudgetSettled{again, {"s"}, {40, 0}, {30, 0}}.to_event(),
                model::EffectSettled{call.id, "done"}.to_event()});
  EXPECT_EQ(refusal(plan, BudgetReserved{{"s"}, {31, 0}}.to_event()),
            ErrorCode::kResourceExhausted);
  ASSERT_EQ(budgets().reservations().value().size(), 1U);
  EXPECT_TRUE(budgets().reservations().value()[0].orphaned);

  append(plan, {BudgetReleased{lost, {"s"}, {40, 0}}.to_event()});
  EXPECT_EQ(budgets().find("s").value(), (Budget{"s", {100}, {}, {30, 0}}));
  EXPECT_EQ(refusal(plan, BudgetReleased{lost, {"s"}, {40, 0}}.to_event()), ErrorCode::kConflict);
}

TEST_P(BudgetsTest, CapsAreChangedWithinReason) {
  cap("s", {10});
  cap("s", {20, 5});
  EXPECT_EQ(budgets().find("s").value().cap, (Caps{20, 5}));
  ASSERT_TRUE(budgets().ensure_cap("s", {99}).ok());
  EXPECT_EQ(budgets().find("s").value().cap, (Caps{20, 5})) << "it had one";
  ASSERT_TRUE(budgets().ensure_cap("t", {99}).ok());
  EXPECT_EQ(budgets().find("t").value().cap.money, 99);
  EXPECT_EQ(budgets().set_cap("s", {-1}).error().code(), ErrorCode::kInvalidArgument);
  EXPECT_EQ(budgets().ensure_cap("s", {1, -1}).error().code(), ErrorCode::kInvalidArgument);
  EXPECT_EQ(budgets().find("none").error().code(), ErrorCode::kNotFound);
}

TEST_P(BudgetsTest, NineTenthsAreWorthAWord) {
  cap("s", {100, 1000});
  HeldPlan plan = create();
  reserve(plan, {"s"}, {89, 0});
  EXPECT_FALSE(budgets().find("s").value().nearly_used_up());
  reserve(plan, {"s"}, {1, 0});
  EXPECT_TRUE(budgets().find("s").value().nearly_used_up());
}

TEST_P(BudgetsTest, ARefusedOneWaitsWhileOthersAreOutstanding) {
  cap("s", {100});
  HeldPlan plan = create();
  reserve(plan, {"s"}, {60, 0});
  EXPECT_EQ(room({"s"}, {40, 0}), Answer::kFits);
  EXPECT_EQ(room({"s"}, {41, 0}), Answer::kWait);
  EXPECT_EQ(room({"s"}, {101, 0}), Answer::kFull);
  EXPECT_EQ(room({"s", "none"}, {41, 0}), Answer::kFull);
}

TEST_P(BudgetsTest, WhoWaitsIsWokenWhenAnotherSettles) {
  cap("s", {100});
  HeldPlan plan = create();
  const std::int64_t reservation = reserve(plan, {"s"}, {60, 0});
  TopicWatch watch(engine(), budget_topic("s"));
  const auto seen = watch.changes();
  append(plan, {BudgetSettled{reservation, {"s"}, {60, 0}, {}}.to_event()});
  EXPECT_TRUE(watch.wait(seen, {}, base::Deadline::never()).ok());
  EXPECT_EQ(room({"s"}, {41, 0}), Answer::kFits);
}

// Whoever spends from one cap with others: reserve, call, settle, until nothing fits any more.
class Spender {
 public:
  Spender(Engine& engine, base::SimulatedClock& clock, HeldPlan plan, std::uint64_t seed)
      : engine_(engine), journal_(engine, clock), plan_(std::move(plan)), random_(seed) {}

  void run(const Cost& worst_case) {
    while (reserve(worst_case)) {
      const auto spent = static_cast<std::int64_t>(
          random_.below(static_cast<std::uint64_t>(worst_case.money) + 1));
      settle(worst_case, {spent, 0});
    }
  }

 private:
  const std::vector<std::string> kScopes{"day/1"};

  bool reserve(const Cost& cost) {
    TopicWatch watch(engine_, budget_topic("day/1"));
    while (true) {
      const auto seen = watch.changes();
      const auto head = append(BudgetReserved{kScopes, cost}.to_event());
      if (head.ok()) return true;
      EXPECT_EQ(head.error().code(), ErrorCode::kResourceExhausted) << head.error().to_string();
      const auto room = Budgets(engine_).room(kScopes, cost).value();
      if (room.answer == Answer::kFull) return false;
      if (room.answer == Answer::kWait) {
        EXPECT_TRUE(watch.wait(seen, {}, base::Deadline::never()).ok());
      }
    }
  }
  void settle(const Cost& reserved, const Cost& spent) {
    const BudgetSettled settled{plan_.head.sequence, kScopes, reserved, spent};
    EXPECT_TRUE(append(settled.to_event()).ok());
  }
  base::Result<Head> append(model::Event event) {
    auto head = journal_.append(testing::PlanWorld::make_append(plan_, {std::move(event)}));
    if (head.ok()) plan_.head = *head;
    return head;
  }

  Engine& engine_;
  Journal journal_;
  HeldPlan plan_;
  base::SeededRandom random_;
};

TEST_P(BudgetsTest, SixtyFourPlansRaceForACapAndUseNearlyAllOfIt) {
  constexpr model::Microdollars kCap = 1'000'000;
  const Cost worst_case{kCap / 50, 0};
  cap("day/1", {kCap});
  std::vector<std::unique_ptr<Spender>> spenders;
  for (std::uint64_t i = 0; i < 64; ++i) {
    spenders.push_back(std::make_unique<Spender>(engine(), clock(), create(), i + 1));
  }
  test::together(64,
                 [&](int worker) { spenders[static_cast<std::size_t>(worker)]->run(worst_case); });
  const Budget left = budgets().find("day/1").value();
  EXPECT_EQ(left.reserved, Cost());
  EXPECT_LE(left.spent.money, kCap);
  EXPECT_GE(left.spent.money, kCap / 100 * 95);
}

CLEVER_ALL_ENGINES(BudgetsTest);

}  // namespace
}  // namespace clever::storage
