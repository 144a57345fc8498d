#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "base/atomic.h"
#include "base/guarded.h"
#include "explore/explore.h"
#include "storage/internal/notifications.h"
#include "support/every_schedule.h"

namespace clever::storage::internal {
namespace {

// Copies the listeners under the lock, and calls them outside it: correct so far, but a listener
// that unsubscribes in between is called all the same.
class NaiveNotifications {
 public:
  class Handle {
   public:
    explicit Handle(NaiveNotifications& from) : from_(from) {}
    ~Handle() {
      from_.wakes_.with([](auto& wakes) { wakes.clear(); });
    }
    Handle(const Handle&) = delete;
    Handle& operator=(const Handle&) = delete;

   private:
    NaiveNotifications& from_;
  };
  std::unique_ptr<Handle> subscribe(const std::string& /*topic*/, std::function<void()> wake) {
    wakes_.with([&](auto& wakes) { wakes.push_back(std::move(wake)); });
    return std::make_unique<Handle>(*this);
  }
  void publish(const std::vector<std::string>& /*topics*/) {
    const auto called = wakes_.with([](const auto& wakes) { return wakes; });
    for (const auto& wake : called) wake();
  }

 private:
  base::Guarded<std::vector<std::function<void()>>> wakes_;
};

template <class Kind>
void unsubscribe_against_publish(explore::Run& run) {
  Kind notifications;
  base::Atomic<int> gone;  // the subscription's destructor has returned
  auto subscription = notifications.subscribe("plans", [&] {
    run.require(gone.load() == 0, "called after it had unsubscribed");
    run.require(gone.load() == 0, "still running after it had unsubscribed");
  });
  run.thread("publisher", [&] { notifications.publish({"plans"}); });
  run.thread("listener", [&] {
    subscription.reset();
    gone.store(1);
  });
  run.join();
}

TEST(NotificationsExplore, ACopyOfTheListCallsWhoHasUnsubscribed) {
  EXPECT_FINDS(
      explore::Failure::kCheck,
      explore::explore(test::kEverySchedule, unsubscribe_against_publish<NaiveNotifications>));
}

TEST(NotificationsExplore, CallsNoListenerAfterItUnsubscribes) {
  test::expect_no_failing_schedule(unsubscribe_against_publish<Notifications>);
}

TEST(NotificationsExplore, TwoPublishersAndOneWhoLeaves) {
  test::expect_no_failing_schedule([](explore::Run& run) {
    Notifications notifications;
    base::Atomic<int> gone;  // the subscription's destructor has returned
    auto subscription = notifications.subscribe(
        "plans", [&] { run.require(gone.load() == 0, "called after it had unsubscribed"); });
    run.thread("one", [&] { notifications.publish({"plans"}); });
    run.thread("two", [&] { notifications.publish_all(); });
    run.thread("listener", [&] {
      subscription.reset();
      gone.store(1);
    });
    run.join();
  });
}

TEST(NotificationsExplore, EveryPublisherCallsARemainingSubscriber) {
  test::expect_no_failing_schedule([](explore::Run& run) {
    Notifications notifications;
    base::Atomic<int> calls;  // counted only
    const auto subscription = notifications.subscribe("plans", [&] { calls.fetch_add(1); });
    for (const char* name : {"one", "two"}) {
      run.thread(name, [&] { notifications.publish({"plans"}); });
    }
    run.join();
    run.require(calls.load() == 2, "a notification was lost");
  });
}

// What the callback held is let go by who unsubscribes, never by a publisher.
TEST(NotificationsExplore, NothingOfTheCallbackIsLeftWithThePublisher) {
  test::expect_no_failing_schedule([](explore::Run& run) {
    Notifications notifications;
    const auto held = std::make_shared<int>(1);
    auto subscription = notifications.subscribe("plans", [held] {});
    run.thread("publisher", [&] { notifications.publish({"plans"}); });
    run.thread("listener", [&] {
      subscription.reset();
      run.require(held.use_count() == 1, "the callback is still there");
    });
    run.join();
  });
}

}  // namespace
}  // namespace clever::storage::internal
