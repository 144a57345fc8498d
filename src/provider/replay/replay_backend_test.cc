#include "provider/replay/replay_backend.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>

#include "base/thread_pool.h"
#include "provider/replay/recording_backend.h"
#include "provider/scripted/scripted_backend.h"
#include "support/child_process.h"
#include "support/collected_attempt.h"
#include "support/scripts.h"
#include "support/temporary_directory.h"

namespace clever::provider {
namespace {

using test::CollectedAttempt;
using test::user_says;

class ReplayTest : public ::testing::Test {
 protected:
  AttemptEnd ask(Backend& backend, const ModelRequest& request) {
    sink_ = std::make_shared<CollectedAttempt>();
    const auto attempt = backend.start("m", request, sink_);
    return sink_->end();
  }
  std::string text_of(const AttemptEnd& end) {
    if (const auto* failure = std::get_if<Failure>(&end.result)) return failure->message;
    return std::get<model::Text>(std::get<ModelAnswer>(end.result).message.parts.at(0)).text;
  }
  // Asks a script while recording.
  void record(std::string_view script, const std::vector<std::string>& said) {
    auto recorder = CassetteRecorder::open(tape_, pool_).value();
    RecordingBackend backend("demo", scripted(script), *recorder);
    for (const std::string& text : said) (void)ask(backend, user_says(text));
  }
  std::shared_ptr<Backend> scripted(std::string_view script) {
    return std::make_shared<ScriptedBackend>("demo", Script::parse(script, "s").value(), timers_,
                                             pool_);
  }
  std::shared_ptr<CassettePlayer> player() {
    return std::make_shared<CassettePlayer>(Cassette::load(tape_).value());
  }

