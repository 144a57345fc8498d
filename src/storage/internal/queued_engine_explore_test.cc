#include <gtest/gtest.h>

#include <memory>
#include <optional>

#include "base/monitor.h"
#include "explore/explore.h"
#include "storage/testing/test_queued_engine.h"
#include "support/every_schedule.h"

namespace clever::storage::internal {
namespace {

// Waits for its answer as long as it may, and says "cancelled" when that is over: whether the unit
// is written after that, nobody knows.
class ForgetfulEngine final : public TestQueuedEngine {
 public:
  base::Result<Receipt> hurried_commit(UnitOfWork unit, const base::StopToken& stop,
                                       base::Deadline deadline) override {
    using Answer = base::Monitor<std::optional<base::Result<Receipt>>>;
    const auto answer = std::make_shared<Answer>();
    submit(std::move(unit), [answer](base::Result<Receipt> result) {
      answer->update([&](auto& held) { held = std::move(result); });
    });
    CLEVER_TRY(answer->wait(stop, deadline, [](const auto& held) { return held.has_value(); }));
    return *answer->update([](auto& held) { return std::move(held); });
  }
};

template <class Kind>
void stop_against_write(explore::Run& run) {
  Kind engine;
  base::StopSource stop;
  std::optional<base::Result<Receipt>> answer;
  run.thread("writer", [&] { engine.write_until_closed(); });
  run.thread("caller", [&] {
    answer = engine.hurried_commit({}, stop.token(), base::Deadline::never());
    engine.close();
  });
  run.thread("stopper", [&] { stop.request_stop(); });
  run.join();
  run.require(answer->ok() == (engine.written() == 1), "the answer is not what happened");
  run.require(answer->ok() || answer->error().code() == base::ErrorCode::kCancelled,
              "another error than the stop");
}

TEST(QueuedEngineExplore, AStoppedWaitLeavesTheOutcomeUnknown) {
  EXPECT_FINDS(explore::Failure::kCheck,
               explore::explore(test::kEverySchedule, stop_against_write<ForgetfulEngine>));
}

TEST(QueuedEngineExplore, TheAnswerIsWhatHappened) {
  test::expect_no_failing_schedule(stop_against_write<TestQueuedEngine>);
}

TEST(QueuedEngineExplore, ADeadlineWithdrawsOrWaitsForTheOutcome) {
  test::expect_no_failing_schedule([](explore::Run& run) {
    TestQueuedEngine engine;
    base::SystemClock clock;
    std::optional<base::Result<Receipt>> answer;
    run.thread("caller", [&] {
      const auto deadline = base::Deadline::after(clock, std::chrono::seconds{1});
      answer = engine.commit({}, {}, deadline);
      engine.close();
    });
    run.thread("writer", [&] { engine.write_until_closed(); });
    run.join();
    run.require(answer->ok() == (engine.written() == 1), "the answer is not what happened");
  });
}

TEST(QueuedEngineExplore, AUnitIsCommittedOrRefusedWhenTheEngineCloses) {
  test::expect_no_failing_schedule([](explore::Run& run) {
    TestQueuedEngine engine;
    std::optional<base::Result<Receipt>> answer;
    run.thread("caller", [&] { answer = engine.commit({}, {}, base::Deadline::never()); });
    run.thread("closer", [&] { engine.close(); });
    run.thread("writer", [&] { engine.write_until_closed(); });
    run.join();
    run.require(answer->ok() == (engine.written() == 1), "the answer is not what happened");
  });
}

}  // namespace
}  // namespace clever::storage::internal
