#include "tool/runner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

#include "base/guarded.h"
#include "base/monitor.h"
#include "base/thread.h"
#include "base/utf8.h"
#include "tool/testing/test_tool.h"

namespace clever::tool {
namespace {

using internal::snapshot_of;
using internal::TestTool;
using std::chrono::milliseconds;
using testing::HasSubstr;

class RunnerTest : public testing::Test {
 protected:
  Turn turn(const std::vector<std::shared_ptr<Tool>>& tools, std::vector<model::ToolCall> calls) {
    return {.tools = snapshot_of(tools), .calls = std::move(calls)};
  }
  CallResult one(const std::shared_ptr<Tool>& tool, std::string arguments = "{}") {
    auto results = runner.run(
        turn({tool}, {{.id = "c", .name = tool->spec().name, .arguments = std::move(arguments)}}));
    EXPECT_EQ(results.size(), 1U);
    return std::move(results.at(0));
  }

  base::SystemClock clock;
  ToolRunner runner{clock, {.threads = 4, .grace = milliseconds(0)}};
};

TestTool::Function answer(ToolAnswer given) {
  return [given](const CallContext&, std::string_view) { return given; };
}

TEST_F(RunnerTest, ATurnWithoutCallsIsEmpty) { EXPECT_TRUE(runner.run(turn({}, {})).empty()); }

TEST_F(RunnerTest, AnAnswerComesBackWithItsCall) {
  const CallResult result = one(TestTool::answering("greet", "hello"));
  EXPECT_EQ(result.id, "c");
  EXPECT_EQ(result.tool, "greet");
  EXPECT_EQ(result.outcome, Outcome::kAnswered);
  EXPECT_EQ(result.answer.text, "hello");
  EXPECT_FALSE(result.answer.failed);
  EXPECT_FALSE(result.checkpoint.has_value());
}

TEST_F(RunnerTest, ResultsComeInTheOrderOfTheCalls) {
  const auto echo = TestTool::reading("echo", [](const CallContext&, std::string_view input) {
    return ToolAnswer{.text = std::string(input)};
  });
  const auto write = TestTool::writing("write", answer({.text = "written"}));
  const auto results = runner.run(turn({echo, write}, {{"1", "echo", R"({"n":1})"},
                                                       {"2", "write", "{}"},
                                                       {"3", "nothing", "{}"},
                                                       {"4", "echo", R"({"n":4})"}}));
  ASSERT_EQ(results.size(), 4U);
  EXPECT_EQ(results[0].answer.text, R"({"n":1})");
  EXPECT_EQ(results[1].answer.text, "written");
  EXPECT_EQ(results[2].outcome, Outcome::kRefused);
  EXPECT_EQ(results[3].answer.text, R"({"n":4})");
  EXPECT_EQ(results[3].id, "4");
}

TEST_F(RunnerTest, AnUnknownToolIsRefusedWithASuggestion) {
  const auto results =
      runner.run(turn({TestTool::answering("search", "")}, {{"1", "serach", "{}"}}));
  EXPECT_EQ(results[0].outcome, Outcome::kRefused);
  EXPECT_TRUE(results[0].answer.failed);
  EXPECT_EQ(results[0].answer.text, "there is no tool \"serach\"; did you mean \"search\"?");
}

TEST_F(RunnerTest, InputThatDoesNotFitNeverReachesTheTool) {
  bool called = false;
  const auto tool = std::make_shared<TestTool>(
      ToolSpec{.name = "t",
               .input_schema = R"({"type":"object","properties":{"n":{"type":"integer"}},)"
                               R"("required":["n"]})"},
      [&](const CallContext&, std::string_view) {
        called = true;
        return ToolAnswer{};
      });
  const CallResult result = one(tool, R"({"n":"3"})");
  EXPECT_EQ(result.outcome, Outcome::kRefused);
  EXPECT_EQ(
      result.answer.text,
      "t was not run: /n: must be an integer, but is a string (\"3\")\nIt takes {n: integer}.");
  EXPECT_FALSE(called);
}

TEST_F(RunnerTest, AToolThatThrowsIsAnAnswer) {
  const CallResult result = one(
      TestTool::reading("t", [](const CallContext&, std::string_view) -> base::Result<ToolAnswer> {
        throw std::runtime_error("oops");
      }));
  EXPECT_EQ(result.outcome, Outcome::kFailed);
  EXPECT_EQ(result.answer.text, "the tool failed: oops");
  const CallResult other = one(TestTool::reading(
      "t", [](const CallContext&, std::string_view) -> base::Result<ToolAnswer> { throw 3; }));
  EXPECT_EQ(other.answer.text, "the tool failed");
  EXPECT_TRUE(other.answer.failed);
}

TEST_F(RunnerTest, AnErrorIsAnAnswer) {
  const auto failing = [](base::Error error) {
    return TestTool::reading(
        "t", [error](const CallContext&, std::string_view) -> base::Result<ToolAnswer> {
          return error;
        });
  };
  EXPECT_EQ(one(failing(base::unavailable("away"))).outcome, Outcome::kFailed);
  EXPECT_EQ(one(failing(base::unavailable("away"))).answer.text, "away");
  EXPECT_EQ(one(failing(base::deadline_exceeded("late"))).outcome, Outcome::kTimedOut);
  EXPECT_EQ(one(failing(base::cancelled("stopped"))).outcome, Outcome::kCancelled);
}

TEST_F(RunnerTest, RubbishBecomesText) {
  const CallResult result =
      one(TestTool::reading("t", answer({.text = "a\xFF\xFE z", .structured = "{no json"})));
  EXPECT_TRUE(base::is_utf8(result.answer.text));
  EXPECT_TRUE(result.answer.structured.empty());
  EXPECT_TRUE(result.answer.failed);
  EXPECT_THAT(result.answer.text,
              HasSubstr("the tool's answer does not match its output schema: not JSON"));
}

TEST_F(RunnerTest, ThePromisedFormOfTheOutputIsChecked) {
  const auto promising = [](std::string structured, bool failed) {
    return std::make_shared<TestTool>(
        ToolSpec{.name = "t", .output_schema = R"({"type":"object","required":["n"]})"},
        answer({.text = "done", .failed = failed, .structured = std::move(structured)}));
  };
  EXPECT_EQ(one(promising(R"({"n":1})", false)).answer.structured, R"({"n":1})");
  EXPECT_FALSE(one(promising(R"({"n":1})", false)).answer.failed);
  EXPECT_TRUE(one(promising("{}", false)).answer.failed);
  EXPECT_THAT(one(promising("{}", false)).answer.text,
              HasSubstr("the input: the property \"n\" is missing"));
  EXPECT_TRUE(one(promising("", false)).answer.failed);
  EXPECT_EQ(one(promising("", true)).answer.text, "done");
}

TEST_F(RunnerTest, LongOutputIsCutWithAMark) {
  Turn long_turn = turn({TestTool::answering("t", std::string(10'000, 'x'))}, {{"1", "t", "{}"}});
  long_turn.output_limit = 1000;
  const auto results = runner.run(long_turn);
  EXPECT_LE(results[0].answer.text.size(), 1000U);
  EXPECT_TRUE(results[0].answer.truncated);
  EXPECT_THAT(results[0].answer.text, HasSubstr("bytes cut …]"));
}

TEST_F(RunnerTest, StructuredOutputThatIsTooLongIsLeftOut) {
  Turn long_turn =
      turn({TestTool::reading(
               "t", answer({.text = "short", .structured = "\"" + std::string(5000, 'x') + "\""}))},
           {{"1", "t", "{}"}});
  long_turn.output_limit = 1000;
  const auto results = runner.run(long_turn);
  EXPECT_EQ(results[0].answer.text, "short");
  EXPECT_EQ(results[0].answer.structured, "");
  EXPECT_TRUE(results[0].answer.truncated);
}

// The model writes back what it reads.
TEST_F(RunnerTest, TextThatOnlyLooksLikeASecretPasses) {
  const std::string source =
      "def login(user: str, password: str, secret: bytes):\n  api_key = settings.key\n"
      "  token = 'sk-ant-api03-AbCdEf_GhIjKl-0123456789'\n";
  const std::string structured = R"({"api_key":"abcdefgh1234"})";
  base::Secrets secrets;
  secrets.add("plain words of a secret");
  ToolRunner knowing(clock, {.threads = 1, .secrets = &secrets});
  const auto results =
      knowing.run(turn({TestTool::reading("t", answer({.text = source, .structured = structured}))},
                       {{"1", "t", "{}"}}));
  EXPECT_EQ(results[0].answer.text, source);
  EXPECT_EQ(results[0].answer.structured, structured);
}

TEST_F(RunnerTest, KnownSecretsAreWithheld) {
  base::Secrets secrets;
  secrets.add("plain words of a secret");
  ToolRunner knowing(clock, {.threads = 1, .secrets = &secrets});
  const std::string text = "a\nit says: plain words of a secret.\n";
  const auto results = knowing.run(
      turn({TestTool::answering("reads", text),
            TestTool::writing(
                "writes", answer({.text = text, .structured = R"(["plain words of a secret"])"}))},
           {{"1", "reads", "{}"}, {"2", "writes", "{}"}}));
  EXPECT_EQ(results[0].answer.text, "a\n[this line holds a known secret and is withheld]\n");
  EXPECT_EQ(results[1].answer.text, "a\nit says: [secret-withheld].\n");
  EXPECT_EQ(results[1].answer.structured, R"(["[secret-withheld]"])");
}

TEST_F(RunnerTest, ReadOnlyCallsRunBesideEachOther) {
  base::Monitor<int> inside;
  const auto meet = TestTool::reading("meet", [&](const CallContext& context, std::string_view) {
    inside.update([](int& n) { ++n; });
    const auto met = inside.wait(context.stop, context.deadline, [](int n) { return n >= 3; });
    return ToolAnswer{.text = met.ok() ? "met" : "alone"};
  });
  const auto results =
      runner.run(turn({meet}, {{"1", "meet", "{}"}, {"2", "meet", "{}"}, {"3", "meet", "{}"}}));
  for (const CallResult& result : results) EXPECT_EQ(result.answer.text, "met");
}

TEST_F(RunnerTest, WritingCallsRunAloneAndInOrder) {
  base::Guarded<std::string> log;
  const auto record = [&](std::string name, bool reads) {
    const auto function = [&log, name](const CallContext&, std::string_view) {
      log.with([&](std::string& text) { text += name + "("; });
      log.with([&](std::string& text) { text += ")"; });
      return ToolAnswer{.text = name};
    };
    return reads ? TestTool::reading(name, function) : TestTool::writing(name, function);
  };
  const auto results = runner.run(turn(
      {record("r", true), record("w", false), record("v", false)},
      {{"1", "w", "{}"}, {"2", "v", "{}"}, {"3", "r", "{}"}, {"4", "w", "{}"}, {"5", "r", "{}"}}));
  EXPECT_EQ(log.with([](const std::string& text) { return text; }), "w()v()r()w()r()");
  EXPECT_EQ(results.size(), 5U);
}

// A tool that hangs, and time that passes once it does.
class Hanging {
 public:
  std::shared_ptr<Tool> tool() {
    return std::make_shared<TestTool>(
        ToolSpec{.name = "hang", .capabilities = {.read_only = true}, .timeout = milliseconds(1)},
        [this](const CallContext&, std::string_view) {
          begun_.update([](bool& begun) { begun = true; });
          (void)released_.wait({}, base::Deadline::never(), [](bool r) { return r; });
          return ToolAnswer{.text = "late"};
        });
  }
  void release() {
    released_.update([](bool& released) { released = true; });
  }

  base::SimulatedClock clock;

 private:
  base::Monitor<bool> begun_;
  base::Monitor<bool> released_;
  base::Thread time_{"time", [this](const base::StopToken& stop) {
                       (void)begun_.wait(stop, base::Deadline::never(), [](bool b) { return b; });
                       clock.advance(std::chrono::seconds(1));
                     }};
};

TEST_F(RunnerTest, ACallThatHangsIsSettledWithoutHoldingUpOthers) {
  Hanging hanging;
  ToolRunner strict(hanging.clock, {.threads = 4, .grace = milliseconds(0)});
  const auto quick = TestTool::answering("quick", "here");
  const auto results =
      strict.run(turn({hanging.tool(), quick}, {{"1", "hang", "{}"}, {"2", "quick", "{}"}}));
  EXPECT_EQ(results[0].outcome, Outcome::kTimedOut);
  EXPECT_TRUE(results[0].abandoned);
  EXPECT_EQ(results[0].answer.text,
            "it did not end in time and the tool still runs: its later changes are discarded");
  EXPECT_EQ(results[1].answer.text, "here");
  EXPECT_EQ(strict.run(turn({quick}, {{"3", "quick", "{}"}}))[0].answer.text, "here");
  hanging.release();
}

TEST_F(RunnerTest, ACallThatEndsOnAStopIsNotAbandoned) {
  ToolRunner patient(clock, {.threads = 1, .grace = std::chrono::minutes(1)});
  const auto obedient = std::make_shared<TestTool>(
      ToolSpec{.name = "t", .capabilities = {.read_only = true}, .timeout = milliseconds(1)},
      [&](const CallContext& context, std::string_view) -> base::Result<ToolAnswer> {
        base::Monitor<bool> never;
        (void)never.wait(context.stop, base::Deadline::never(), [](bool) { return false; });
        return base::deadline_exceeded("ended, with these last words");
      });
  const auto results = patient.run(turn({obedient}, {{"1", "t", "{}"}}));
  EXPECT_EQ(results[0].outcome, Outcome::kTimedOut);
  EXPECT_FALSE(results[0].abandoned);
  EXPECT_EQ(results[0].answer.text, "ended, with these last words");
}

TEST_F(RunnerTest, WithoutAFreeThreadACallTimesOutUnrun) {
  Hanging hanging;
  ToolRunner narrow(hanging.clock, {.threads = 1, .grace = milliseconds(0)});
  const auto results =
      narrow.run(turn({hanging.tool()}, {{"1", "hang", "{}"}, {"2", "hang", "{}"}}));
  EXPECT_TRUE(results[0].abandoned);
  EXPECT_EQ(results[1].outcome, Outcome::kTimedOut);
  EXPECT_FALSE(results[1].abandoned);
  EXPECT_EQ(results[1].answer.text,
            "it did not end in time, before the tool began: nothing was done");
  hanging.release();
}

TEST_F(RunnerTest, TheEarlierDeadlineCounts) {
  const auto remaining = std::make_shared<TestTool>(
      ToolSpec{.name = "t", .timeout = std::chrono::hours(1)},
      [](const CallContext& context, std::string_view) {
        const bool short_one = context.deadline.remaining() <= std::chrono::minutes(1);
        return ToolAnswer{.text = short_one ? "caller's" : "own"};
      });
  Turn limited = turn({remaining}, {{"1", "t", "{}"}});
  EXPECT_EQ(runner.run(limited)[0].answer.text, "own");
  limited.deadline = base::Deadline::after(clock, std::chrono::minutes(1));
  EXPECT_EQ(runner.run(limited)[0].answer.text, "caller's");
}

TEST_F(RunnerTest, AStoppedTurnAnswersEveryCall) {
  base::StopSource stop;
  const auto stopper = TestTool::writing("stop", [&](const CallContext& context, std::string_view) {
    stop.request_stop();
    return ToolAnswer{.text = context.stop.stop_requested() ? "told" : "not told"};
  });
  Turn stopped = turn({stopper}, {{"1", "stop", "{}"}, {"2", "stop", "{}"}});
  stopped.stop = stop.token();
  const auto results = runner.run(stopped);
  EXPECT_EQ(results[1].outcome, Outcome::kCancelled);
  EXPECT_EQ(results[1].answer.text, "not run: the turn was stopped");
}

TEST_F(RunnerTest, ATurnThatIsStoppedWhileAToolHangs) {
  base::StopSource stop;
  base::Monitor<bool> released;
  const auto hang = TestTool::reading("hang", [&](const CallContext&, std::string_view) {
    stop.request_stop();
    (void)released.wait({}, base::Deadline::never(), [](bool r) { return r; });
    return ToolAnswer{};
  });
  // Ends before what the tool waits for does.
  ToolRunner leaving(clock, {.threads = 1, .grace = milliseconds(0)});
  Turn stopped = turn({hang}, {{"1", "hang", "{}"}});
  stopped.stop = stop.token();
  const auto results = leaving.run(stopped);
  EXPECT_EQ(results[0].outcome, Outcome::kCancelled);
  EXPECT_TRUE(results[0].abandoned);
  released.update([](bool& r) { r = true; });
}

TEST_F(RunnerTest, TheEndOfTheRunnerWaitsForWhatStillRuns) {
  base::Monitor<bool> begun;
  base::Monitor<bool> ended;
  base::StopSource stop;
  {
    ToolRunner ending(clock, {.threads = 1, .grace = milliseconds(0)});
    const auto until_stopped =
        TestTool::reading("t", [&](const CallContext& context, std::string_view) {
          begun.update([](bool& b) { b = true; });
          base::Monitor<bool> never;
          (void)never.wait(context.stop, base::Deadline::never(), [](bool) { return false; });
          ended.update([](bool& e) { e = true; });
          return ToolAnswer{};
        });
    base::Thread stopper("stopper", [&](const base::StopToken& token) {
      (void)begun.wait(token, base::Deadline::never(), [](bool b) { return b; });
      stop.request_stop();
    });
    Turn stopped = turn({until_stopped}, {{"1", "t", "{}"}});
    stopped.stop = stop.token();
    (void)ending.run(stopped);
  }
  EXPECT_TRUE(ended.read([](bool e) { return e; }));
}

TEST(Outcome, HasNames) {
  EXPECT_EQ(to_string(Outcome::kAnswered), "answered");
  EXPECT_EQ(to_string(Outcome::kRefused), "refused");
  EXPECT_EQ(to_string(Outcome::kFailed), "failed");
  EXPECT_EQ(to_string(Outcome::kTimedOut), "timed_out");
  EXPECT_EQ(to_string(Outcome::kCancelled), "cancelled");
}

}  // namespace
}  // namespace clever::tool
