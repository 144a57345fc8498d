#include "provider/governor/internal/fair_queue.h"

#include <gtest/gtest.h>

#include <set>

#include "base/random.h"

namespace clever::provider::governor {
namespace {

class FairQueueTest : public testing::Test {
 protected:
  void push(const std::string& flow, std::uint64_t ticket, bool first = false) {
    queue_.push(flow, Ticket{ticket}, first);
  }
  std::string order() {
    std::string text;
    while (const auto ticket = queue_.pop()) {
      text += std::to_string(static_cast<std::uint64_t>(*ticket)) + " ";
    }
    return text;
  }
  FairQueue queue_;
};

TEST_F(FairQueueTest, IsEmptyAtFirst) {
  EXPECT_TRUE(queue_.empty());
  EXPECT_EQ(queue_.pop(), std::nullopt);
  EXPECT_EQ(queue_.next(), std::nullopt);
}

TEST_F(FairQueueTest, ServesFlowsInTurnAndEachInOrder) {
  for (std::uint64_t i = 1; i <= 3; ++i) push("a", i);
  for (std::uint64_t i = 11; i <= 13; ++i) push("b", i);
  EXPECT_EQ(queue_.flows(), 2U);
  EXPECT_EQ(order(), "1 11 2 12 3 13 ");
}

TEST_F(FairQueueTest, OneThatComesAgainGoesFirstAndHasNotHadItsTurn) {
  for (std::uint64_t i = 1; i <= 3; ++i) push("a", i);
  for (std::uint64_t i = 11; i <= 13; ++i) push("b", i);
  EXPECT_EQ(queue_.pop(), Ticket{1});
  EXPECT_EQ(queue_.pop(), Ticket{11});
  push("a", 1, true);
  EXPECT_EQ(order(), "1 12 2 13 3 ");
}

TEST_F(FairQueueTest, AskingForOneAtATimeGainsNothing) {
  for (std::uint64_t i = 1; i <= 10; ++i) push("a", i);
  push("b", 100);
  std::string text;
  for (int i = 0; i < 8; ++i) {
    const auto ticket = static_cast<std::uint64_t>(*queue_.pop());
    text += ticket >= 100 ? "b" : "a";
    if (ticket >= 100) push("b", ticket + 1);
  }
  EXPECT_EQ(text, "abababab");
}

TEST_F(FairQueueTest, RemovedOnesAreSkipped) {
  for (std::uint64_t i = 1; i <= 3; ++i) push("a", i);
  push("b", 11);
  EXPECT_TRUE(queue_.remove(Ticket{2}));
  EXPECT_FALSE(queue_.remove(Ticket{2}));
  EXPECT_TRUE(queue_.remove(Ticket{11}));
  EXPECT_EQ(queue_.flows(), 1U);
  EXPECT_EQ(order(), "1 3 ");
}

TEST_F(FairQueueTest, EstimatesHowManyAreBefore) {
  for (std::uint64_t i = 1; i <= 100; ++i) push("a", i);
  push("b", 200);
  EXPECT_EQ(queue_.ahead_of(Ticket{1}), 0U);
  EXPECT_EQ(queue_.ahead_of(Ticket{11}), 20U);
  EXPECT_EQ(queue_.ahead_of(Ticket{100}), 100U);
  EXPECT_EQ(queue_.ahead_of(Ticket{200}), 0U);
  EXPECT_EQ(queue_.ahead_of(Ticket{999}), 0U);
}

// Of two flows that both wait all the time, neither is served twice before the other once.
TEST_F(FairQueueTest, FlowsThatWaitAreServedEquallyOften) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    base::SeededRandom random(seed);
    FairQueue queue;
    std::uint64_t last = 0;
    std::map<Ticket, std::string> flow_of;
    const auto push_one = [&](const std::string& flow) {
      const Ticket ticket{++last};
      flow_of[ticket] = flow;
      queue.push(flow, ticket, false);
    };
    for (int i = 0; i < 300; ++i) {
      push_one("steady-1");
      push_one("steady-2");
    }
    int lead = 0;
    std::set<Ticket> served;
    for (int i = 0; i < 500; ++i) {
      const std::uint64_t choice = random.below(4);
      if (choice == 0) push_one("guest-" + std::to_string(random.below(5)));
      if (choice == 1 && last > 600) (void)queue.remove(Ticket{601 + random.below(last - 600)});
      const auto ticket = queue.pop();
      ASSERT_TRUE(ticket);
      ASSERT_TRUE(served.insert(*ticket).second) << "served twice";
      if (flow_of[*ticket] == "steady-1") ++lead;
      if (flow_of[*ticket] == "steady-2") --lead;
      ASSERT_LE(std::abs(lead), 1) << "seed " << seed;
    }
  }
}

}  // namespace
}  // namespace clever::provider::governor
