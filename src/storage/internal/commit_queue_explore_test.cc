#include <gtest/gtest.h>

#include <array>
#include <optional>

#include "base/guarded.h"
#include "explore/explore.h"
#include "storage/internal/commit_queue.h"
#include "support/every_schedule.h"

namespace clever::storage::internal {
namespace {

// How often each unit was answered.
class Answers {
 public:
  Pending pending(std::size_t unit) {
    return {UnitOfWork{}, [this, unit](const auto&) { count(unit); }, {}};
  }
  void count(std::size_t unit) {
    counts_.with([&](auto& counts) { ++counts[unit]; });
  }
  void require_once(explore::Run& run, std::size_t units) const {
    const auto counts = counts_.with([](const auto& c) { return c; });
    for (std::size_t unit = 0; unit < units; ++unit) {
      run.require(counts[unit] == 1, "a unit was answered never or twice");
    }
  }

 private:
  base::Guarded<std::array<int, 4>> counts_;
};

// Looks whether the unit is still there and removes it in a second step.
class NaiveQueue {
 public:
  explicit NaiveQueue(CommitQueue::Limits /*limits*/) {}

  base::Result<CommitQueue::Ticket> push(Pending& pending) {
    return entries_.with([&](Entries& entries) -> base::Result<CommitQueue::Ticket> {
      entries.emplace_back(std::make_shared<Pending>(std::move(pending)));
      return entries.size() - 1;
    });
  }
  std::optional<Pending> withdraw(CommitQueue::Ticket ticket) {
    const auto found = at(ticket);
    if (!found) return std::nullopt;
    remove(ticket);
    return Pending{{}, [found](auto&& result) { found->done(std::move(result)); }, {}};
  }
  std::vector<Pending> take(std::size_t /*units*/, std::size_t /*bytes*/) {
    std::vector<Pending> taken;
    for (CommitQueue::Ticket ticket = 0; ticket < 2; ++ticket) {
      if (auto unit = withdraw(ticket)) taken.push_back(std::move(*unit));
    }
    return taken;
  }

 private:
  using Entries = std::vector<std::shared_ptr<Pending>>;
  std::shared_ptr<Pending> at(CommitQueue::Ticket ticket) {
    return entries_.with([&](const Entries& entries) {
      return ticket < entries.size() ? entries[ticket] : nullptr;
    });
  }
  void remove(CommitQueue::Ticket ticket) {
    entries_.with([&](Entries& entries) { entries[ticket] = nullptr; });
  }
  base::Guarded<Entries> entries_;
};

void answer_all(std::vector<Pending> units) {
  for (auto& unit : units) unit.done(Receipt{});
}

// A caller withdraws its unit while a writer takes; the one that gets it answers.
template <class Queue>
void withdraw_against_take(explore::Run& run) {
  Queue queue{CommitQueue::Limits{}};
  Answers answers;
  std::array<CommitQueue::Ticket, 2> tickets{};
  for (std::size_t unit = 0; unit < 2; ++unit) {
    auto pending = answers.pending(unit);
    tickets[unit] = queue.push(pending).value();
  }
  run.thread("caller", [&] {
    if (auto unit = queue.withdraw(tickets[1])) unit->done(base::cancelled("withdrawn"));
  });
  run.thread("writer", [&] { answer_all(queue.take(10, 1'000)); });
  run.join();
  answers.require_once(run, 2);
}

TEST(CommitQueueExplore, LookingAndRemovingInTwoStepsAnswersTwice) {
  EXPECT_FINDS(explore::Failure::kCheck,
               explore::explore(test::kEverySchedule, withdraw_against_take<NaiveQueue>));
}

TEST(CommitQueueExplore, AUnitIsWithdrawnOrTakenButNeverBoth) {
  test::expect_no_failing_schedule(withdraw_against_take<CommitQueue>);
}

TEST(CommitQueueExplore, TwoWritersShareTheUnits) {
  test::expect_no_failing_schedule([](explore::Run& run) {
    CommitQueue queue({});
    Answers answers;
    for (std::size_t unit = 0; unit < 3; ++unit) {
      auto pending = answers.pending(unit);
      queue.push(pending).value();
    }
    for (const char* name : {"one", "two"}) {
      run.thread(name, [&] { answer_all(queue.take(2, 1'000)); });
    }
    run.join();
    answers.require_once(run, 3);
  });
}

// Writers take until the queue is closed and empty: what was accepted is answered.
TEST(CommitQueueExplore, AnswersAllThatItAcceptedBeforeTheClose) {
  test::expect_no_failing_schedule([](explore::Run& run) {
    CommitQueue queue({});
    Answers answers;
    run.thread("caller", [&] {
      auto pending = answers.pending(0);
      if (!queue.push(pending).ok()) pending.done(base::cancelled("closed"));
    });
    run.thread("closer", [&] { queue.close(); });
    run.thread("writer", [&] {
      while (queue.wait({}).ok()) answer_all(queue.take(10, 1'000));
    });
    run.join();
    answers.require_once(run, 1);
  });
}

TEST(CommitQueueExplore, AWriterWakesForWhatIsPushed) {
  test::expect_no_failing_schedule([](explore::Run& run) {
    CommitQueue queue({});
    Answers answers;
    run.thread("writer", [&] {
      queue.wait({}).value();
      answer_all(queue.take(10, 1'000));
    });
    run.thread("caller", [&] {
      auto pending = answers.pending(0);
      queue.push(pending).value();
    });
    run.join();
    answers.require_once(run, 1);
  });
}

}  // namespace
}  // namespace clever::storage::internal
