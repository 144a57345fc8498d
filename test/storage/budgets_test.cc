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
using RoomAnswer = Budgets::Room::Answer;

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
  [[nodiscard]] RoomAnswer room(const Scopes& scopes, const Cost& cost) {
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
  EXPECT_EQ(room({"plan/1"}, {1, 0}), RoomAnswer::kFull);
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
  const std::int64_t reservation = reserve(plan, {"s"}, {90, 0});
  // What is put aside may come back.
  EXPECT_FALSE(budgets().find("s").value().nearly_used_up());
  append(plan, {BudgetSettled{reservation, {"s"}, {90, 0}, {90, 0}}.to_event()});
  EXPECT_TRUE(budgets().find("s").value().nearly_used_up());
}

TEST_P(BudgetsTest, ARefusedOneWaitsWhileOthersAreOutstanding) {
  cap("s", {100});
  HeldPlan plan = create();
  reserve(plan, {"s"}, {60, 0});
  EXPECT_EQ(room({"s"}, {40, 0}), RoomAnswer::kFits);
  EXPECT_EQ(room({"s"}, {41, 0}), RoomAnswer::kWait);
  EXPECT_EQ(room({"s"}, {101, 0}), RoomAnswer::kFull);
  EXPECT_EQ(room({"s", "none"}, {41, 0}), RoomAnswer::kFull);
}

