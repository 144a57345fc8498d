// A plan's call waits while its answer comes and a stop may: no effect is lost or started twice.
#include <gtest/gtest.h>

#include "base/monitor.h"
#include "engine/effect_gate.h"
#include "explore/explore.h"

namespace clever::engine {
namespace {

model::EffectId effect(char last) {
  return model::EffectId(
      base::Ulid::parse(std::string("01HF7YAT00000000000000000") + last).value());
}

// Tools end at once; the call when the test says so.
class Effects final : public EffectRunner {
 public:
  void start(EffectOrder order, Done done) override {
    if (order.kind == plan::EffectKind::kModel) {
      call_ = std::move(done);
      return;
    }
    tools.with([](int& count) { ++count; });
    done(plan::EffectStopped{order.id});
  }
  void answer() { std::exchange(call_, {})(plan::EffectStopped{effect('1')}); }

  base::Guarded<int> tools;

 private:
  Done call_;
};

void race(explore::Run& run, bool stops) {
  base::SystemClock clock;
  EffectGate gate(clock, nullptr);
  Effects effects;
  base::Guarded<int> ends;
  base::StopSource stop;
  plan::State state;
  state.id = model::PlanId(base::Ulid::parse("01HF7YAT00000000000000000P").value());
  const auto plan = std::make_shared<const plan::State>(state);
  const auto start = [&](char id, plan::EffectKind kind) {
    EffectOrder order;
    order.id = effect(id);
    order.kind = kind;
    order.plan = plan;
    order.stop = stop.token();
    gate.start(effects, std::move(order), [&](const auto&) { ends.with([](int& n) { ++n; }); });
  };
  base::Monitor<bool> wants;
  gate.add({plan->id}, {.pause = [](const auto&) { return true; },
                        .wants_to_work = [&] { wants.update([](bool& w) { w = true; }); }});
  start('1', plan::EffectKind::kModel);
  run.thread("limit", [&] { gate.on_wait(plan->id, {}); });
  run.thread("plan", [&] {
    effects.answer();
    gate.on_events(*plan, {});
    start('2', plan::EffectKind::kTools);
    if (ends.with([](int n) { return n == 2; })) return;
    wants.wait({}, base::Deadline::never(), [](bool w) { return w; }).value();
    gate.allow(plan->id);
  });
  if (stops) run.thread("stop", [&] { stop.request_stop(); });
  run.join();
  run.require(ends.with([](int n) { return n == 2; }), "an effect has not ended once");
  run.require(effects.tools.with([&](int n) { return stops ? n <= 1 : n == 1; }),
              "its tools did not run once");
}

TEST(EffectGateExplore, AnAnswerMeetsAPause) {
  const auto body = [](explore::Run& run) { race(run, false); };
  EXPECT_NO_FAILURE(explore::explore({.schedules = 500}, body));
  EXPECT_NO_FAILURE(
      explore::explore({.strategy = explore::Strategy::kPct, .schedules = 500}, body));
}

TEST(EffectGateExplore, AStopMeetsAPause) {
  const auto body = [](explore::Run& run) { race(run, true); };
  EXPECT_NO_FAILURE(explore::explore({.schedules = 500}, body));
  EXPECT_NO_FAILURE(
      explore::explore({.strategy = explore::Strategy::kPct, .schedules = 500}, body));
}

}  // namespace
}  // namespace clever::engine
