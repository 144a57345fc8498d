#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <vector>

#include "storage/internal/commit_queue.h"
#include "support/together.h"

namespace clever::storage::internal {
namespace {

constexpr int kCallers = 32;
constexpr int kWriters = 4;
constexpr std::size_t kUnitsEach = 500;

TEST(CommitQueueStress, EachUnitIsAnsweredOnce) {
  CommitQueue queue({.units = 100});
  std::vector<std::atomic<int>> answers(kCallers * kUnitsEach);
  std::atomic<int> callers_left = kCallers;
  const auto call = [&](std::size_t caller) {
    for (std::size_t i = caller * kUnitsEach; i < (caller + 1) * kUnitsEach; ++i) {
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
  test::together(kCallers + kWriters, [&](int worker) {
    worker < kCallers ? call(static_cast<std::size_t>(worker)) : write();
  });
  for (const auto& count : answers) ASSERT_EQ(count, 1);
}

}  // namespace
}  // namespace clever::storage::internal
