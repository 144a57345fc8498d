#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "base/thread.h"
#include "base/ulid.h"

namespace clever::base {
namespace {

void check_increasing_and_unique(std::vector<std::vector<Ulid>> per_thread) {
  std::vector<Ulid> all;
  for (const auto& ids : per_thread) {
    EXPECT_EQ(std::ranges::adjacent_find(ids, std::greater_equal<>()), ids.end())
        << "the ids of one thread do not increase";
    all.insert(all.end(), ids.begin(), ids.end());
  }
  std::ranges::sort(all);
  EXPECT_EQ(std::ranges::adjacent_find(all), all.end()) << "an id was handed out twice";
}

void run(std::size_t threads, std::size_t ids_each) {
  SystemClock clock;
  SystemRandom random;
  UlidGenerator generator(clock, random);
  std::vector<std::vector<Ulid>> taken(threads);
  {
    std::vector<std::unique_ptr<Thread>> workers;
    for (auto& ids : taken) {
      workers.push_back(std::make_unique<Thread>("ids", [&](StopToken) {
        ids.reserve(ids_each);
        for (std::size_t i = 0; i < ids_each; ++i) ids.push_back(generator.next());
      }));
    }
    for (auto& worker : workers) worker->join();
  }
  check_increasing_and_unique(std::move(taken));
}

TEST(UlidStress, SixteenThreadsGetIncreasingUniqueIds) { run(16, 20'000); }

TEST(UlidStress, TwoHundredThreadsGetIncreasingUniqueIds) { run(200, 500); }

}  // namespace
}  // namespace clever::base
