// Real threads on one database: many plans that are appended to, tailed and taken over at once.

#include <atomic>

#include "base/thread.h"
#include "storage/inbox.h"
#include "storage/journal_verify.h"
#include "storage/plan_test.h"
#include "support/journal_tail.h"

namespace clever::storage {
namespace {

using testing::HeldPlan;
using testing::note;

constexpr int kPlans = 64;
constexpr int kEventsEach = 20;
constexpr int kDrivers = 16;

class JournalStressTest : public testing::PlanTest {
 protected:
  using Threads = std::vector<std::unique_ptr<base::Thread>>;

  // Drives a plan as a process would: takes the lease, appends, and dies. What it was told is kept.
  void drive(const model::PlanId& plan, const OwnerLock& driver, std::atomic<int>& acknowledged) {
    Leases own_leases(engine());
    Journal own = journal();
    const auto lease = own_leases.acquire(plan, driver, testing::kTtl);
    if (!lease.ok()) {
      EXPECT_EQ(lease.error().code(), base::ErrorCode::kConflict);
      return;
    }
    HeldPlan held{plan, *lease, own.state(plan).value().head};
    for (int i = 0; i < 5 && acknowledged < kEventsEach; ++i) {
      const auto head = own.append(make_append(held, {note("x")}));
      // Nobody else can append under this lease, and nobody takes it while its owner lives.
      ASSERT_TRUE(head.ok()) << head.error().to_string();
      held.head = *head;
      ++acknowledged;
    }
  }
};

TEST_P(JournalStressTest, PlansThatChangeHandsLoseNothing) {
  std::vector<model::PlanId> plans;
  std::vector<std::atomic<int>> acknowledged(kPlans);  // counts, publish nothing
  for (int i = 0; i < kPlans; ++i) plans.push_back(world().next<model::PlanId>());
  {
    Threads drivers;
    for (int i = 0; i < kDrivers; ++i) {
      drivers.push_back(std::make_unique<base::Thread>("driver", [&, i](const base::StopToken&) {
        for (std::size_t turn = 0; turn < kPlans * 12; ++turn) {
          const std::size_t index = (turn * 7 + static_cast<std::size_t>(i) * 5) % kPlans;
          if (acknowledged[index] >= kEventsEach) continue;
          // A new owner each time: when it is gone, its leases are the next one's at once.
          const OwnerLock driver = world().new_owner();
          drive(plans[index], driver, acknowledged[index]);
        }
      }));
    }
  }
  Journal reading = journal();
  for (std::size_t i = 0; i < kPlans; ++i) {
    EXPECT_EQ(reading.state(plans[i]).value().head.sequence, acknowledged[i]);
    EXPECT_GE(acknowledged[i], kEventsEach);
  }
  const auto verdict = JournalVerify(engine())
                           .verify_all([](std::string_view, std::uint64_t, std::uint64_t) {})
                           .value();
  EXPECT_TRUE(verdict.sound()) << verdict.faults.front().to_string();
}

TEST_P(JournalStressTest, TailsSeeEveryEventOnce) {
  std::vector<HeldPlan> plans;
  for (int i = 0; i < 8; ++i) plans.push_back(create());
  Threads threads;
  for (HeldPlan& plan : plans) {
    threads.push_back(
        std::make_unique<base::Thread>("reader", [&, id = plan.id](const base::StopToken&) {
          Journal own = journal();
          test::JournalTail tail(own, engine(), id, 0);
          std::int64_t expected = 1;
          while (expected <= 1 + kEventsEach) {
            for (const auto& event : tail.next(4).value()) EXPECT_EQ(event.sequence, expected++);
          }
        }));
    threads.push_back(std::make_unique<base::Thread>("writer", [&](const base::StopToken&) {
      for (int i = 0; i < kEventsEach; ++i) append(plan, {note("x")});
    }));
  }
  for (auto& thread : threads) thread->join();
}

// Two hundred commands under a hundred keys: each is new once, and consumed once.
TEST_P(JournalStressTest, CommandsAreConsumedOnce) {
  HeldPlan plan = create();
  constexpr int kKeys = 100;
  std::atomic<int> fresh = 0;  // a count, publishes nothing
  std::int64_t consumed = 0;
  Threads threads;
  for (int sender = 0; sender < 8; ++sender) {
    threads.push_back(std::make_unique<base::Thread>("sender", [&](const base::StopToken&) {
      for (int key = 0; key < kKeys; ++key) {
        if (Inbox(engine()).send(plan.id, std::to_string(key), "body").value().is_new) ++fresh;
      }
    }));
  }
  threads.push_back(std::make_unique<base::Thread>("plan", [&](const base::StopToken&) {
    TopicWatch watch(engine(), "plan/" + plan.id.to_string());
    while (consumed < kKeys) {
      const auto seen = watch.changes();
      const auto pending = Inbox(engine()).pending(plan.id).value();
      if (pending.empty()) {
        watch.wait(seen, {}, base::Deadline::never()).value();
        continue;
      }
      auto answer = make_append(plan, {note("answer")});
      for (const Command& command : pending) answer.consumed.push_back({command.id, "ok"});
      plan.head = journal().append(std::move(answer)).value();
      consumed += static_cast<std::int64_t>(pending.size());
    }
  }));
  for (auto& thread : threads) thread->join();
  EXPECT_EQ(fresh, kKeys);
  EXPECT_EQ(consumed, kKeys);
  EXPECT_TRUE(Inbox(engine()).pending(plan.id).value().empty());
}

CLEVER_ALL_ENGINES(JournalStressTest);

}  // namespace
}  // namespace clever::storage
