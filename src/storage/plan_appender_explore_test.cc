// Many callers, one journal: what each was told is what the journal holds.
#include <gtest/gtest.h>

#include <algorithm>

#include "base/guarded.h"
#include "explore/explore.h"
#include "storage/plan_appender.h"
#include "support/every_schedule.h"

namespace clever::storage {
namespace {

// A journal in memory that refuses stale heads, and the text "bad".
class Model {
 public:
  base::Result<Head> append(const Append& append) {
    return state_.with([&](State& state) -> base::Result<Head> {
      if (append.epoch != state.epoch) return base::conflict("stale epoch");
      if (append.expected.sequence != head(state).sequence) return base::conflict("stale head");
      for (const model::Event& event : append.events) {
        if (event.kind == "bad") return base::conflict("refused by itself");
      }
      for (const model::Event& event : append.events) state.kinds.push_back(event.kind);
      ++state.appends;
      return head(state);
    });
  }
  base::Result<JournalState> state() {
    return state_.with([](const State& state) -> base::Result<JournalState> {
      return JournalState{head(state), state.epoch};
    });
  }
  void raise_epoch() {
    state_.with([](State& state) { ++state.epoch; });
  }
  [[nodiscard]] std::int64_t count(const std::string& kind) const {
    return state_.with([&](const State& state) { return std::ranges::count(state.kinds, kind); });
  }
  [[nodiscard]] PlanAppender::Port port() {
    return {[this](const Append& one) { return append(one); }, [this] { return state(); }};
  }

 private:
  struct State {
    std::vector<std::string> kinds;
    std::int64_t epoch = 1;
    int appends = 0;
  };
  static Head head(const State& state) {
    return {static_cast<std::int64_t>(state.kinds.size()), {}};
  }
  base::Guarded<State> state_;
};

PlanAppender::Part part(const std::string& kind) {
  PlanAppender::Part part;
  part.events.push_back({kind});
  return part;
}

void holds(const std::function<void(explore::Run&)>& body, unsigned preemptions = 2) {
  explore::Options all = test::kEverySchedule;
  all.preemptions = preemptions;
  test::expect_no_failing_schedule(body, all);
  EXPECT_NO_FAILURE(explore::explore({.strategy = explore::Strategy::kPct}, body));
}

// What a caller without an appender does: asks where the journal ends, and appends there.
void naive_append(Model& model, const std::string& kind) {
  Append append{.expected = model.state()->head, .epoch = 1};
  append.events.push_back({kind});
  (void)model.append(append);
}

TEST(PlanAppenderExplore, AskingAndAppendingInTwoStepsLosesOne) {
  EXPECT_FINDS(explore::Failure::kCheck,
               explore::explore(test::kEverySchedule, [](explore::Run& run) {
                 Model model;
                 for (const char* kind : {"a", "b"}) {
                   run.thread(kind, [&model, kind] { naive_append(model, kind); });
                 }
                 run.join();
                 run.require(model.count("a") + model.count("b") == 2, "an event was lost");
               }));
}

TEST(PlanAppenderExplore, EverybodyIsWrittenOnce) {
  holds(
      [](explore::Run& run) {
        Model model;
        PlanAppender appender(model.port(), {}, 1, {});
        for (const char* kind : {"a", "b", "c"}) {
          run.thread(kind, [&, kind] {
            run.require(appender.append(part(kind)).ok(), "refused");
            run.require(model.count(kind) == 1, "told before it was written");
          });
        }
        run.join();
        run.require(model.count("a") + model.count("b") + model.count("c") == 3,
                    "not all, or twice");
      },
      1);
}

TEST(PlanAppenderExplore, ARefusalIsForOneAlone) {
  holds([](explore::Run& run) {
    Model model;
    PlanAppender appender(model.port(), {}, 1, {});
    run.thread("bad",
               [&] { run.require(!appender.append(part("bad")).ok(), "the bad one was taken"); });
    run.thread("good", [&] { run.require(appender.append(part("good")).ok(), "refused"); });
    run.join();
    run.require(model.count("good") == 1 && model.count("bad") == 0, "another's refusal counted");
  });
}

TEST(PlanAppenderExplore, OthersMayAppendBesideIt) {
  holds([](explore::Run& run) {
    Model model;
    PlanAppender appender(model.port(), {}, 1, {});
    run.thread("other", [&] { naive_append(model, "other"); });
    run.thread("mine", [&] { run.require(appender.append(part("mine")).ok(), "refused"); });
    run.join();
    run.require(model.count("mine") == 1, "lost");
  });
}

TEST(PlanAppenderExplore, WhoWithdrawsKnowsWhatHappened) {
  holds([](explore::Run& run) {
    Model model;
    PlanAppender appender(model.port(), {}, 1, {});
    base::StopSource stop;
    run.thread("a", [&] { run.require(appender.append(part("a")).ok(), "refused"); });
    run.thread("b", [&] {
      const bool written = appender.append(part("b"), stop.token()).ok();
      run.require(model.count("b") == (written ? 1 : 0), "the answer is not what happened");
    });
    run.thread("stop", [&] { stop.request_stop(); });
    run.join();
  });
}

TEST(PlanAppenderExplore, AStaleOwnerWritesNothing) {
  holds([](explore::Run& run) {
    Model model;
    PlanAppender appender(model.port(), {}, 1, {});
    bool fenced = false;
    run.thread("taker", [&] { model.raise_epoch(); });
    run.thread("owner", [&] { fenced = !appender.append(part("late")).ok(); });
    run.join();
    run.require(model.count("late") == (fenced ? 0 : 1), "the answer is not what happened");
    run.require(!appender.append(part("later")).ok(), "a stale owner wrote");
  });
}

}  // namespace
}  // namespace clever::storage
