#include <gtest/gtest.h>

#include <atomic>

#include "storage/testing/test_queued_engine.h"
#include "support/together.h"

namespace clever::storage::internal {
namespace {

constexpr int kEngineCallers = 32;
constexpr int kEngineWriters = 2;
constexpr int kCommitsPerCaller = 200;

TEST(QueuedEngineStress, TheAnswersAreWhatHappened) {
  TestQueuedEngine engine;
  std::atomic<int> committed = 0;
  std::atomic<int> refused = 0;
  std::atomic<int> callers_left = kEngineCallers;
  const auto call = [&](int caller) {
    for (int i = 0; i < kCommitsPerCaller; ++i) {
      base::StopSource stop;
      // An impatient caller has given up before it asks: it is written all the same if a writer is
      // quicker.
      if ((caller + i) % 2 == 0) stop.request_stop();
      const auto answer = engine.commit({}, stop.token(), base::Deadline::never());
      ++(answer.ok() ? committed : refused);
    }
    if (--callers_left == 0) engine.close();
  };
  test::together(kEngineCallers + kEngineWriters, [&](int worker) {
    worker < kEngineCallers ? call(worker) : engine.write_until_closed();
  });
  EXPECT_EQ(committed, engine.written());
  EXPECT_EQ(committed + refused, kEngineCallers * kCommitsPerCaller);
  EXPECT_GE(committed, kEngineCallers * kCommitsPerCaller / 2) << "a patient caller was refused";
}

}  // namespace
}  // namespace clever::storage::internal
