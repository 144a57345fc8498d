// A call under the explorer: its answer, its cancellation and the alarm at the same time.
#include <gtest/gtest.h>

#include "base/atomic.h"
#include "explore/explore.h"
#include "provider/governor/governor.h"
#include "provider/model_client.h"
#include "sim/hand_alarms.h"
#include "sim/model_world.h"
#include "sim/shared_backend.h"

namespace clever::provider {
namespace {

using namespace std::chrono_literals;
using explore::Run;
using explore::Strategy;
using sim::answered;
using sim::failed;

// An end that is checked and then set: both the answer and the cancellation end the call.
void naive_end(Run& run) {
  explore::Racy<bool> ended;
  base::Atomic<int> ends{0};  // how often the sink was called
  const auto end = [&] {
    if (ended.read()) return;
    ended.write(true);
    ends.fetch_add(1);
  };
  run.thread("answer", end);
  run.thread("cancel", end);
  run.join();
  run.require(ends.load() == 1, "exactly one end");
}

TEST(ModelClientExplore, FindsTheRaceInANaiveEnd) {
  EXPECT_FINDS(explore::Failure::kCheck,
               explore::explore({.strategy = Strategy::kExhaustive}, naive_end));
}

class RecordedCall final : public CallSink {
 public:
  void on_wait(const std::string&, const Wait&) override { tell(); }
  void on_restart() override { tell(); }
  void on_end(CallEnd) override {
    tell();
    ends.fetch_add(1);
  }
  base::Atomic<int> ends{0};    // how often it ended
  base::Atomic<int> wrongs{0};  // called twice at once, or after the end

 private:
  void tell() {
    if (inside_.exchange(true) || ends.load() > 0) wrongs.fetch_add(1);
    inside_.store(false);
  }
  base::Atomic<bool> inside_{false};
};

struct ClientWorld {
  ClientWorld() {
    ProviderSettings settings;
    settings.providers.push_back(sim::Process::provider_config("a"));
    registry.reconfigure(settings).value();
  }
  base::SimulatedClock clock;
  base::SeededRandom random{1};
  base::CircuitBreaker circuits{clock, random};
  sim::HandAlarms alarms;
  std::shared_ptr<sim::SharedBackend> backend = std::make_shared<sim::SharedBackend>();
  ProviderRegistry registry{
      [this](const Endpoint&) -> base::Result<std::shared_ptr<Backend>> { return backend; }};
  Governor governor{{clock, random, circuits, alarms}};
  ModelClient client{registry, governor, clock};
};

void answer_cancel_ring(Run& run, const AttemptEnd& first_end) {
  ClientWorld world;
  const auto first = std::make_shared<RecordedCall>();
  const auto second = std::make_shared<RecordedCall>();
  const auto first_call = world.client.call({}, first);
  const auto second_call = world.client.call({}, second);
  run.thread("answers", [&] { world.backend->finish(first_end); });
  run.thread("cancels", [&] {
    second_call->cancel();
    first_call->cancel();
  });
  run.thread("alarm", [&] { world.alarms.ring(); });
  run.join();
  for (int i = 0; i < 4; ++i) {
    world.clock.advance(10min);
    world.alarms.ring();
    world.backend->finish(answered());
  }
  run.require(first->ends.load() == 1 && second->ends.load() == 1, "each ends exactly once");
  run.require(first->wrongs.load() + second->wrongs.load() == 0,
              "told one thing at a time, and nothing after the end");
  run.require(world.governor.list()[0].running == 0, "all places are given back");
}

void check_one_end(const AttemptEnd& end) {
  const auto body = [&](Run& run) { answer_cancel_ring(run, end); };
  EXPECT_NO_FAILURE(explore::explore({.strategy = Strategy::kExhaustive, .schedules = 2000}, body));
  EXPECT_NO_FAILURE(explore::explore({.strategy = Strategy::kRandom, .schedules = 500}, body));
  EXPECT_NO_FAILURE(explore::explore({.strategy = Strategy::kPct, .schedules = 500}, body));
}

TEST(ModelClientExplore, AnAnswerAndACancellationMakeOneEnd) { check_one_end(answered()); }
TEST(ModelClientExplore, AFailureAndACancellationMakeOneEnd) {
  check_one_end(failed(FailureKind::kOverloaded));
}

// Cancelling while the call is being made: the lane may or may not know of it yet.
TEST(ModelClientExplore, ACallCanBeCancelledWhileOthersStart) {
  const auto body = [](explore::Run& run) {
    ClientWorld world;
    std::vector<std::shared_ptr<RecordedCall>> reported;
    for (int i = 0; i < 3; ++i) reported.push_back(std::make_shared<RecordedCall>());
    for (int i = 0; i < 3; ++i) {
      run.thread("caller", [&, i] {
        const auto call = world.client.call({}, reported[static_cast<std::size_t>(i)]);
        if (i != 0) call->cancel();
      });
    }
    run.thread("answers", [&] { world.backend->finish(answered()); });
    run.join();
    while (world.backend->finish(answered())) {
    }
    for (const auto& each : reported) {
      run.require(each->ends.load() == 1, "each ends exactly once");
      run.require(each->wrongs.load() == 0, "told one thing at a time, and nothing after the end");
    }
  };
  EXPECT_NO_FAILURE(explore::explore({.strategy = Strategy::kRandom, .schedules = 1000}, body));
  EXPECT_NO_FAILURE(explore::explore({.strategy = Strategy::kPct, .schedules = 1000}, body));
}

}  // namespace
}  // namespace clever::provider
