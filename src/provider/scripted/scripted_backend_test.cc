#include "provider/scripted/scripted_backend.h"

#include <gtest/gtest.h>

#include "base/strand.h"
#include "base/thread_pool.h"
#include "explore/explore.h"
#include "support/campaign.h"
#include "support/collected_attempt.h"

namespace clever::provider {
namespace {

using std::chrono::milliseconds;
using test::CollectedAttempt;
using test::user_says;

// Runs what it is given at once, on the timer's thread; or refuses.
class AtOnce final : public base::Executor {
 public:
  base::Result<void> post(base::Task&& task) override {
    if (closed_.with([](bool closed) { return closed; })) return base::cancelled("closed");
    base::Task now = std::move(task);
    now();
    return {};
  }
  void close() {
    closed_.with([](bool& closed) { closed = true; });
  }

 private:
  base::Guarded<bool> closed_;
};

constexpr std::string_view kThreePieces = "rules: [{reply: abc, chunk: 1, chunk_delay: 1ms}]";

class ScriptedBackendTest : public ::testing::Test {
 protected:
  std::unique_ptr<Attempt> start(std::string_view script, const ModelRequest& request) {
    backend_ = std::make_unique<ScriptedBackend>("demo", Script::parse(script, "s.yaml").value(),
                                                 timers_, executor_);
    return backend_->start("m", request, sink_);
  }
  // Once the timer thread waits for the clock.
  void advance(milliseconds time) {
    while (clock_.waiters() == 0) std::this_thread::yield();
    clock_.advance(time);
  }

  base::SimulatedClock clock_;
  AtOnce executor_;
  base::TimerQueue timers_{clock_};
  std::unique_ptr<ScriptedBackend> backend_;
  std::shared_ptr<CollectedAttempt> sink_ = std::make_shared<CollectedAttempt>();
};

TEST_F(ScriptedBackendTest, StreamsAndAnswers) {
  const auto attempt = start("rules: [{reply: Hello world, chunk: 4}]", user_says("x"));
  const ModelAnswer answer = sink_->answer();
  EXPECT_EQ(answer.message.parts, std::vector<model::Part>{model::Text{"Hello world"}});
  EXPECT_EQ(answer.stop, StopReason::kEnd);
  EXPECT_EQ(sink_->deltas().size(), 3U);
  EXPECT_EQ(sink_->text(), "Hello world");
  EXPECT_TRUE(sink_->begun());
}

TEST_F(ScriptedBackendTest, GivesNoPiecesUnlessAsked) {
  ModelRequest request = user_says("x");
  request.stream = false;
  const auto attempt = start("rules: [{reply: Hello}]", request);
  (void)sink_->answer();
  EXPECT_TRUE(sink_->deltas().empty());
}

TEST_F(ScriptedBackendTest, WaitsForTheFirstByteAndBetweenPieces) {
  const auto attempt =
      start("rules: [{reply: abcd, chunk: 2, delay: 14m, chunk_delay: 10s}]", user_says("x"));
  advance(std::chrono::minutes(14) - milliseconds(1));
  EXPECT_FALSE(sink_->begun());
  advance(milliseconds(1));
  sink_->wait_for_deltas(1);
  EXPECT_EQ(sink_->text(), "ab");
  advance(std::chrono::seconds(10));
  EXPECT_TRUE(sink_->end().answered());
  EXPECT_EQ(sink_->text(), "abcd");
}

TEST_F(ScriptedBackendTest, CancelEndsAtOnce) {
  const auto attempt = start("rules: [{reply: abcd, delay: 2h}]", user_says("x"));
  attempt->cancel();
  attempt->cancel();
  EXPECT_EQ(sink_->failure().kind, FailureKind::kCancelled);
  EXPECT_EQ(sink_->ends(), 1U);
  EXPECT_EQ(timers_.size(), 0U);
}

TEST_F(ScriptedBackendTest, CancelAfterTheEndIsNothing) {
  const auto attempt = start("rules: [{reply: abcd}]", user_says("x"));
  (void)sink_->answer();
  attempt->cancel();
  EXPECT_EQ(sink_->ends(), 1U);
}

TEST_F(ScriptedBackendTest, ContinuesWithoutItsHandle) {
  start("rules: [{reply: abcd, delay: 1s}]", user_says("x")).reset();
  advance(std::chrono::seconds(1));
  EXPECT_TRUE(sink_->end().answered());
}

TEST_F(ScriptedBackendTest, ACutAnswerIsAFailureAfterItsPieces) {
  const auto attempt = start("rules: [{reply: abcdef, chunk: 2, cut: 2}]", user_says("x"));
  EXPECT_EQ(sink_->failure().kind, FailureKind::kCut);
  EXPECT_EQ(sink_->text(), "abcd");
}

TEST_F(ScriptedBackendTest, AnErrorComesBeforeAnything) {
  const auto attempt =
      start("rules: [{error: {status: 429, retry_after: 3s, message: slower}}]", user_says("x"));
  EXPECT_EQ(sink_->failure(), (Failure{.kind = FailureKind::kRateLimited,
                                       .message = "demo: slower [rule 1 (s.yaml:1)]",
                                       .status = 429,
                                       .retry_after = std::chrono::seconds(3)}));
  EXPECT_FALSE(sink_->begun());
}

TEST_F(ScriptedBackendTest, ARequestWithoutRuleFails) {
  const auto attempt = start("rules: [{match: {user: a}, reply: b}]", user_says("x"));
  EXPECT_EQ(sink_->failure().kind, FailureKind::kScript);
}

TEST_F(ScriptedBackendTest, CountsItsRules) {
  const auto attempt = start("rules: [{reply: b}]", user_says("x"));
  EXPECT_EQ(backend_->player().uses(), ScriptUses{1});
}

TEST_F(ScriptedBackendTest, AClosedExecutorEndsTheAttempt) {
  executor_.close();
  const auto attempt = start("rules: [{reply: b}]", user_says("x"));
  EXPECT_EQ(sink_->failure().kind, FailureKind::kCancelled);
}

TEST_F(ScriptedBackendTest, TooManyTimersIsAFailure) {
  base::TimerQueue few(clock_, {.limit = 0});
  ScriptedBackend backend("demo", Script::parse("rules: [{reply: b}]", "s").value(), few,
                          executor_);
  const auto attempt = backend.start("m", user_says("x"), sink_);
  EXPECT_EQ(sink_->failure().kind, FailureKind::kOverloaded);
}

// The end of the timers is the end of the attempts that wait for them.
TEST(ScriptedBackend, EndsWithItsTimers) {
  const auto sink = std::make_shared<CollectedAttempt>();
  AtOnce executor;
  base::SystemClock clock;
  std::unique_ptr<Attempt> attempt;
  {
    base::TimerQueue timers(clock);
    ScriptedBackend backend("demo", Script::parse("rules: [{reply: b, delay: 2h}]", "s").value(),
                            timers, executor);
    attempt = backend.start("m", user_says("x"), sink);
  }
  EXPECT_EQ(sink->failure().kind, FailureKind::kCancelled);
  attempt->cancel();
  EXPECT_EQ(sink->ends(), 1U);
}

// A sink that cancels from within.
class Impatient final : public AttemptSink {
 public:
  void on_delta(const Delta& /*delta*/) override { attempt_->cancel(); }
  void on_end(AttemptEnd end) override { inner_->on_end(std::move(end)); }
  void use(Attempt& attempt) { attempt_ = &attempt; }

