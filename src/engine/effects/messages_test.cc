#include "engine/effects/internal/messages.h"

#include <gtest/gtest.h>

#include "base/clock.h"
#include "base/random.h"
#include "base/ulid.h"
#include "explore/explore.h"
#include "support/bodies_store.h"

namespace clever::engine::internal {
namespace {

using test::BodiesStore;

std::string text_of(const Messages::Loaded& message) {
  return std::get<model::Text>(message->parts.at(0)).text;
}

TEST(Messages, ComeInTheOrderAskedFor) {
  BodiesStore store;
  Messages messages(store, 10'000);
  const auto a = store.add("a");
  const auto b = store.add("b");
  const auto loaded = messages.load({b, a, b}).value();
  ASSERT_EQ(loaded.size(), 3U);
  EXPECT_EQ(text_of(loaded[0]), "b");
  EXPECT_EQ(text_of(loaded[1]), "a");
  EXPECT_EQ(text_of(loaded[2]), "b");
}

TEST(Messages, AreReadOnce) {
  BodiesStore store;
  Messages messages(store, 10'000);
  const auto a = store.add("a");
  (void)messages.load(a);
  const auto b = store.add("b");
  (void)messages.load({a, b});
  EXPECT_EQ(store.asked(), 2U);
}

TEST(Messages, WhatIsRememberedIsNotRead) {
  BodiesStore store;
  Messages messages(store, 10'000);
  const auto a = store.add("a");
  messages.remember({model::Role::kUser, {model::Text{"a"}}});
  EXPECT_EQ(text_of(messages.load(a).value()), "a");
  EXPECT_EQ(store.asked(), 0U);
}

TEST(Messages, AConversationSharesWhatIsKept) {
  BodiesStore store;
  Messages messages(store, 10'000);
  const model::PlanId plan(base::Ulid::parse("01J9Z3ZQ6V7W8X9Y0A1B2C3D4E").value());
  std::vector hashes{store.add("a"), store.add("b")};
  const auto first = messages.conversation(plan, hashes).value();
  hashes.push_back(store.add("c"));
  const auto longer = messages.conversation(plan, hashes).value();
  ASSERT_EQ(longer.size(), 3U);
  EXPECT_EQ(longer.items()[1].shared(), first.items()[1].shared());
  EXPECT_NE(longer.items()[1].shared(), nullptr);
  EXPECT_EQ(store.asked(), 3U);
}

TEST(Messages, AConversationMayHaveBeenCut) {
  BodiesStore store;
  Messages messages(store, 10'000);
  const model::PlanId plan(base::Ulid::parse("01J9Z3ZQ6V7W8X9Y0A1B2C3D4E").value());
  const auto a = store.add("a");
  const auto b = store.add("b");
  const auto c = store.add("c");
  (void)messages.conversation(plan, {a, b, c});
  const auto other = messages.conversation(plan, {a, c}).value();
  EXPECT_EQ(other.to_vector(), (std::vector{*messages.load(a).value(), *messages.load(c).value()}));
  EXPECT_TRUE(messages.conversation(plan, {})->empty());
}

TEST(Messages, AConversationWithAMissingMessageIsNotFound) {
  BodiesStore store;
  Messages messages(store, 10'000);
  EXPECT_EQ(messages.conversation({}, {base::sha256("x")}).error().code(),
            base::ErrorCode::kNotFound);
}

TEST(Messages, ManyConversationsAreAnOrdinaryCase) {
  BodiesStore store;
  Messages messages(store, 10'000);
  const auto a = store.add("a");
  base::SystemRandom random;
  base::SystemClock clock;
  base::UlidGenerator ids(clock, random);
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(messages.conversation(model::PlanId(ids.next()), {a})->size(), 1U);
  }
  EXPECT_EQ(store.asked(), 1U);
}

TEST(Messages, NothingIsAskedForNothing) {
  BodiesStore store;
  Messages messages(store, 10'000);
  EXPECT_TRUE(messages.load(std::vector<base::Sha256Digest>())->empty());
  EXPECT_EQ(store.asked(), 0U);
}

TEST(Messages, KeepsTheLastUsedWithinItsBound) {
  BodiesStore store;
  const auto a = store.add(std::string(100, 'a'));
  const auto b = store.add(std::string(100, 'b'));
  const auto c = store.add(std::string(100, 'c'));
  Messages messages(store, 400);  // two of them, with their JSON
  for (const auto& hash : {a, b, a, c}) (void)messages.load(hash);
  EXPECT_EQ(store.asked(), 3U);
  (void)messages.load(a);
  EXPECT_EQ(store.asked(), 3U);
  (void)messages.load(b);
  EXPECT_EQ(store.asked(), 4U);
}

TEST(Messages, WhatIsLargerThanAllIsNotKept) {
  BodiesStore store;
  const auto a = store.add(std::string(1000, 'a'));
  Messages messages(store, 100);
  EXPECT_EQ(text_of(messages.load(a).value()).size(), 1000U);
  (void)messages.load(a);
  EXPECT_EQ(store.asked(), 2U);
}

TEST(Messages, WhatIsMissingIsNotFound) {
  BodiesStore store;
  Messages messages(store, 100);
  EXPECT_EQ(messages.load(base::sha256("x")).error().code(), base::ErrorCode::kNotFound);
}

TEST(Messages, AnInvalidMessageIsCorruption) {
  BodiesStore store;
  Messages messages(store, 100);
  EXPECT_EQ(messages.load(store.add_raw("{")).error().code(), base::ErrorCode::kCorruption);
  EXPECT_EQ(messages.load(store.add_raw("[]")).error().code(), base::ErrorCode::kCorruption);
}

TEST(MessagesExplore, ReadersAtOnceGetTheirOwn) {
  EXPECT_NO_FAILURE(explore::explore({.schedules = 2000}, [](explore::Run& run) {
    BodiesStore store;
    const auto a = store.add("a");
    const auto b = store.add("b");
    Messages messages(store, 60);  // one of them
    for (const auto& [first, second] : {std::pair(a, b), std::pair(b, a)}) {
      run.thread("reads", [&run, &messages, &a, first, second] {
        const auto loaded = messages.load({first, second}).value();
        const bool is_a = first == a;
        run.require(text_of(loaded[0]) == (is_a ? "a" : "b"), "another one's words");
        run.require(text_of(loaded[1]) == (is_a ? "b" : "a"), "another one's words");
      });
    }
    run.join();
  }));
}

}  // namespace
}  // namespace clever::engine::internal
