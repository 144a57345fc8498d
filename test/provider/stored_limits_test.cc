#include "provider/stored_limits.h"

#include <optional>

#include "base/monitor.h"
#include "provider/testing/memory_limits.h"
#include "storage/counting_engine.h"
#include "storage/engines.h"

namespace clever::provider {
namespace {

using namespace std::chrono_literals;
using storage::testing::CountingEngine;

class StoredLimitsTest : public storage::testing::EngineTest {
 protected:
  [[nodiscard]] Lease lease(SharedLimits& limits, std::int64_t requests) {
    base::Monitor<std::optional<base::Result<Lease>>> answer;
    limits.lease(kLane, {requests}, [&](base::Result<Lease> lease) {
      answer.update([&](auto& slot) { slot.emplace(std::move(lease)); });
    });
    std::optional<base::Result<Lease>> taken;
    answer
        .update_when(
            {}, base::Deadline::never(), [](const auto& slot) { return slot.has_value(); },
            [&](auto& slot) { taken = std::move(slot); })
        .value();
    return std::move(taken)->value();
  }
  static LaneNews four_a_second() {
    LaneNews news{.known = true};
    news.rates[0] = RateLimit{4, 1s};
    return news;
  }

  const LaneKey kLane{"openai", "openai:0", "gpt"};
};

TEST_P(StoredLimitsTest, GiveOutSlotsAsTheModelInMemoryDoes) {
  advance(1h);  // the model's slots begin with its clock
  StoredLimits ours(engine(), clock());
  MemoryLimits model(clock());
  const auto same = [&](std::int64_t requests) {
    const Lease a = lease(ours, requests);
    const Lease b = lease(model, requests);
    EXPECT_EQ(a.known, b.known);
    EXPECT_EQ(a.rates, b.rates);
    EXPECT_EQ(a.runs, b.runs);
    EXPECT_EQ(std::max(a.paused_until, clock().now()), std::max(b.paused_until, clock().now()));
  };
  same(5);
  same(5);
  for (SharedLimits* limits :
       {static_cast<SharedLimits*>(&ours), static_cast<SharedLimits*>(&model)}) {
    limits->report(kLane, four_a_second());
  }
  same(5);
  same(0);
  same(7);
  advance(1min);
  same(3);
  for (SharedLimits* limits :
       {static_cast<SharedLimits*>(&ours), static_cast<SharedLimits*>(&model)}) {
    limits->report(kLane, {.paused_until = clock().now() + 30s});
  }
  same(1);
}

TEST_P(StoredLimitsTest, AnAnswerThatSaysNothingLiftsNoLimit) {
  StoredLimits limits(engine(), clock());
  limits.report(kLane, four_a_second());
  limits.report(kLane, {.known = true});
  EXPECT_EQ(lease(limits, 3).runs[0].count, 3);
}

TEST_P(StoredLimitsTest, ALeaseIsOneUnit) {
  CountingEngine counting(engine());
  StoredLimits limits(counting, clock());
  static_cast<void>(lease(limits, 50));
  EXPECT_EQ(counting.units(), 1);
}

CLEVER_ALL_ENGINES(StoredLimitsTest);

}  // namespace
}  // namespace clever::provider