TEST_P(BudgetsTest, WhoWaitsIsWokenWhenAnotherSettles) {
  cap("s", {100});
  HeldPlan plan = create();
  const std::int64_t reservation = reserve(plan, {"s"}, {60, 0});
  TopicWatch watch(engine(), budget_topic("s"));
  const auto seen = watch.changes();
  append(plan, {BudgetSettled{reservation, {"s"}, {60, 0}, {}}.to_event()});
  EXPECT_TRUE(watch.wait(seen, {}, base::Deadline::never()).ok());
  EXPECT_EQ(room({"s"}, {41, 0}), RoomAnswer::kFits);
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
      if (room.answer == RoomAnswer::kFull) return false;
      if (room.answer == RoomAnswer::kWait) {
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

TEST_P(BudgetsTest, AScopeWithoutACapIsSummedWhenItIsLookedAt) {
  for (const char* scope : {"day/1", "plan/1"}) cap(scope, {});
  HeldPlan one = create();
  HeldPlan two = create();
  const std::int64_t reservation = reserve(one, {"day/1", "plan/1"}, {60, 6});
  reserve(two, {"day/1"}, {5, 1});
  append(one, {BudgetSettled{reservation, {"day/1", "plan/1"}, {60, 6}, {45, 4}}.to_event()});
  EXPECT_EQ(budgets().find("day/1").value(), (Budget{"day/1", {}, {5, 1}, {45, 4}}));
  EXPECT_EQ(budgets().list().value()[1], (Budget{"plan/1", {}, {}, {45, 4}}));
  EXPECT_EQ(number("SELECT count(*) FROM budget WHERE reserved + spent + tokens_reserved > 0"), 0)
      << "nobody waits for a row that nobody changes";
}

TEST_P(BudgetsTest, ACapThatIsSetLaterCountsWhatWasSpentBefore) {
  cap("s", {});
  HeldPlan plan = create();
  const std::int64_t first = reserve(plan, {"s"}, {60, 6});
  append(plan, {BudgetSettled{first, {"s"}, {60, 6}, {45, 4}}.to_event()});
  const std::int64_t second = reserve(plan, {"s"}, {30, 3});
  cap("s", {100});
  EXPECT_EQ(budgets().find("s").value(), (Budget{"s", {100}, {30, 3}, {45, 4}}));
  EXPECT_EQ(refusal(plan, BudgetReserved{{"s"}, {26, 0}}.to_event()),
            ErrorCode::kResourceExhausted);
  append(plan, {BudgetSettled{second, {"s"}, {30, 3}, {30, 3}}.to_event()});
  reserve(plan, {"s"}, {25, 0});
  EXPECT_EQ(budgets().find("s").value().left().money, 0);
}

TEST_P(BudgetsTest, ACapThatIsTakenAwayAndSetAgainForgetsNothing) {
  cap("s", {100});
  HeldPlan plan = create();
  reserve(plan, {"s"}, {60, 0});
  cap("s", {});
  const std::int64_t reservation = reserve(plan, {"s"}, {1'000, 0});
  EXPECT_EQ(budgets().find("s").value(), (Budget{"s", {}, {1'060, 0}, {}}));
  append(plan, {BudgetSettled{reservation, {"s"}, {1'000, 0}, {7, 0}}.to_event()});
  cap("s", {100});
  EXPECT_EQ(budgets().find("s").value(), (Budget{"s", {100}, {60, 0}, {7, 0}}));
  EXPECT_EQ(refusal(plan, BudgetReserved{{"s"}, {34, 0}}.to_event()),
            ErrorCode::kResourceExhausted);
}

TEST_P(BudgetsTest, WithoutACapEverythingFitsButWhatCannotBeAddedUp) {
  cap("s", {});
  HeldPlan plan = create();
  reserve(plan, {"s"}, {model::kLargestAmount - 1, 0});
  reserve(plan, {"s"}, {1, 0});
  EXPECT_EQ(room({"s"}, {model::kLargestAmount, 0}), RoomAnswer::kFits);
  EXPECT_EQ(refusal(plan, BudgetReserved{{"s"}, {1, 0}}.to_event()), ErrorCode::kResourceExhausted);
  HeldPlan another = create();
  reserve(another, {"s"}, {model::kLargestAmount, 0});
}

TEST_P(BudgetsTest, AnOverrunStopsAPlanWithoutACapToo) {
  cap("plan/1", {});
  HeldPlan plan = create();
  const std::int64_t reservation = reserve(plan, {"plan/1"}, {10, 0});
  append(plan, {BudgetSettled{reservation, {"plan/1"}, {10, 0}, {12, 0}}.to_event()});
  EXPECT_EQ(refusal(plan, BudgetReserved{{"plan/1"}, {1, 0}}.to_event()),
            ErrorCode::kResourceExhausted);
  EXPECT_EQ(room({"plan/1"}, {1, 0}), RoomAnswer::kFull);
}

TEST_P(BudgetsTest, AnOpenEndedReservationMayCostMoreUpToTheCap) {
  cap("plan/1", {20});
  HeldPlan plan = create();
  std::int64_t reservation = reserve(plan, {"plan/1"}, {5, 0});
  append(plan, {BudgetSettled{reservation, {"plan/1"}, {5, 0}, {12, 0}, true}.to_event()});
  EXPECT_EQ(room({"plan/1"}, {5, 0}), RoomAnswer::kFits);
  reservation = reserve(plan, {"plan/1"}, {5, 0});
  append(plan, {BudgetSettled{reservation, {"plan/1"}, {5, 0}, {12, 0}, true}.to_event()});
  EXPECT_EQ(budgets().find("plan/1").value().spent, (Cost{24, 0}));
  EXPECT_EQ(room({"plan/1"}, {1, 0}), RoomAnswer::kFull);
}

TEST_P(BudgetsTest, AnyNumberOfScopesIsTakenTogether) {
  Scopes scopes;
  for (int i = 0; i < 9; ++i) {
    scopes.push_back("s" + std::to_string(i));
    cap(scopes.back(), i % 2 == 0 ? Caps{} : Caps{100});
  }
  HeldPlan plan = create();
  const std::int64_t reservation = reserve(plan, scopes, {60, 0});
  EXPECT_EQ(refusal(plan, BudgetReserved{scopes, {41, 0}}.to_event()),
            ErrorCode::kResourceExhausted);
  append(plan, {BudgetSettled{reservation, scopes, {60, 0}, {50, 0}}.to_event()});
  for (const Budget& budget : budgets().list().value()) {
    EXPECT_EQ(budget.reserved, Cost()) << budget.scope;
    EXPECT_EQ(budget.spent, (Cost{50, 0})) << budget.scope;
  }
}

// Two processes spend from a scope that has no cap until there is one: from then on it holds, and
// counts everything.
TEST_P(BudgetsTest, ACapThatIsSetWhilePlansSpendIsNeverPassed) {
  const Cost worst_case{1'000, 0};
  cap("day/1", {});
  const std::unique_ptr<Engine> other = in_memory() ? nullptr : database().open();
  std::vector<std::unique_ptr<Spender>> spenders;
  for (std::uint64_t i = 0; i < 16; ++i) {
    Engine& where = i % 2 == 0 || other == nullptr ? engine() : *other;
    spenders.push_back(std::make_unique<Spender>(where, clock(), create(), i + 1));
  }
  model::Microdollars most = 0;
  const auto used = [&] {
    const Budget now = budgets().find("day/1").value();
    return now.spent.money + now.reserved.money;
  };
  test::together(17, [&](int worker) {
    if (worker < 16) return spenders[static_cast<std::size_t>(worker)]->run(worst_case);
    while (used() < 20 * worst_case.money) {
    }
    // Those who were faster than this thread have passed the first one, and stand still then.
    do {
      most = used() + 200 * worst_case.money;
      cap("day/1", {most});
    } while (used() > most);
  });
  const Budget counted = budgets().find("day/1").value();
  EXPECT_EQ(counted.reserved, Cost());
  EXPECT_EQ(counted.spent.money, number("SELECT CAST(sum(spent) AS BIGINT) FROM budget_entry"));
  EXPECT_LE(counted.spent.money, most);
}

CLEVER_ALL_ENGINES(BudgetsTest);

// What an earlier program has left.
class OlderBudgetsTest : public ::testing::TestWithParam<testing::EngineKind> {};

TEST_P(OlderBudgetsTest, ScopesKeepTheirSums) {
  testing::TestDatabase database(GetParam());
  {
    const auto engine = database.open({.migrations = schema().first(5)});
    UnitOfWork unit;
    unit.run(
        "INSERT INTO budget (scope, cap, token_cap, reserved, spent, tokens_reserved, "
        "tokens_spent) VALUES ('capped', 100, $1, 10, 20, 1, 2), ('free', $1, $1, 10, 20, 1, 2), "
        "('of tokens', $1, 50, 10, 20, 1, 2)",
        model::kLargestAmount);
    unit.run(
        "INSERT INTO budget_entry (scope, plan, reserved, spent, tokens_reserved, tokens_spent) "
        "SELECT scope, $1, 4, 20, 1, 0 FROM budget",
        Blob{std::string(16, 'a')});
    unit.run(
        "INSERT INTO budget_entry (scope, plan, reserved, spent, tokens_reserved, tokens_spent) "
        "SELECT scope, $1, 6, 0, 0, 2 FROM budget",
        Blob{std::string(16, 'b')});
    engine->commit(std::move(unit)).value();
  }
  const auto engine = database.open();
  EXPECT_EQ(
      Budgets(*engine).list().value(),
      (std::vector{Budget{"capped", {100}, {10, 1}, {20, 2}}, Budget{"free", {}, {10, 1}, {20, 2}},
                   Budget{"of tokens", {.tokens = 50}, {10, 1}, {20, 2}}}));
}

CLEVER_SHARED_ENGINES(OlderBudgetsTest);

}  // namespace
}  // namespace clever::storage