  const test::TemporaryDirectory folder_;
  const std::filesystem::path tape_ = folder_ / "tape.jsonl";
  base::SystemClock clock_;
  base::ThreadPool pool_{{.threads = 2}};
  base::TimerQueue timers_{clock_};
  std::shared_ptr<CollectedAttempt> sink_;
};

TEST_F(ReplayTest, AnswersWhatWasRecorded) {
  record(test::kEchoScript, {"a", "b"});
  const auto tape = player();
  ReplayBackend backend("demo", tape, timers_, pool_);
  EXPECT_EQ(tape->unused(), 2U);
  EXPECT_EQ(text_of(ask(backend, user_says("b"))), "said b");
  EXPECT_EQ(sink_->text(), "said b");
  EXPECT_TRUE(sink_->begun());
  EXPECT_EQ(text_of(ask(backend, user_says("a"))), "said a");
  EXPECT_EQ(tape->unused(), 0U);
}

TEST_F(ReplayTest, TheSameRequestGetsItsAnswersInOrder) {
  record("rules: [{replies: [one, two]}]", {"a", "a"});
  ReplayBackend backend("demo", player(), timers_, pool_);
  EXPECT_EQ(text_of(ask(backend, user_says("a"))), "one");
  EXPECT_EQ(text_of(ask(backend, user_says("a"))), "two");
  const AttemptEnd third = ask(backend, user_says("a"));
  EXPECT_NE(text_of(third).find("has 2 answers to this request, made once more than recorded"),
            std::string::npos);
  EXPECT_EQ(std::get<Failure>(third.result).kind, FailureKind::kNotRecorded);
}

TEST_F(ReplayTest, AnotherRequestFailsLoudlyAndShowsTheDifference) {
  record(test::kEchoScript, {"read the file a.txt", "something else altogether"});
  ReplayBackend backend("demo", player(), timers_, pool_);
  const AttemptEnd end = ask(backend, user_says("read the file b.txt"));
  const Failure failure = std::get<Failure>(end.result);
  EXPECT_EQ(failure.kind, FailureKind::kNotRecorded);
  EXPECT_NE(failure.message.find("line 2"), std::string::npos) << failure.message;
  EXPECT_NE(failure.message.find("-           \"text\": \"read the file a.txt\""),
            std::string::npos);
  EXPECT_NE(failure.message.find("+           \"text\": \"read the file b.txt\""),
            std::string::npos);
  EXPECT_FALSE(sink_->begun());
}

TEST_F(ReplayTest, AnEmptyCassetteSaysSo) {
  record(test::kEchoScript, {});
  ReplayBackend backend("demo", player(), timers_, pool_);
  EXPECT_NE(text_of(ask(backend, user_says("x"))).find("it is empty"), std::string::npos);
}

TEST_F(ReplayTest, AnotherProviderIsAnotherRequest) {
  record(test::kEchoScript, {"a"});
  ReplayBackend backend("other", player(), timers_, pool_);
  EXPECT_NE(text_of(ask(backend, user_says("a"))).find("+   \"model\": \"other/m\""),
            std::string::npos);
}

TEST_F(ReplayTest, PermanentFailuresAreReplayedAndTransientOnesAreNot) {
  record("rules: [{replies: [{error: overloaded}, {error: quota}, fine]}]", {"a", "a", "a"});
  ReplayBackend backend("demo", player(), timers_, pool_);
  EXPECT_EQ(std::get<Failure>(ask(backend, user_says("a")).result).kind, FailureKind::kQuota);
  EXPECT_EQ(text_of(ask(backend, user_says("a"))), "fine");
}

// The ids of calls in a replayed answer are in the next request; they need not be the recorded
// ones.
TEST_F(ReplayTest, ToolCallsContinueInTheNextTurn) {
  const auto script = scripted(R"(
rules:
- {match: {turn: 1}, reply: I look, reasoning: hm, tool_calls: {name: read, id: random-17}}
- {match: {result: read}, reply: done}
)");
  const auto two_turns = [&](Backend& backend) {
    ModelRequest request = user_says("go");
    const AttemptEnd first = ask(backend, request);
    request.messages.push_back(std::get<ModelAnswer>(first.result).message);
    const auto& call = std::get<model::ToolCall>(request.messages[1].parts.at(2));
    request.messages.push_back(
        {model::Role::kUser, {model::ToolResult{call.id, {model::Text{"content"}}}}});
    return text_of(ask(backend, request));
  };
  {
    auto recorder = CassetteRecorder::open(tape_, pool_).value();
    RecordingBackend recording("demo", script, *recorder);
    EXPECT_EQ(two_turns(recording), "done");
  }
  ReplayBackend replay("demo", player(), timers_, pool_);
  EXPECT_EQ(two_turns(replay), "done");
}

TEST_F(ReplayTest, GivesNoPiecesUnlessAsked) {
  record(test::kEchoScript, {"a"});
  ReplayBackend backend("demo", player(), timers_, pool_);
  ModelRequest request = user_says("a");
  request.stream = false;
  (void)ask(backend, request);
  EXPECT_TRUE(sink_->deltas().empty());
}

TEST_F(ReplayTest, ARunAfterACrashContinuesBehindTheLastWholeLine) {
  record(test::kEchoScript, {"a"});
  const std::string before = folder_.read("tape.jsonl");
  (void)folder_.write("tape.jsonl", before + "{\"request\":{\"half");
  record(test::kEchoScript, {"b"});
  const Cassette cassette = Cassette::load(tape_).value();
  EXPECT_EQ(cassette.entries.size(), 2U);
  EXPECT_FALSE(cassette.cut_off);
}

TEST_F(ReplayTest, AnEmptyFileBecomesACassette) {
  (void)folder_.write("tape.jsonl", "");
  record(test::kEchoScript, {"a"});
  EXPECT_EQ(Cassette::load(tape_)->entries.size(), 1U);
}

TEST_F(ReplayTest, AFileThatIsNotACassetteIsNotOverwritten) {
  (void)folder_.write("tape.jsonl", "my notes\n");
  EXPECT_FALSE(CassetteRecorder::open(tape_, pool_).ok());
  EXPECT_EQ(folder_.read("tape.jsonl"), "my notes\n");
  EXPECT_FALSE(CassetteRecorder::open(folder_ / "no/tape", pool_).ok());
}

TEST_F(ReplayTest, SecretsStayOffTheTape) {
  {
    auto recorder = CassetteRecorder::open(tape_, pool_).value();
    recorder->redactor().add("correct-horse-battery");
    RecordingBackend backend("demo", scripted(test::kEchoScript), *recorder);
    EXPECT_EQ(text_of(ask(backend, user_says("correct-horse-battery"))),
              "said correct-horse-battery");
  }
  EXPECT_EQ(folder_.read("tape.jsonl").find("correct-horse"), std::string::npos);
}

TEST_F(ReplayTest, ReplayKnowsTheSameSecrets) {
  {
    auto recorder = CassetteRecorder::open(tape_, pool_).value();
    recorder->redactor().add("correct-horse-battery");
    RecordingBackend backend("demo", scripted(test::kEchoScript), *recorder);
    (void)ask(backend, user_says("correct-horse-battery"));
  }
  const auto tape = player();
  tape->redactor().add("correct-horse-battery");
  ReplayBackend backend("demo", tape, timers_, pool_);
  EXPECT_EQ(text_of(ask(backend, user_says("correct-horse-battery"))), "said [secret-withheld]");
}

TEST_F(ReplayTest, OnlyFilesBecomeCassettes) {
  EXPECT_EQ(CassetteRecorder::open("/dev/full", pool_).error().code(),
            base::ErrorCode::kInvalidArgument);
  EXPECT_FALSE(CassetteRecorder::open(folder_.path(), pool_).ok());
}

// In a process that may write no more than it has written.
int ask_without_space(const std::filesystem::path& tape) {
  base::SystemClock clock;
  base::ThreadPool pool({.threads = 2});
  base::TimerQueue timers(clock);
  auto recorder = CassetteRecorder::open(tape, pool).value();
  ::signal(SIGXFSZ, SIG_IGN);
  const rlimit limit{cassette_header().size(), cassette_header().size()};
  if (::setrlimit(RLIMIT_FSIZE, &limit) != 0) return 2;
  RecordingBackend backend("demo",
                           std::make_shared<ScriptedBackend>(
                               "demo", Script::parse(test::kEchoScript, "s").value(), timers, pool),
                           *recorder);
  const auto sink = std::make_shared<CollectedAttempt>();
  const auto attempt = backend.start("m", user_says("x"), sink);
  const Failure failure = sink->failure();
  const bool says_so = failure.message.find("cannot be recorded") != std::string::npos;
  return failure.kind == FailureKind::kMisconfigured && says_so ? 0 : 1;
}

TEST(Recording, AnAnswerThatCannotBeWrittenIsAFailure) {
  const test::TemporaryDirectory folder;
  EXPECT_EQ(test::in_child([&] { return ask_without_space(folder / "tape"); }), 0);
}

TEST_F(ReplayTest, CancellingReachesTheBackend) {
  auto recorder = CassetteRecorder::open(tape_, pool_).value();
  RecordingBackend backend("demo", scripted("rules: [{reply: x, delay: 2h}]"), *recorder);
  const auto sink = std::make_shared<CollectedAttempt>();
  const auto attempt = backend.start("m", user_says("x"), sink);
  attempt->cancel();
  EXPECT_EQ(sink->failure().kind, FailureKind::kCancelled);
  EXPECT_EQ(Cassette::load(tape_)->entries.size(), 0U);
}

TEST_F(ReplayTest, ReportsUnwrittenAnswersAtTheEndOfTheRecording) {
  base::Monitor<std::optional<base::Error>> reported;
  base::Monitor<bool> go;
  base::Monitor<bool> busy;
  // Declared after what its task uses: the line may be refused before that task has seen `go`.
  base::ThreadPool closed({.threads = 1});
  auto recorder = CassetteRecorder::open(tape_, closed).value();
  // Keeps the only thread busy, so that the line waits in the queue.
  closed
      .post([&] {
        busy.update([](bool& b) { b = true; });
        go.wait({}, base::Deadline::never(), [](bool g) { return g; }).value();
      })
      .value();
  busy.wait({}, base::Deadline::never(), [](bool b) { return b; }).value();
  recorder->append("line\n", [&](const base::Result<void>& result) {
    reported.update([&](auto& error) { error = result.error(); });
  });
  recorder.reset();
  go.update([](bool& g) { g = true; });
  reported.wait({}, base::Deadline::never(), [](const auto& error) { return error.has_value(); })
      .value();
  EXPECT_EQ(reported.read([](const auto& error) { return error->code(); }),
            base::ErrorCode::kCancelled);
}

}  // namespace
}  // namespace clever::provider
