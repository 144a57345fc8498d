#include <gtest/gtest.h>

#include <atomic>
#include <memory>

#include "storage/internal/notifications.h"
#include "support/together.h"

namespace clever::storage::internal {
namespace {

constexpr int kListeners = 24;
constexpr int kPublishers = 8;
constexpr int kRounds = 300;

TEST(NotificationsStress, CallsNoListenerAfterItUnsubscribes) {
  Notifications notifications;
  std::atomic<int> late = 0;
  const auto listen = [&] {
    for (int round = 0; round < kRounds; ++round) {
      // Not atomic on purpose: ThreadSanitizer sees a call that overlaps what follows the
      // destructor.
      auto calls = std::make_unique<int>(0);
      auto subscription = notifications.subscribe("plans", [&late, held = calls.get()] {
        if (*held < 0) ++late;
      });
      subscription.reset();
      *calls = -1;
    }
  };
  const auto publish = [&] {
    for (int round = 0; round < kRounds; ++round) {
      notifications.publish({"plans", "jobs"});
      notifications.publish_all();
    }
  };
  test::together(kListeners + kPublishers,
                 [&](int worker) { worker < kListeners ? listen() : publish(); });
  EXPECT_EQ(late, 0);
  EXPECT_TRUE(notifications.empty());
}

TEST(NotificationsStress, ARemainingSubscriberGetsEverything) {
  Notifications notifications;
  std::atomic<int> calls = 0;
  const auto subscription = notifications.subscribe("plans", [&] { ++calls; });
  test::together(kPublishers, [&](int) {
    for (int round = 0; round < kRounds; ++round) notifications.publish({"plans"});
  });
  EXPECT_EQ(calls, kPublishers * kRounds);
}

}  // namespace
}  // namespace clever::storage::internal
