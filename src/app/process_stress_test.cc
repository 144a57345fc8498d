#include <gtest/gtest.h>

#include <algorithm>
#include <list>
#include <thread>
#include <vector>

#include "app/databases.h"
#include "app/models.h"
#include "base/atomic.h"
#include "base/thread.h"
#include "support/temporary_directory.h"

namespace clever::app {
namespace {

constexpr int kThreads = 6;
constexpr int kRounds = 20;

// Runs f(thread) on so many threads that begin together.
template <class F>
void at_once(F&& f) {
  base::Atomic<int> waiting{kThreads};  // for all to be there
  std::list<base::Thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back("asking", [&, i](const base::StopToken&) {
      waiting.fetch_sub(1);
      while (waiting.load() > 0) std::this_thread::yield();
      f(i);
    });
  }
  for (base::Thread& thread : threads) thread.join();
}

provider::Endpoint scripted(int number) {
  return {.provider = "scripted" + std::to_string(number),
          .wire = provider::Wire::kScripted,
          .base_url = "script.yaml"};
}

class ProcessStress : public ::testing::Test {
 protected:
  ProcessStress() { folder_.write("script.yaml", "rules:\n- reply: yes\n"); }

  void check_backends(const service::AnswerSource& source) {
    for (int round = 0; round < kRounds; ++round) {
      ProcessModels models(clock_, {}, folder_.path());
      at_once([&](int thread) {
        const auto backend = models.backend(scripted(thread), source);
        EXPECT_TRUE(backend.ok()) << backend.error().sentence();
      });
    }
  }

  base::SystemClock clock_;
  test::TemporaryDirectory folder_;
};

TEST_F(ProcessStress, BackendsOfScriptsAreMadeByManyThreads) { check_backends({}); }

TEST_F(ProcessStress, BackendsThatRecordAreMadeByManyThreads) {
  check_backends({.record = "cassette.jsonl"});
}

TEST_F(ProcessStress, BackendsThatReplayAreMadeByManyThreads) {
  {
    ProcessModels models(clock_, {}, folder_.path());
    ASSERT_TRUE(models.backend(scripted(0), {.record = "cassette.jsonl"}).ok());
  }
  check_backends({.replay = "cassette.jsonl"});
}

TEST_F(ProcessStress, ManyThreadsGetTheSameClientAndServices) {
  for (int round = 0; round < kRounds; ++round) {
    ProcessModels models(clock_, {}, folder_.path());
    std::vector<io::Http*> seen(kThreads);
    at_once([&](int thread) {
      seen.at(static_cast<std::size_t>(thread)) = &models.http();
      const auto service = models.service(
          [](const provider::Endpoint&) { return base::unavailable("not needed"); }, nullptr);
      EXPECT_NE(service, nullptr);
    });
    EXPECT_EQ(std::ranges::count(seen, seen.front()), kThreads);
  }
}

TEST_F(ProcessStress, ManyThreadsOpenTheSameDatabase) {
  for (int round = 0; round < kRounds; ++round) {
    ProcessDatabases databases(clock_);
    const auto file = folder_ / ("db" + std::to_string(round));
    const auto url = storage::DatabaseUrl::file(file);
    std::vector<std::shared_ptr<storage::Engine>> seen(kThreads);
    at_once([&](int thread) {
      auto engine = databases.open(url, {}, {});
      ASSERT_TRUE(engine.ok()) << engine.error().sentence();
      seen.at(static_cast<std::size_t>(thread)) = std::move(engine).value();
    });
    EXPECT_EQ(std::ranges::count(seen, seen.front()), kThreads);
  }
}

}  // namespace
}  // namespace clever::app
