// Two hundred threads call, answer, fail and cancel at the same time.
#include <gtest/gtest.h>

#include <optional>

#include "base/atomic.h"
#include "base/monitor.h"
#include "base/thread_pool.h"
#include "base/timer_queue.h"
#include "provider/governor/governor.h"
#include "provider/model_client.h"
#include "provider/testing/memory_limits.h"
#include "sim/hand_backend.h"
#include "sim/model_world.h"
#include "support/together.h"

namespace clever::provider {
namespace {

using namespace std::chrono_literals;
using sim::answered;

constexpr int kCallsEach = 25;

/// Answers on a pool. Thread-safe.
class PoolBackend final : public Backend {
 public:
  explicit PoolBackend(base::ThreadPool& pool) : pool_(pool) {}

  std::unique_ptr<Attempt> start(const std::string&, const ModelRequest&,
                                 std::shared_ptr<AttemptSink> sink) override {
    const int now = running.fetch_add(1) + 1;
    most.with([&](int& seen) { seen = std::max(seen, now); });
    auto open = std::make_shared<Open>(std::in_place, std::move(sink));
    (void)pool_.post([this, open] {
      finish(*open, [](AttemptSink& to) {
        to.on_rates({});
        to.on_begin();
        to.on_delta(TextDelta{"x"});
      });
    });
    return std::make_unique<Handle>(*this, open);
  }
  base::Atomic<int> running{0};  // how many attempts are open
  base::Guarded<int> most;

 private:
  using Open = base::Guarded<std::shared_ptr<AttemptSink>>;

  template <class F>
  void finish(Open& open, const F& before) {
    const auto sink = open.with([](std::shared_ptr<AttemptSink>& held) { return std::move(held); });
    if (sink == nullptr) return;
    before(*sink);
    running.fetch_sub(1);
    sink->on_end(answered());
  }
  class Handle final : public Attempt {
   public:
    Handle(PoolBackend& backend, std::shared_ptr<Open> open)
        : backend_(backend), open_(std::move(open)) {}
    void cancel() override {
      const auto sink =
          open_->with([](std::shared_ptr<AttemptSink>& held) { return std::move(held); });
      if (sink == nullptr) return;
      backend_.running.fetch_sub(1);
      sink->on_end(sim::failed(FailureKind::kCancelled));
    }

   private:
    PoolBackend& backend_;
    const std::shared_ptr<Open> open_;
  };

  base::ThreadPool& pool_;
};

class Reported final : public CallSink {
 public:
  explicit Reported(base::Monitor<int>& ended) : ended_(ended) {}
  void on_delta(const Delta&) override { ++reported_; }
  void on_end(CallEnd) override {
    ++reported_;
    ended_.update([](int& count) { ++count; });
  }

 private:
  base::Monitor<int>& ended_;
  int reported_ = 0;  // unguarded on purpose: the calls come one after the other
};

void run(bool shared) {
  base::SystemClock clock;
  base::SystemRandom random;
  base::CircuitBreaker circuits(clock, random);
  MemoryLimits limits(clock);
  base::ThreadPool alarm_pool({.threads = 1});
  base::TimerQueue timers(clock);
  TimerAlarms alarms(timers, alarm_pool);
  std::optional<base::ThreadPool> pool(std::in_place, base::ThreadPool::Options{.threads = 4});
  const auto backend = std::make_shared<PoolBackend>(*pool);
  ProviderRegistry registry(
      [&](const Endpoint&) -> base::Result<std::shared_ptr<Backend>> { return backend; });
  ProviderSettings settings;
  settings.providers.push_back(sim::Process::provider_config("a"));
  settings.providers[0].limits.max_concurrency = 32;
  registry.reconfigure(settings).value();
  Governor governor({clock, random, circuits, alarms, shared ? &limits : nullptr});
  ModelClient client(registry, governor, clock);
  base::Monitor<int> ended;

  test::together(test::kManyThreads, [&](int worker) {
    for (int i = 0; i < kCallsEach; ++i) {
      CallRequest request;
      request.plan = std::to_string(worker);
      const auto call = client.call(std::move(request), std::make_shared<Reported>(ended));
      if ((worker + i) % 5 == 0) call->cancel();
      if (i % 10 == 0) governor.reset("a");
    }
  });
  ASSERT_TRUE(ended
                  .wait({}, base::Deadline::never(),
                        [](int count) { return count >= test::kManyThreads * kCallsEach; })
                  .ok());
  // The thread of the last end may still be running.
  pool.reset();
  EXPECT_EQ(ended.read([](int count) { return count; }), test::kManyThreads * kCallsEach);
  EXPECT_LE(backend->most.with([](int most) { return most; }), 32);
  EXPECT_EQ(governor.list()[0].queued, 0U);
}

TEST(ModelClientStress, EveryCallEndsOnceAndTheWindowHolds) { run(false); }
TEST(ModelClientStress, AlsoWithSharedLimits) { run(true); }

}  // namespace
}  // namespace clever::provider
