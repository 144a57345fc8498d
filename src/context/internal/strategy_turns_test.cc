#include "context/internal/strategy_turns.h"

#include <gtest/gtest.h>

#include <chrono>

namespace clever::context::internal {
namespace {

using Kind = StrategyTurns::Answer::Kind;
using std::chrono::seconds;

constexpr base::TimePoint kNow{seconds(100)};

struct Asker {
  std::shared_ptr<StrategyBell> bell = std::make_shared<StrategyBell>();

  StrategyTurns::Answer ask(StrategyTurns& turns, base::TimePoint now = kNow) const {
    return turns.ask(this, bell, now, now + seconds(2));
  }
  [[nodiscard]] std::uint64_t rings() const { return bell->heard(); }
};

TEST(StrategyTurns, GrantsAFreePlace) {
  StrategyTurns turns(1);
  const Asker first;
  EXPECT_EQ(first.ask(turns).kind, Kind::kGranted);
}

TEST(StrategyTurns, GivesEachItsOwnPlace) {
  StrategyTurns turns(2);
  const Asker first;
  const Asker second;
  EXPECT_NE(first.ask(turns).place, second.ask(turns).place);
}

TEST(StrategyTurns, LetsOthersWaitAndRingsForTheFirst) {
  StrategyTurns turns(1);
  const Asker running;
  const Asker second;
  const Asker third;
  const std::size_t place = running.ask(turns).place;
  const auto answer = second.ask(turns);
  EXPECT_EQ(answer.kind, Kind::kWait);
  EXPECT_EQ(answer.again, kNow + seconds(2));
  EXPECT_EQ(third.ask(turns).kind, Kind::kWait);
  turns.end(place);
  EXPECT_EQ(second.rings(), 1U);
  EXPECT_EQ(third.ask(turns).kind, Kind::kWait) << "the second came first";
  EXPECT_EQ(second.ask(turns).kind, Kind::kGranted);
}

TEST(StrategyTurns, ALeavingCallerLetsTheNextOneRun) {
  StrategyTurns turns(1);
  const Asker running;
  const Asker second;
  const Asker third;
  const std::size_t place = running.ask(turns).place;
  (void)second.ask(turns);
  (void)third.ask(turns);
  turns.end(place);
  turns.leave(&second);
  EXPECT_EQ(third.rings(), 1U);
  EXPECT_EQ(third.ask(turns).kind, Kind::kGranted);
}

TEST(StrategyTurns, NoRunStartsWhileOneIsOverdue) {
  StrategyTurns turns(2);
  const Asker running;
  const Asker other;
  const std::size_t place = running.ask(turns).place;
  EXPECT_EQ(other.ask(turns, kNow + seconds(2)).kind, Kind::kOverdue);
  turns.end(place);
  EXPECT_EQ(other.ask(turns, kNow + seconds(2)).kind, Kind::kGranted);
}

TEST(StrategyTurns, AWaiterThatLearnsOfAnOverdueRunStopsWaiting) {
  StrategyTurns turns(1);
  const Asker running;
  const Asker second;
  const Asker third;
  const std::size_t place = running.ask(turns).place;
  (void)second.ask(turns);
  EXPECT_EQ(second.ask(turns, kNow + seconds(3)).kind, Kind::kOverdue);
  turns.end(place);
  EXPECT_EQ(third.ask(turns).kind, Kind::kGranted);
}

}  // namespace
}  // namespace clever::context::internal
