#include <gtest/gtest.h>

#include <map>
#include <memory>

#include "base/guarded.h"
#include "explore/explore.h"
#include "mcp/internal/call_table.h"

// An answer, its repetition, a caller that gives up and the end of the connection meet: the call is
// settled once, and its caller learns how.
namespace clever::mcp::internal {
namespace {

constexpr explore::Options kExhaustive{.strategy = explore::Strategy::kExhaustive,
                                       .schedules = 200'000,
                                       .preemptions = 2,
                                       .max_steps = 20'000};
constexpr explore::Options kRandom{.strategy = explore::Strategy::kRandom, .schedules = 3000};

void answer_meets_the_end(explore::Run& run) {
  CallTable table;
  const auto call = table.open().value();
  bool settled = false;
  bool gave_up = false;
  std::optional<Outcome> outcome;
  run.thread("answer", [&] { settled = table.settle(call.number, Json(1)); });
  run.thread("closed", [&] { table.close(base::unavailable("gone")); });
  run.thread("caller", [&] {
    gave_up = table.abandon(call.number);
    if (!gave_up) outcome = call.call->take({}, base::Deadline::never()).value().outcome;
  });
  run.join();
  run.require(!(gave_up && settled), "an answer went to a call that had been given up");
  run.require(gave_up != outcome.has_value(), "a call has no outcome, or two");
  if (settled) run.require(std::holds_alternative<Json>(*outcome), "the answer was lost");
  run.require(table.size() == 0, "a call is left over");
}

void two_answers(explore::Run& run) {
  CallTable table;
  const auto call = table.open().value();
  std::vector<char> settled(2);
  for (int n = 0; n < 2; ++n) {
    run.thread("answer", [&, n] {
      settled[static_cast<std::size_t>(n)] = table.settle(call.number, Json(n)) ? 1 : 0;
    });
  }
  run.join();
  run.require(settled[0] + settled[1] == 1, "a call was settled twice, or not at all");
  const Outcome outcome = *call.call->take({}, base::Deadline::never()).value().outcome;
  run.require(std::get<Json>(outcome) == (settled[1] != 0 ? 1 : 0), "the wrong answer was kept");
}

void opening_meets_the_end(explore::Run& run) {
  CallTable table;
  bool refused = false;
  bool lost = false;
  run.thread("caller", [&] {
    const auto call = table.open();
    refused = !call.ok();
    if (refused) return;
    const auto news = call->call->take({}, base::Deadline::never()).value();
    lost = std::holds_alternative<RequestLoss>(*news.outcome);
  });
  run.thread("closed", [&] { table.close(base::unavailable("gone")); });
  run.join();
  run.require(refused != lost, "a call outlived its connection");
}

TEST(CallTableExplore, EachCallHasOneEnd) {
  EXPECT_NO_FAILURE(explore::explore(kRandom, answer_meets_the_end));
  EXPECT_NO_FAILURE(explore::explore(kExhaustive, answer_meets_the_end));
}

TEST(CallTableExplore, OneOfTwoAnswersCounts) {
  EXPECT_NO_FAILURE(explore::explore(kExhaustive, two_answers));
}

TEST(CallTableExplore, NoCallOutlivesTheConnection) {
  EXPECT_NO_FAILURE(explore::explore(kExhaustive, opening_meets_the_end));
}

// Looks the call up, settles it, and takes it out afterwards: each step is locked, the three are
// not one.
class NaiveTable {
 public:
  struct Slot {
    base::Guarded<int> settled;
  };
  std::shared_ptr<Slot> open() {
    auto slot = std::make_shared<Slot>();
    slots_.with([&](auto& slots) { slots[1] = slot; });
    return slot;
  }
  bool settle() {
    const auto slot = slots_.with([](auto& slots) {
      const auto found = slots.find(1);
      return found == slots.end() ? nullptr : found->second;
    });
    if (slot == nullptr) return false;
    slot->settled.with([](int& count) { ++count; });
    slots_.with([](auto& slots) { slots.erase(1); });
    return true;
  }

 private:
  base::Guarded<std::map<int, std::shared_ptr<Slot>>> slots_;
};

void naive_settles_twice(explore::Run& run) {
  NaiveTable table;
  const auto slot = table.open();
  run.thread("answer", [&] { table.settle(); });
  run.thread("closed", [&] { table.settle(); });
  run.join();
  run.require(slot->settled.with([](int count) { return count; }) == 1, "settled twice");
}

TEST(CallTableExplore, FindsTheSecondEndOfANaiveTable) {
  EXPECT_FINDS(explore::Failure::kCheck, explore::explore(kExhaustive, naive_settles_twice));
}

}  // namespace
}  // namespace clever::mcp::internal