  std::shared_ptr<CollectedAttempt> inner_ = std::make_shared<CollectedAttempt>();

 private:
  Attempt* attempt_ = nullptr;
};

TEST_F(ScriptedBackendTest, MayBeCancelledFromItsSink) {
  ScriptedBackend backend("demo",
                          Script::parse("rules: [{reply: abcd, chunk: 1, delay: 1s}]", "s").value(),
                          timers_, executor_);
  const auto impatient = std::make_shared<Impatient>();
  const auto attempt = backend.start("m", user_says("x"), impatient);
  impatient->use(*attempt);
  advance(std::chrono::seconds(1));
  EXPECT_EQ(impatient->inner_->failure().kind, FailureKind::kCancelled);
}

// Whatever the interleaving of timers, pieces and cancel: one end, and nothing after it.
void cancel_meanwhile(explore::Run& run) {
  base::SystemClock clock;
  base::ThreadPool pool({.threads = 1});
  const auto sink = std::make_shared<CollectedAttempt>();
  std::unique_ptr<Attempt> attempt;
  base::TimerQueue timers(clock);
  ScriptedBackend backend("demo", Script::parse(kThreePieces, "s").value(), timers, pool);
  attempt = backend.start("m", user_says("x"), sink);
  run.thread("canceller", [&] { attempt->cancel(); });
  run.join();
  (void)sink->end();
  run.require(sink->ends() == 1, "the sink was told of two ends");
  run.require(!sink->late(), "a piece came after the end");
}

TEST(ScriptedBackend, EndsOnceHoweverItIsCancelled) {
  for (const auto strategy : {explore::Strategy::kRandom, explore::Strategy::kPct}) {
    EXPECT_NO_FAILURE(explore::explore(
        {.strategy = strategy, .schedules = test::campaign(400, 20'000)}, cancel_meanwhile));
  }
}

// Without cancel nothing may be lost: a timer that runs before its handle is kept, for one.
void run_to_the_end(explore::Run& run) {
  base::SystemClock clock;
  base::ThreadPool pool({.threads = 2});
  const auto sink = std::make_shared<CollectedAttempt>();
  base::TimerQueue timers(clock);
  ScriptedBackend backend("demo", Script::parse(kThreePieces, "s").value(), timers, pool);
  const auto attempt = backend.start("m", user_says("x"), sink);
  const AttemptEnd end = sink->end();
  run.require(end.answered(), "the answer was lost");
  run.require(sink->text() == "abc", "pieces were lost or out of order");
}

TEST(ScriptedBackend, LosesNothingHoweverItsTimersRun) {
  for (const auto strategy : {explore::Strategy::kRandom, explore::Strategy::kPct}) {
    EXPECT_NO_FAILURE(explore::explore(
        {.strategy = strategy, .schedules = test::campaign(400, 20'000)}, run_to_the_end));
  }
}

}  // namespace
}  // namespace clever::provider
