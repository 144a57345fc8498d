// Many callers, one plan: what each was told is what the journal holds, and each was decided on
// what was there.
#include <gtest/gtest.h>

#include "base/atomic.h"
#include "engine/error_recovery_service.h"
#include "explore/explore.h"
#include "model/work_events.h"
#include "plan/decide.h"
#include "sim/engine/writer_kit.h"
#include "support/every_schedule.h"

namespace clever::engine {
namespace {

using sim::trouble;
using sim::WriterKit;

constexpr explore::Options kOnePreemption{
    .strategy = explore::Strategy::kExhaustive, .schedules = 200'000, .preemptions = 1};

void holds(const std::function<void(explore::Run&)>& body) {
  test::expect_no_failing_schedule(body, kOnePreemption);
  EXPECT_NO_FAILURE(explore::explore({.schedules = 300}, body));
  EXPECT_NO_FAILURE(
      explore::explore({.strategy = explore::Strategy::kPct, .schedules = 300}, body));
}

bool granted(const base::Result<plan::RecoveryDecision>& decision) {
  return decision.ok() && decision->recovery == model::Recovery::kRetry;
}

// Decides, and if the journal has moved on appends there what was decided: all is written down, but
// not on what was there.
bool naive_record(WriterKit& kit) {
  auto loaded = kit.store.load(kit.plan).value();
  const auto decided = plan::decide(plan::fold(loaded.events).value(), trouble(), {}).value();
  bool written = false;
  while (!written) {
    storage::Append append{
        .plan = kit.plan, .expected = loaded.state.head, .epoch = kit.lease().epoch};
    append.events = decided.events;
    kit.store.append(append, [&](const auto& head) { written = head.ok(); });
    loaded = kit.store.load(kit.plan).value();
  }
  return granted(plan::RecoveryDecision::parse(decided.receipt));
}

TEST(PlanWriterExplore, DecidingOnAStaleStateGrantsTheLastRetryTwice) {
  EXPECT_FINDS(explore::Failure::kCheck, explore::explore(kOnePreemption, [](explore::Run& run) {
                 WriterKit kit;
                 base::Atomic<int> retries;  // granted, publishes nothing
                 for (const char* name : {"a", "b"}) {
                   run.thread(name, [&] { retries.fetch_add(naive_record(kit) ? 1 : 0); });
                 }
                 run.join();
                 run.require(retries.load() == 1, "granted twice");
               }));
}

TEST(PlanWriterExplore, EachIsDecidedOnWhatThoseBeforeItLedTo) {
  holds([](explore::Run& run) {
    WriterKit kit;
    ErrorRecoveryService service(kit.writer());
    base::Atomic<int> retries;  // granted, publishes nothing
    for (const char* name : {"a", "b"}) {
      run.thread(name,
                 [&] { retries.fetch_add(granted(sim::record(service, trouble())) ? 1 : 0); });
    }
    run.join();
    run.require(retries.load() == 1, "granted twice, or never");
    const auto history = sim::error_history(kit.store, kit.plan).value();
    run.require(history.size() == 2 && history[0].number == 1 && history[1].number == 2,
                "the history has a gap");
  });
}

TEST(PlanWriterExplore, ARefusalIsForOneAlone) {
  holds([](explore::Run& run) {
    WriterKit kit;
    run.thread("bad", [&] {
      run.require(!kit.writer().execute({sim::new_plan()}).ok(), "the bad one was taken");
    });
    run.thread("good", [&] { run.require(kit.writer().execute({trouble()}).ok(), "refused"); });
    run.join();
    run.require(kit.count(model::ErrorRecorded::kKind) == 1, "another's refusal counted");
  });
}

TEST(PlanWriterExplore, WhatTheStoreRefusesIsRefusedAlone) {
  holds([](explore::Run& run) {
    WriterKit kit;
    kit.store.fault = [](const storage::Append& append) -> std::optional<base::Error> {
      for (const auto& event : append.events) {
        if (event.data.find("poison") != std::string::npos) return base::already_exists("poison");
      }
      return std::nullopt;
    };
    run.thread("bad", [&] {
      plan::RecordError poison = trouble();
      poison.message = "poison";
      run.require(!kit.writer().execute({poison}).ok(), "the bad one was taken");
    });
    run.thread("good", [&] { run.require(kit.writer().execute({trouble()}).ok(), "refused"); });
    run.join();
    run.require(kit.count(model::ErrorRecorded::kKind) == 1, "another's refusal counted");
  });
}

TEST(PlanWriterExplore, AStaleOwnerWritesNothing) {
  holds([](explore::Run& run) {
    WriterKit kit;
    bool written = false;
    run.thread("thief", [&] { kit.steal(); });
    run.thread("owner", [&] { written = kit.writer().execute({trouble()}).ok(); });
    run.join();
    run.require(kit.count(model::ErrorRecorded::kKind) == (written ? 1U : 0U),
                "the answer is not what happened");
    run.require(!kit.writer().execute({trouble()}).ok(), "a stale owner wrote");
  });
}

TEST(PlanWriterExplore, WhoWithdrawsKnowsWhatHappened) {
  holds([](explore::Run& run) {
    WriterKit kit;
    base::StopSource stop;
    bool written = false;
    run.thread("a", [&] { run.require(kit.writer().execute({trouble()}).ok(), "refused"); });
    run.thread("b", [&] { written = kit.writer().execute({trouble()}, stop.token()).ok(); });
    run.thread("stop", [&] { stop.request_stop(); });
    run.join();
    run.require(kit.count(model::ErrorRecorded::kKind) == (written ? 2U : 1U),
                "the answer is not what happened");
  });
}

}  // namespace
}  // namespace clever::engine
