#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "base/guarded.h"
#include "explore/explore.h"
#include "storage/keys.h"
#include "support/journal_tail.h"

namespace clever::storage {
namespace {

using explore::Failure;
using explore::Options;
using explore::Run;
using explore::Strategy;

const model::PlanId kPlan{base::Ulid({1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16})};

// The events of one plan, in memory; notifies subscribers after an event is stored.
class OnePlanEngine final : public Engine {
 public:
  void append() {
    events_.with([](std::int64_t& events) { ++events; });
    std::vector<std::function<void()>> wakes =
        wakes_.with([](const auto& all) { return std::vector(all); });
    for (const auto& wake : wakes) wake();
  }

  base::Result<void> read(const Read& read, const base::StopToken& /*stop*/,
                          base::Deadline /*deadline*/) override {
    View view(events_.with([](std::int64_t events) { return events; }));
    return read(view);
  }
  // No subscriber leaves before the schedule's end.
  [[nodiscard]] std::unique_ptr<Subscription> subscribe(std::string /*topic*/,
                                                        std::function<void()> wake) override {
    wakes_.with([&](auto& wakes) { wakes.push_back(std::move(wake)); });
    return std::make_unique<Subscription>();
  }

  void submit(UnitOfWork /*unit*/, Done done) override { done(unused()); }
  base::Result<Receipt> commit(UnitOfWork /*unit*/, const base::StopToken& /*stop*/,
                               base::Deadline /*deadline*/) override {
    return unused();
  }
  base::Result<EngineFacts> facts() override { return unused(); }
  base::Result<void> check_integrity(const Progress& /*progress*/,
                                     const base::StopToken& /*stop*/) override {
    return unused();
  }
  base::Result<void> backup(const std::filesystem::path& /*target*/, const Progress& /*progress*/,
                            const base::StopToken& /*stop*/) override {
    return unused();
  }
  base::Result<void> vacuum(const Progress& /*progress*/,
                            const base::StopToken& /*stop*/) override {
    return unused();
  }

 private:
  static base::Error unused() { return base::internal_error("not in this test"); }

  // Answers what the tail asks: (plan, from, limit).
  class View final : public Snapshot {
   public:
    explicit View(std::int64_t events) : events_(events) {}
    base::Result<Rows> query(const Statement& statement) override {
      const auto from = std::get<std::int64_t>(statement.parameters.at(1));
      const auto limit = std::get<std::int64_t>(statement.parameters.at(2));
      Rows rows(8);
      for (std::int64_t i = from; i <= events_ && i < from + limit; ++i) push(rows, i);
      return rows;
    }

   private:
    static void push(Rows& rows, std::int64_t sequence) {
      rows.push(sequence);
      rows.push(std::int64_t{1});
      rows.push(std::int64_t{0});
      rows.push("note");
      rows.push(std::int64_t{1});
      rows.push(Blob{});
      rows.push(Blob{});
      rows.push(sequence);
    }
    const std::int64_t events_;
  };

  base::Guarded<std::int64_t> events_;
  base::Guarded<std::vector<std::function<void()>>> wakes_;
};

constexpr std::int64_t kEvents = 2;

// Looks first and then forgets notifications that came meanwhile: the wake-up between the two is
// lost.
class NaiveTail {
 public:
  NaiveTail(Journal& journal, Engine& engine)
      : journal_(journal), subscription_(engine.subscribe("plan", [this] {
          woken_.update([](bool& woken) { woken = true; });
        })) {}

  std::int64_t next() {
    while (true) {
      const auto events = journal_.read(kPlan, after_ + 1, 10).value();
      if (!events.empty()) return after_ = events.back().sequence;
      woken_.update([](bool& woken) { woken = false; });
      woken_.wait({}, base::Deadline::never(), [](bool woken) { return woken; }).value();
    }
  }

 private:
  Journal& journal_;
  std::int64_t after_ = 0;
  base::Monitor<bool> woken_;
  std::unique_ptr<Subscription> subscription_;
};

void tail_naively(Run& run) {
  OnePlanEngine engine;
  const base::SystemClock clock;
  Journal journal(engine, clock);
  NaiveTail tail(journal, engine);
  run.thread("reader", [&] {
    while (tail.next() < kEvents) {
    }
  });
  run.thread("writer", [&] {
    for (std::int64_t i = 0; i < kEvents; ++i) engine.append();
  });
  run.join();
}

void tail_journal(Run& run) {
  OnePlanEngine engine;
  const base::SystemClock clock;
  Journal journal(engine, clock);
  test::JournalTail tail(journal, engine, kPlan, 0);
  std::vector<std::int64_t> seen;
  run.thread("reader", [&] {
    while (seen.size() < kEvents) {
      for (const auto& event : tail.next(10).value()) seen.push_back(event.sequence);
    }
  });
  run.thread("writer", [&] {
    for (std::int64_t i = 0; i < kEvents; ++i) engine.append();
  });
  run.join();
  run.require(seen == std::vector<std::int64_t>{1, 2}, "every event once and in order");
}

// A stop ends the wait whenever it comes.
void stop_tailing(Run& run) {
  OnePlanEngine engine;
  const base::SystemClock clock;
  Journal journal(engine, clock);
  test::JournalTail tail(journal, engine, kPlan, 0);
  base::StopSource stop;
  bool cancelled = false;
  run.thread("reader", [&] {
    const auto events = tail.next(1, stop.token());
    cancelled = !events.ok() && events.error().code() == base::ErrorCode::kCancelled;
  });
  run.thread("stopper", [&] { stop.request_stop(); });
  run.join();
  run.require(cancelled, "the reader was told of the stop");
}

TEST(JournalTailExplore, FindsTheLostWakeUpOfANaiveTail) {
  EXPECT_FINDS(Failure::kLostWakeUp,
               explore::explore({.strategy = Strategy::kExhaustive}, tail_naively));
}

TEST(JournalTailExplore, FindsItAtRandom) {
  EXPECT_FINDS(Failure::kLostWakeUp,
               explore::explore({.strategy = Strategy::kRandom, .schedules = 5000}, tail_naively));
}

TEST(JournalTailExplore, OursMissesNothingUnderEveryScheduleWithinTheBound) {
  const auto outcome =
      explore::explore({.strategy = Strategy::kExhaustive, .schedules = 20'000}, tail_journal);
  EXPECT_FALSE(outcome.failed()) << outcome;
  EXPECT_TRUE(outcome.complete) << outcome.schedules;
}

TEST(JournalTailExplore, OursMissesNothingAtRandom) {
  EXPECT_NO_FAILURE(
      explore::explore({.strategy = Strategy::kRandom, .schedules = 1000}, tail_journal));
  EXPECT_NO_FAILURE(
      explore::explore({.strategy = Strategy::kPct, .schedules = 1000}, tail_journal));
}

TEST(JournalTailExplore, AStopIsNeverMissed) {
  const auto outcome =
      explore::explore({.strategy = Strategy::kExhaustive, .schedules = 20'000}, stop_tailing);
  EXPECT_FALSE(outcome.failed()) << outcome;
}

}  // namespace
}  // namespace clever::storage
