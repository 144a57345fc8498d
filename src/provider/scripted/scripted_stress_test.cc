// Many attempts on one script at once, some of them cancelled: each ends once, none is counted
// twice.
#include <gtest/gtest.h>

#include <set>

#include "base/thread_pool.h"
#include "provider/replay/replay_backend.h"
#include "provider/scripted/scripted_backend.h"
#include "support/collected_attempt.h"
#include "support/together.h"

namespace clever::provider {
namespace {

using test::CollectedAttempt;
using test::user_says;

constexpr int kAskers = 16;
constexpr int kAttempts = 200;

TEST(ScriptedStress, EveryAttemptEndsOnce) {
  base::SystemClock clock;
  base::ThreadPool pool({.threads = 4});
  base::TimerQueue timers(clock);
  ScriptedBackend backend(
      "demo", Script::parse("rules: [{reply: abcdef, chunk: 2, chunk_delay: 1ms}]", "s").value(),
      timers, pool);
  test::together(kAskers, [&](int worker) {
    for (int i = 0; i < kAttempts; ++i) {
      const auto sink = std::make_shared<CollectedAttempt>();
      const auto attempt = backend.start("m", user_says("x"), sink);
      if ((i + worker) % 2 == 0) attempt->cancel();
      (void)sink->end();
      EXPECT_EQ(sink->ends(), 1U);
      EXPECT_FALSE(sink->late());
    }
  });
  EXPECT_EQ(backend.player().uses(), ScriptUses{std::size_t{kAskers} * kAttempts});
}

TEST(ScriptedStress, ARuleIsUsedAsOftenAsItMayBe) {
  ScriptPlayer player(
      Script::parse("rules: [{reply: first, times: 100}, {reply: then}]", "s").value());
  base::Guarded<int> first;
  test::together(kAskers, [&](int) {
    for (int i = 0; i < kAttempts; ++i) {
      const auto answer = player.answer(script_query("m", user_says("x")));
      if (std::get<ScriptedAnswer>(answer).reply.text == "first") {
        first.with([](int& count) { ++count; });
      }
    }
  });
  EXPECT_EQ(first.with([](int count) { return count; }), 100);
}

TEST(ReplayStress, EachRecordedAnswerIsGivenOnce) {
  const base::Redactor redactor;
  const std::string request = canonical_request("demo", "m", user_says("x"), redactor);
  Cassette cassette{.file = "c"};
  for (int i = 0; i < kAskers * kAttempts; ++i) {
    ModelAnswer answer;
    answer.id = std::to_string(i);
    cassette.entries.push_back({request, base::sha256(request), answer});
  }
  CassettePlayer player(std::move(cassette));
  base::Guarded<std::set<std::string>> given;
  test::together(kAskers, [&](int) {
    for (int i = 0; i < kAttempts; ++i) {
      const auto answer = player.answer(request);
      given.with([&](std::set<std::string>& ids) { ids.insert(std::get<ModelAnswer>(answer).id); });
    }
  });
  EXPECT_EQ(given.with([](const std::set<std::string>& ids) { return ids.size(); }),
            std::size_t{kAskers} * kAttempts);
  EXPECT_EQ(player.unused(), 0U);
}

}  // namespace
}  // namespace clever::provider
