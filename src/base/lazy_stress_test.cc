#include <gtest/gtest.h>

#include <list>
#include <vector>

#include "base/atomic.h"
#include "base/lazy.h"
#include "base/thread.h"

namespace clever::base {
namespace {

struct Plain {
  std::vector<int> numbers = std::vector<int>(1000, 7);
};

TEST(LazyStress, ManyThreadsGetOneWholeValue) {
  constexpr int kRounds = 300;
  constexpr int kThreads = 8;
  for (int round = 0; round < kRounds; ++round) {
    Lazy<Plain> lazy;
    Atomic<int> made{0};  // how often it was made
    std::list<Thread> threads;
    for (int i = 0; i < kThreads; ++i) {
      threads.emplace_back("asking", [&](const StopToken&) {
        Plain& value = lazy.get([&] {
          made.fetch_add(1);
          return std::make_unique<Plain>();
        });
        EXPECT_EQ(value.numbers.back(), 7);
      });
    }
    for (Thread& thread : threads) thread.join();
    EXPECT_EQ(made.load(), 1);
  }
}

}  // namespace
}  // namespace clever::base
