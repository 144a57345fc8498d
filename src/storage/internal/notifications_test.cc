#include "storage/internal/notifications.h"

#include <gtest/gtest.h>

#include <memory>

namespace clever::storage::internal {
namespace {

struct NotificationsTest : testing::Test {
  std::unique_ptr<Subscription> subscribe(std::string topic, int& calls) {
    return notifications->subscribe(std::move(topic), [&calls] { ++calls; });
  }
  std::optional<Notifications> notifications{std::in_place};
};

TEST_F(NotificationsTest, CallsThoseWhoSubscribedToTheTopic) {
  int plans = 0;
  int jobs = 0;
  const auto first = subscribe("plans", plans);
  const auto second = subscribe("jobs", jobs);
  notifications->publish({"plans", "nobody's"});
  EXPECT_EQ(plans, 1);
  EXPECT_EQ(jobs, 0);
}

TEST_F(NotificationsTest, CallsEachOnceHoweverOftenATopicIsNamed) {
  int calls = 0;
  int others = 0;
  const auto one = subscribe("plans", calls);
  const auto two = subscribe("plans", others);
  notifications->publish({"plans", "plans"});
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(others, 1);
}

TEST_F(NotificationsTest, PublishAllCallsEverybody) {
  int plans = 0;
  int jobs = 0;
  const auto first = subscribe("plans", plans);
  const auto second = subscribe("jobs", jobs);
  notifications->publish_all();
  EXPECT_EQ(plans + jobs, 2);
}

TEST_F(NotificationsTest, CallsNoListenerAfterItUnsubscribes) {
  int calls = 0;
  auto subscription = subscribe("plans", calls);
  EXPECT_FALSE(notifications->empty());
  subscription.reset();
  notifications->publish({"plans"});
  notifications->publish_all();
  notifications->publish({});
  EXPECT_EQ(calls, 0);
  EXPECT_TRUE(notifications->empty());
}

TEST_F(NotificationsTest, ASubscriptionMayOutliveThem) {
  int calls = 0;
  auto subscription = subscribe("plans", calls);
  notifications.reset();
  subscription.reset();
  EXPECT_EQ(calls, 0);
}

// While a listener is called, the rest of those to be called is held by the publisher.
TEST_F(NotificationsTest, AnEndedSubscriptionReleasesItsCallback) {
  const auto held = std::make_shared<int>(1);
  auto second = notifications->subscribe("plans", [held] {});
  long holders = 0;
  const auto first = notifications->subscribe("plans", [&] {
    second.reset();
    holders = held.use_count();
  });
  notifications->publish({"plans"});
  EXPECT_EQ(holders, 1);
}

}  // namespace
}  // namespace clever::storage::internal
