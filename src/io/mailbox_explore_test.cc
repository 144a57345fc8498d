#include <gtest/gtest.h>

#include <memory>

#include "base/monitor.h"
#include "explore/explore.h"
#include "io/mailbox.h"

namespace clever::io {
namespace {

constexpr explore::Options kRandom{.strategy = explore::Strategy::kRandom, .schedules = 2000};
constexpr explore::Options kPct{
    .strategy = explore::Strategy::kPct, .schedules = 2000, .preemptions = 4};

// What epoll and an eventfd are to the network thread.
class Bell {
 public:
  void ring() {
    rung_.update([](bool& rung) { rung = true; });
  }
  void wait() {
    rung_
        .update_when(
            {}, base::Deadline::never(), [](bool rung) { return rung; },
            [](bool& rung) { rung = false; })
        .value();
  }

 private:
  base::Monitor<bool> rung_;
};

// An exchange as the hand-over sees it: started once, ended once, by the network thread.
struct Flight {
  bool active = false;
  base::Guarded<int> ends;
  void end() {
    active = false;
    ends.with([](int& n) { ++n; });
  }
};

struct Command {
  bool start = true;
  std::shared_ptr<Flight> flight{};
};

// The network thread's loop with everything but libcurl: what was started ends by itself in the
// round after, unless it is cancelled before.
class Network {
 public:
  void post(Command command) {
    const auto posted = mailbox_.post(command);
    if (posted == Mailbox<Command>::Posted::kWake) bell_.ring();
    if (posted == Mailbox<Command>::Posted::kClosed && command.start) command.flight->end();
  }
  void stop() {
    stopping_.with([](bool& stopping) { stopping = true; });
    bell_.ring();
  }
  void run() {
    while (!stopping_.with([](bool stopping) { return stopping; })) {
      finish_active();
      for (const Command& command : mailbox_.take()) apply(command);
      if (active_ != nullptr || !mailbox_.try_sleep()) continue;
      bell_.wait();
      mailbox_.woke();
    }
    for (const Command& command : mailbox_.close()) {
      if (command.start) command.flight->end();
    }
    finish_active();
  }

 private:
  void apply(const Command& command) {
    if (command.start) {
      finish_active();
      command.flight->active = true;
      active_ = command.flight;
    } else if (command.flight->active) {
      command.flight->end();
      active_ = nullptr;
    }
  }
  void finish_active() {
    if (active_ != nullptr) std::exchange(active_, nullptr)->end();
  }

  Mailbox<Command> mailbox_;
  Bell bell_;
  base::Guarded<bool> stopping_;
  std::shared_ptr<Flight> active_;
};

void check_ended_once(explore::Run& run, const Flight& flight) {
  run.require(flight.ends.with([](int n) { return n; }) == 1, "an exchange has not one end");
}

void cancel_races_the_end(explore::Run& run) {
  Network network;
  const auto first = std::make_shared<Flight>();
  const auto second = std::make_shared<Flight>();
  run.thread("network", [&] { network.run(); });
  run.thread("first", [&] {
    network.post({.start = true, .flight = first});
    network.post({.start = false, .flight = first});
  });
  run.thread("second", [&] { network.post({.start = true, .flight = second}); });
  run.thread("stop", [&] { network.stop(); });
  run.join();
  check_ended_once(run, *first);
  check_ended_once(run, *second);
}

// The network thread looks whether there is something, and then says that it sleeps.
class NaiveMailbox {
 public:
  bool post(int item) {
    items_.with([&](std::vector<int>& items) { items.push_back(item); });
    return asleep_.read();
  }
  bool try_sleep() {
    if (items_.with([](const std::vector<int>& items) { return !items.empty(); })) return false;
    asleep_.write(true);
    return true;
  }
  std::size_t take() {
    return items_.with([](std::vector<int>& items) { return std::exchange(items, {}).size(); });
  }

 private:
  base::Guarded<std::vector<int>> items_;
  explore::Racy<bool> asleep_;
};

void naive_sleep(explore::Run& run) {
  NaiveMailbox mailbox;
  Bell bell;
  run.thread("network", [&] {
    std::size_t taken = 0;
    while ((taken += mailbox.take()) == 0) {
      if (mailbox.try_sleep()) bell.wait();
    }
  });
  run.thread("poster", [&] {
    if (mailbox.post(1)) bell.ring();
  });
  run.join();
}

void our_sleep(explore::Run& run) {
  Mailbox<int> mailbox;
  Bell bell;
  run.thread("network", [&] {
    std::size_t taken = 0;
    while ((taken += mailbox.take().size()) < 2) {
      if (!mailbox.try_sleep()) continue;
      bell.wait();
      mailbox.woke();
    }
  });
  for (int poster = 0; poster < 2; ++poster) {
    run.thread("poster", [&, poster] {
      int item = poster;
      if (mailbox.post(item) == Mailbox<int>::Posted::kWake) bell.ring();
    });
  }
  run.join();
}

// Handles of transfers are used again: a cancellation that names the handle, not the exchange, may
// end somebody else's.
void naive_cancel(explore::Run& run) {
  const auto first = std::make_shared<Flight>();
  const auto second = std::make_shared<Flight>();
  std::shared_ptr<Flight> handle = first;
  base::Guarded<bool> handle_cancelled;
  run.thread("caller of the first", [&] { handle_cancelled.with([](bool& c) { c = true; }); });
  run.thread("network", [&] {
    std::exchange(handle, second)->end();
    if (handle_cancelled.with([](bool c) { return c; })) handle->end();
  });
  run.join();
  run.require(second->ends.with([](int n) { return n; }) == 0, "another one was cancelled");
}

TEST(MailboxExplore, LookingBeforeSleepingIsTooEarly) {
  EXPECT_FINDS(explore::Failure::kLostWakeUp, explore::explore(kRandom, naive_sleep));
}

TEST(MailboxExplore, OursSleepsThroughNothing) {
  EXPECT_NO_FAILURE(explore::explore(kRandom, our_sleep));
  EXPECT_NO_FAILURE(explore::explore(kPct, our_sleep));
}

TEST(MailboxExplore, ACancellationByHandleHitsTheWrongExchange) {
  EXPECT_FINDS(explore::Failure::kCheck, explore::explore(kRandom, naive_cancel));
}

TEST(MailboxExplore, EveryExchangeEndsOnceWhateverRaces) {
  EXPECT_NO_FAILURE(explore::explore(kRandom, cancel_races_the_end));
  EXPECT_NO_FAILURE(explore::explore(kPct, cancel_races_the_end));
}

}  // namespace
}  // namespace clever::io
