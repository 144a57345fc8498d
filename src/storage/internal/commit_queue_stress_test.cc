#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <vector>

#include "storage/internal/commit_queue.h"
#include "support/together.h"

namespace clever::storage::internal {
namespace {

constexpr int kQueueCallers = 32;
constexpr int kQueueWriters = 4;
constexpr std::size_t kUnitsPerCaller = 500;

TEST(CommitQueueStress, EachUnitIsAnsweredOnce) {
  CommitQueue queue({.units = 100});
  std::vector<std::atomic<int>> answers(kQueueCallers * kUnitsPerCaller);
  std::atomic<int> callers_left = kQueueCallers;
  const auto call = [&](std::size_t caller) {
    for (std::size_t i = caller * kUnitsPerCaller; i < (caller + 1) * kUnitsPerCaller; ++i) {
      Pending pending{UnitOfWork{}, [&answers, i](const auto&) { ++answers[i]; }, {}};
      const auto ticket = queue.push(pending);
      if (!ticket.ok()) {
        pending.done(ticket.error());
      } else if (i % 2 == 0) {
        if (auto unit = queue.withdraw(*ticket)) unit->done(base::cancelled("withdrawn"));
      }
    }
    if (--callers_left == 0) queue.close();
  };
  const auto write = [&] {
    while (queue.wait({}).ok()) {
      for (auto& unit : queue.take(7, 1'000)) unit.done(Receipt{});
    }
  };
  test::together(kQueueCallers + kQueueWriters, [&](int worker) {
    worker < kQueueCallers ? call(static_cast<std::size_t>(worker)) : write();
  });
  for (const auto& count : answers) ASSERT_EQ(count, 1);
}

}  // namespace
}  // namespace clever::storage::internal
