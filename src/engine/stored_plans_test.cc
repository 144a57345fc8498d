#include "engine/stored_plans.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/monitor.h"
#include "model/plan_events.h"
#include "sim/engine/engine_kit.h"
#include "storage/keys.h"

namespace clever::engine {
namespace {

using base::ErrorCode;
using ::testing::HasSubstr;

class StoredPlansTest : public ::testing::Test {
 protected:
  [[nodiscard]] storage::OwnerLock owner() {
    return storage::OwnerLock::acquire(ground_.folder.path() / "owners",
                                       model::OwnerId(ground_.ids.next()))
        .value();
  }
  // Waits for the answer.
  base::Result<storage::Head> append(storage::Append append) {
    base::Monitor<std::optional<base::Result<storage::Head>>> answer;
    store_.append(std::move(append), [&](base::Result<storage::Head> head) {
      answer.update([&](auto& slot) { slot.emplace(std::move(head)); });
    });
    answer.wait({}, base::Deadline::never(), [](const auto& slot) { return slot.has_value(); })
        .value();
    return answer.read([](const auto& slot) { return *slot; });
  }
  storage::Append first(model::Event event) {
    storage::Append append{.plan = plan_, .epoch = store_.acquire(plan_)->epoch};
    append.events.push_back(model::PlanCreated{.title = "t"}.to_event());
    append.events.push_back(std::move(event));
    return append;
  }

  sim::EngineGround ground_;
  const storage::OwnerLock owner_ = owner();
  StoredPlans store_{ground_.database(), ground_.clock, owner_};
  const model::PlanId plan_ = sim::plan_id(1);
};

TEST_F(StoredPlansTest, LoadsWhatWasAppended) {
  const auto head = append(first(model::PlanMoved{}.to_event())).value();
  const auto loaded = store_.load(plan_).value();
  EXPECT_EQ(loaded.events.size(), 2U);
  EXPECT_EQ(loaded.state.head, head);
  EXPECT_EQ(store_.journal(plan_).value(), loaded.state);
}

TEST_F(StoredPlansTest, APlanWithUnknownEventsIsLeftToOthers) {
  ASSERT_TRUE(append(first({"dream.dreamt", 1, "{}"})).ok());
  const auto loaded = store_.load(plan_);
  ASSERT_FALSE(loaded.ok());
  EXPECT_EQ(loaded.error().code(), ErrorCode::kConflict);
  EXPECT_THAT(loaded.error().message(), HasSubstr("dream.dreamt"));
}

TEST_F(StoredPlansTest, ALeaseHasOneHolder) {
  const storage::OwnerLock other_owner = owner();
  StoredPlans other(ground_.database(), ground_.clock, other_owner);
  const auto lease = store_.acquire(plan_).value();
  EXPECT_EQ(store_.renew().value(), std::vector{lease});
  EXPECT_EQ(other.acquire(plan_).error().code(), ErrorCode::kConflict);
  ASSERT_TRUE(store_.release(lease).ok());
  EXPECT_TRUE(other.acquire(plan_).ok());
}

TEST_F(StoredPlansTest, OneAppendMakesANewPlanAndLeavesItFree) {
  const auto begin = [&] {
    auto around = store_.first_statements(plan_, {.money = 5}).value().value();
    storage::Append first{.plan = plan_, .epoch = around.lease.epoch};
    first.events.push_back(model::PlanCreated{.title = "t"}.to_event());
    first.before = std::move(around.before);
    first.also = std::move(around.after);
    return append(std::move(first));
  };
  ASSERT_TRUE(begin().ok());
  EXPECT_EQ(store_.load(plan_)->events.size(), 1U);
  EXPECT_EQ(storage::Budgets(ground_.database()).find("plan/" + plan_.to_string())->cap.money, 5);
  EXPECT_EQ(begin().error().code(), ErrorCode::kConflict);
  EXPECT_EQ(store_.load(plan_)->events.size(), 1U);
  const storage::OwnerLock other_owner = owner();
  StoredPlans other(ground_.database(), ground_.clock, other_owner);
  EXPECT_TRUE(other.acquire(plan_).ok());
}

TEST_F(StoredPlansTest, ACommandSentWithAnAppendIsThereAndWakesItsPlan) {
  const auto child = sim::plan_id(2);
  base::Monitor<int> woken;
  const auto subscription =
      store_.watch_inbox(child, [&] { woken.update([](int& count) { ++count; }); });
  storage::Append append_it = first(model::PlanMoved{}.to_event());
  append_it.also = store_.send_statements(child, "k", "body");
  append_it.topics = {storage::inbox_name(child)};
  ASSERT_TRUE(append(std::move(append_it)).ok());
  woken.wait({}, base::Deadline::never(), [](int count) { return count > 0; }).value();
  ASSERT_TRUE(store_.acquire(child).ok());
  ASSERT_EQ(store_.pending(child)->size(), 1U);
  EXPECT_EQ(store_.pending(child)->front().body, "body");
}

TEST_F(StoredPlansTest, AKeyThatWasUsedBeforeRefusesNothing) {
  storage::Append append_it = first(model::PlanMoved{}.to_event());
  ASSERT_TRUE(store_.send(plan_, "k", "first").ok());
  append_it.also = store_.send_statements(plan_, "k", "second");
  ASSERT_TRUE(append(std::move(append_it)).ok());
  EXPECT_EQ(store_.pending(plan_)->front().body, "first");
  EXPECT_EQ(store_.receipt(plan_, "k")->consumed, 0);
}

TEST_F(StoredPlansTest, KnowsWhatABudgetHasLeft) {
  ASSERT_TRUE(store_.ensure_cap("plan/x", {.money = 10}).ok());
  using Answer = storage::Budgets::Room::Answer;
  EXPECT_EQ(store_.room({"plan/x"}, {.money = 10})->answer, Answer::kFits);
  EXPECT_EQ(store_.room({"plan/x"}, {.money = 11})->answer, Answer::kFull);
  EXPECT_NE(store_.watch_budget("plan/x", [] {}), nullptr);
  EXPECT_NE(store_.watch(plan_, [] {}), nullptr);
}

TEST_F(StoredPlansTest, FindsBodies) {
  storage::Append append_it = first(model::PlanMoved{}.to_event());
  const auto body = storage::Body::of("words");
  append_it.bodies = {body};
  append_it.events.back().bodies = {body.hash};
  ASSERT_TRUE(append(std::move(append_it)).ok());
  EXPECT_EQ(store_.bodies(std::vector{body.hash}).value(), std::vector{body});
}

}  // namespace
}  // namespace clever::engine
