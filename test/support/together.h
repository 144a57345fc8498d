#pragma once
#include <deque>
#include <functional>
#include <latch>

#include "base/thread.h"

namespace clever::test {

/// More threads than a process of ours ever has at work.
inline constexpr int kManyThreads = 200;

/// Runs `body(worker)` in that many threads that start together, and waits for them.
inline void together(int workers, const std::function<void(int)>& body) {
  std::latch start(workers);
  std::deque<base::Thread> threads;
  for (int worker = 0; worker < workers; ++worker) {
    threads.emplace_back("worker", [&, worker](const base::StopToken&) {
      start.arrive_and_wait();
      body(worker);
    });
  }
  for (auto& thread : threads) thread.join();
}

}  // namespace clever::test
