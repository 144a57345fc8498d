#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>
#include <nlohmann/json.hpp>

#include "support/cli_run.h"
#include "support/repository.h"

namespace clever::cli {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

// Writes a file and says so; every task its own.
constexpr std::string_view kWriter = R"(
rules:
- match: {result: write_file}
  reply: "I wrote the file.\nThat is all."
  usage: {input: 200, output: 10}
- match: {user_regex: 'write (\w+)'}
  reply: I write it.
  tool_calls: {name: write_file, arguments: {path: '{1}.txt', content: "{1}\n"}}
  usage: {input: 100, output: 5}
)";

/// Somebody in a repository of their own.
class RunTest : public testing::Test {
 protected:
  RunTest() {
    cli_.models().plays_scripts = true;
    repository_.write("a.txt", "Foo and Foo\n");
    repository_.write("b/c.txt", "Foo\n");
    repository_.commit();
    script_ = repository_.beside("script.yaml");
    write_script(kWriter);
  }

  void write_script(std::string_view text) const { std::ofstream(script_) << text; }

  int run(std::vector<std::string> words) {
    std::vector<std::string> all{"-C", repository_.path().string(), "run"};
    all.insert(all.end(), words.begin(), words.end());
    return cli_.run(all);
  }
  int run_scripted(std::vector<std::string> words) {
    words.insert(words.begin(), {"--direct", "--script", script_.string()});
    return run(std::move(words));
  }
  json data() const { return json::parse(cli_.output, nullptr, false)["data"]; }

  test::Repository repository_;
  test::CliRun cli_;
  std::filesystem::path script_;
};

const std::vector<std::string> kCodemod{"--actor", "local/codemod", "--arg",        "find=Foo",
                                        "--arg",   "replace=Bar",   "--format=json"};

TEST_F(RunTest, ACodemodNeedsNoModel) {
  ASSERT_EQ(run(kCodemod), 0) << cli_.output << cli_.error_output;
  const json plan = data();
  EXPECT_EQ(plan["phase"], "execute");
  EXPECT_EQ(plan["state"], "complete");
  ASSERT_EQ(plan["files"].size(), 2U);
  EXPECT_EQ(plan["files"][0],
            (json{{"path", "a.txt"}, {"status", "modified"}, {"insertions", 1}, {"deletions", 1}}));
  EXPECT_EQ(plan["digest"].get<std::string>().size(), 64U);
  EXPECT_EQ(plan["usage"]["cost_usd"], 0);
  EXPECT_EQ(plan["subplans"]["failed"], 0);
  EXPECT_EQ(plan["next_steps"][1], "agents apply " + plan["plan_id"].get<std::string>());
  EXPECT_EQ(repository_.read("a.txt"), "Foo and Foo\n") << "nothing lands by itself";
  EXPECT_THAT(cli_.error_output, IsEmpty());
}

TEST_F(RunTest, LandsWithApply) {
  std::vector<std::string> words = kCodemod;
  words.insert(words.end(), {"--apply", "-m", "Rename Foo"});
  ASSERT_EQ(run(words), 0) << cli_.output;
  EXPECT_EQ(data()["phase"], "apply");
  EXPECT_EQ(data()["state"], "applied");
  EXPECT_EQ(data()["commit"], repository_.line({"rev-parse", "HEAD"}));
  EXPECT_EQ(repository_.read("b/c.txt"), "Bar\n");
  EXPECT_THAT(repository_.git({"log", "-1", "--format=%B"}), HasSubstr("Rename Foo"));
}

TEST_F(RunTest, OneTaskLandsByItself) {
  ASSERT_EQ(run_scripted({"--apply", "--format=json", "write one"}), 0) << cli_.output;
  EXPECT_EQ(data()["state"], "applied");
  EXPECT_EQ(repository_.read("one.txt"), "one\n");
}

TEST_F(RunTest, ShowsPlainLinesInAPipe) {
  ASSERT_EQ(run_scripted({"write one"}), 0) << cli_.output << cli_.error_output;
  EXPECT_THAT(cli_.error_output,
              AllOf(HasSubstr(": write one\n"), HasSubstr("\nexecute\n"),
                    HasSubstr("> I write it.\n"), HasSubstr("write_file one.txt"),
                    HasSubstr("> That is all.\n"), HasSubstr("\nexecute complete\n"),
                    HasSubstr("note: scripted:"), Not(HasSubstr("\x1b")), Not(HasSubstr("\r"))));
  EXPECT_THAT(cli_.output, AllOf(HasSubstr("execute/complete"), HasSubstr("one.txt"),
                                 HasSubstr("300 tokens in, 15 out"), HasSubstr("next: agents")));
}

TEST_F(RunTest, ShowsABlockAtATerminal) {
  cli_.console.error_is_terminal = true;
  ASSERT_EQ(run_scripted({"write one"}), 0) << cli_.output << cli_.error_output;
  EXPECT_THAT(cli_.error_output, AllOf(HasSubstr("I write it."), HasSubstr("\x1b[K\n")));
}

TEST_F(RunTest, QuietSaysNothing) {
  ASSERT_EQ(run_scripted({"-q", "write one"}), 0);
  EXPECT_THAT(cli_.error_output, IsEmpty());
}

TEST_F(RunTest, ATaskComesFromAFileOrTheStandardInput) {
  repository_.write("task.md", "Please write two\n");
  ASSERT_EQ(run_scripted({"--format=json", "@task.md"}), 0) << cli_.output;
  EXPECT_EQ(data()["files"][0]["path"], "two.txt");
  cli_.input = std::string("write three");
  ASSERT_EQ(run_scripted({"--format=json", "-"}), 0) << cli_.output;
  EXPECT_EQ(data()["files"][0]["path"], "three.txt");
}

TEST_F(RunTest, SeveralTasksAreSeveralPlansAndLandInTheirOrder) {
  ASSERT_EQ(run_scripted({"--format=json", "--apply", "--budget=3", "write one", "write two"}), 0)
      << cli_.output;
  const json plans = data()["plans"];
  ASSERT_EQ(plans.size(), 2U);
  EXPECT_EQ(plans[0]["state"], "applied");
  EXPECT_EQ(plans[1]["state"], "applied");
  EXPECT_EQ(data()["usage"]["input_tokens"], 600);
  EXPECT_EQ(plans[0]["commit"], repository_.line({"rev-parse", "HEAD~1"}));
  EXPECT_EQ(plans[1]["commit"], repository_.line({"rev-parse", "HEAD"}));
  EXPECT_EQ(cli_.run({"budget", "list", "--format=json"}), 0);
  EXPECT_THAT(cli_.output, HasSubstr("session/"));
}

TEST_F(RunTest, ShowsSeveralPlansInAList) {
  repository_.write("tasks.yaml", "- write one\n- task: write two\n");
  ASSERT_EQ(run_scripted({"--file", "tasks.yaml"}), 0) << cli_.error_output;
  EXPECT_THAT(cli_.output, AllOf(HasSubstr("write one"), HasSubstr("write two"),
                                 HasSubstr("1 file changed"), HasSubstr("agents diff ")));
  EXPECT_THAT(cli_.error_output, AllOf(HasSubstr("[1] "), HasSubstr("[2] "), Not(HasSubstr("> "))));
}

TEST_F(RunTest, APlanWithoutMoneyNeedsAPerson) {
  write_script(kWriter);
  cli_.set("CLEVERAGENTS_BUDGET_PLAN_TOKENS", "10");
  EXPECT_EQ(run_scripted({"--format=json", "write one"}), 5) << cli_.output;
  EXPECT_EQ(data()["state"], "waiting");
  EXPECT_THAT(data()["next_steps"][0].get<std::string>(), HasSubstr("agents budget set plan/"));
}

TEST_F(RunTest, AKeyThatIsWrongNeedsAPerson) {
  write_script("rules:\n- error: {status: 401, message: no such key}\n");
  EXPECT_EQ(run_scripted({"write one"}), 5) << cli_.output;
  EXPECT_THAT(cli_.error_output,
              AllOf(HasSubstr("error: plan "), HasSubstr("no such key"), HasSubstr("plan resume")));
}

TEST_F(RunTest, BadInputSaysWhatWouldBeRight) {
  struct Case {
    std::vector<std::string> words;
    int exit_code;
    std::string message;
  };
  repository_.write("broken.yaml", "tasks:\n- task: a\n  modle: b\n");
  repository_.write("empty.md", " \n");
  repository_.write("no.png", "text");
  const std::string script = script_.string();
  for (const Case& bad : std::vector<Case>{
           {{}, 2, "missing argument TASK"},
           {{"fix", "the", "test"}, 2, "agents run \"fix the test\""},
           {{" "}, 2, "is empty"},
           {{"@empty.md"}, 2, "is empty"},
           {{"-", "-"}, 2, "can be given once only"},
           {{"@missing.md"}, 3, "missing.md"},
           {{"--file", "missing.yaml"}, 3, "missing.yaml"},
           {{"--file", "broken.yaml"}, 1, "broken.yaml:3: "},
           {{"--budget", "-1", "do it"}, 2, "--budget"},
           {{"--budget", "lots", "do it"}, 2, "expected an amount in dollars"},
           {{"--arg", "novalue", "do it"}, 2, "expected KEY=VALUE"},
           {{"--arg", "a=1", "--arg", "a=2", "do it"}, 2, "is given twice"},
           {{"--record", "x", "--replay", "y", "do it"}, 2, "exclude each other"},
           {{"--replay", "y", "--script", "z", "do it"}, 2, "exclude each other"},
           {{"--no-commit", "do it"}, 2, "only applies with --apply"},
           {{"--apply", "--branch", "x", "do a", "do b"}, 2, "--branch is for one task"},
           {{"--profile", "lazy", "do it"}, 2, "--profile"},
           {{"--script", script, "--actor", "nobody", "do it"}, 3, "nobody"},
           {{"--script", script, "--action", "nothing", "do it"}, 3, "nothing"},
           {{"--script", script, "--model", "nowhere/none", "do it"}, 3, "nowhere"},
           {{"--script", script, "--image", "no.png", "do it"}, 2, "no.png"},
           {{"--script", script, "--image", "missing.png", "do it"}, 3, "missing.png"},
           {{"--script", "missing.script", "do it"}, 3, "missing.script"},
           {{"--script", script, "--from", "nowhere", "do it"}, 3, "--from: there is no commit"},
       }) {
    EXPECT_EQ(run(bad.words), bad.exit_code) << cli_.error_output;
    EXPECT_THAT(cli_.error_output, HasSubstr(bad.message));
  }
  EXPECT_EQ(cli_.run({"-C", repository_.path().string(), "plan", "list", "--format=json"}), 0);
  EXPECT_THAT(cli_.output, HasSubstr("\"plans\":[]")) << "no mistake leaves a plan behind";
}

/// Interrupts as soon as the model is asked, and never answers.
class InterruptingBackend final : public provider::Backend {
 public:
  explicit InterruptingBackend(base::StopSource& stop) : stop_(stop) {}
  std::unique_ptr<provider::Attempt> start(const std::string& /*model*/,
                                           const provider::ModelRequest& /*request*/,
                                           std::shared_ptr<provider::AttemptSink> sink) override {
    stop_.request_stop();
    return std::make_unique<Open>(std::move(sink));
  }

 private:
  class Open final : public provider::Attempt {
   public:
    explicit Open(std::shared_ptr<provider::AttemptSink> sink) : sink_(std::move(sink)) {}
    void cancel() override {
      if (!ended_) sink_->on_end({provider::Failure{.kind = provider::FailureKind::kCancelled}});
      ended_ = true;
    }

   private:
    std::shared_ptr<provider::AttemptSink> sink_;
    bool ended_ = false;
  };
  base::StopSource& stop_;
};

class InterruptedRunTest : public RunTest {
 protected:
  InterruptedRunTest() {
    cli_.models().plays_scripts = false;
    cli_.models().answer = std::make_shared<InterruptingBackend>(cli_.stop);
  }
};

TEST_F(InterruptedRunTest, WithoutATerminalThePlanIsLeft) {
  EXPECT_EQ(run_scripted({"--format=json", "write one"}), 1);
  EXPECT_EQ(data()["state"], "processing");
  EXPECT_THAT(cli_.output, AllOf(HasSubstr("interrupted: plan"), HasSubstr("`agents resume ")));
}

TEST_F(InterruptedRunTest, AtATerminalItAsksAndLeavesThePlan) {
  cli_.console.read_line = [](const base::StopToken&) {
    return base::Result<std::optional<std::string>>(std::string());
  };
  EXPECT_EQ(run_scripted({"write one"}), 1);
  EXPECT_THAT(cli_.error_output,
              AllOf(HasSubstr("Interrupted: (g)o on"), HasSubstr("stays in execute/processing")));
}

TEST_F(InterruptedRunTest, AtATerminalItCancelsOnRequest) {
  cli_.console.read_line = [](const base::StopToken&) {
    return base::Result<std::optional<std::string>>(std::string("C"));
  };
  EXPECT_EQ(run_scripted({"write one"}), 1);
  EXPECT_THAT(cli_.output, HasSubstr("execute/cancelled"));
}

TEST_F(InterruptedRunTest, ASecondOneLeavesThePlan) {
  cli_.console.read_line = [this](const base::StopToken& stop) {
    cli_.insist.request_stop();
    EXPECT_TRUE(stop.stop_requested());
    return base::Result<std::optional<std::string>>(base::cancelled("interrupted"));
  };
  EXPECT_EQ(run_scripted({"write one"}), 1);
  EXPECT_THAT(cli_.output, HasSubstr("execute/processing"));
}

TEST_F(InterruptedRunTest, ItContinuesOnRequest) {
  cli_.console.read_line = [this](const base::StopToken&) {
    cli_.insist.request_stop();
    return base::Result<std::optional<std::string>>(std::string("g"));
  };
  EXPECT_EQ(run_scripted({"write one"}), 1);
  EXPECT_THAT(cli_.output, HasSubstr("execute/processing"));
}

/// A plan waits for somebody's word, and nobody drives it.
class AskingPlanTest : public RunTest {
 protected:
  void leave_asking(std::vector<std::string> words = {"--direct"}) {
    cli_.set("CLEVERAGENTS_PERMISSIONS_ASK", "write_file");
    words.insert(words.end(), {"--script", script_.string(), "write one"});
    ASSERT_EQ(run(words), 5) << cli_.error_output;
  }
  void types(std::deque<std::string> lines) {
    cli_.console.read_line = [lines = std::move(lines)](const base::StopToken&) mutable {
      if (lines.empty()) return base::Result<std::optional<std::string>>(std::nullopt);
      std::optional line(std::move(lines.front()));
      lines.pop_front();
      return base::Result<std::optional<std::string>>(std::move(line));
    };
  }
  int watch(std::vector<std::string> words = {}) {
    words.insert(words.begin(),
                 {"-C", repository_.path().string(), "watch", "--script", script_.string()});
    return cli_.run(words);
  }
};

TEST_F(AskingPlanTest, WatchAsksAndThePlanContinues) {
  leave_asking();
  types({"d", "y"});
  EXPECT_EQ(watch(), 0) << cli_.error_output;
  EXPECT_THAT(cli_.error_output, AllOf(HasSubstr("write one asks:\nwrite_file one.txt"),
                                       HasSubstr("     content:\n       one\n     path: one.txt")));
  EXPECT_THAT(cli_.output, AllOf(HasSubstr("execute/complete"), HasSubstr("one.txt")));
}

TEST_F(AskingPlanTest, WatchTakesNoForAnAnswer) {
  leave_asking();
  types({"n", "not that file"});
  EXPECT_EQ(watch(), 0) << cli_.error_output;
  EXPECT_THAT(cli_.output, AllOf(HasSubstr("execute/complete"), Not(HasSubstr("one.txt  added"))));
}

TEST_F(AskingPlanTest, WatchLeavesOpenWhatIsNotAnswered) {
  leave_asking();
  types({""});
  EXPECT_EQ(watch(), 0) << cli_.error_output;
  EXPECT_THAT(cli_.output, AllOf(HasSubstr("execute/waiting"), HasSubstr("agents plan approve")));
}

TEST_F(AskingPlanTest, InAPipeWatchSaysWhatToType) {
  leave_asking();
  EXPECT_EQ(watch(), 0) << cli_.error_output;
  EXPECT_THAT(cli_.output, HasSubstr("next: agents plan approve"));
  EXPECT_THAT(cli_.error_output, Not(HasSubstr("(y)es")));
}

TEST_F(AskingPlanTest, WatchAsksForSubplansToo) {
  write_script(R"(
rules:
- match: {tool: submit_strategy}
  tool_calls:
    name: submit_strategy
    arguments: {summary: In parts, steps: [{id: a, title: write one, mode: subplan},
                                           {id: b, title: write two, mode: subplan}]}
- match: {result: write_file}
  reply: It is written.
- match: {user_regex: 'write (\w+)'}
  tool_calls: {name: write_file, arguments: {path: '{1}.txt', content: "{1}\n"}}
)");
  leave_asking({});
  types({"y", "y"});
  EXPECT_EQ(watch(), 0) << cli_.error_output;
  EXPECT_THAT(cli_.output, HasSubstr("execute/complete"));
}

TEST_F(RunTest, DetachLeavesThePlanToTheBackground) {
  std::vector<std::string> started;
  std::filesystem::path log;
  cli_.background = [&](const std::vector<std::string>& words, const std::filesystem::path&,
                        const std::filesystem::path& to) {
    started = words;
    log = to;
    return base::Result<std::int64_t>(42);
  };
  ASSERT_EQ(run_scripted({"--detach", "--apply", "--no-commit", "--unconfined", "--format=json",
                          "write one"}),
            0)
      << cli_.output;
  const std::string id = data()["plan_id"];
  EXPECT_THAT(started, ElementsAre("plan", "drive", id, "--apply", "--no-commit",
                                   "--script=" + script_.string(), "--unconfined"));
  EXPECT_EQ(data()["process"], 42);
  EXPECT_EQ(data()["log"], (cli_.home() / "logs" / ("plan-" + id + ".log")).string());
  EXPECT_EQ(log.parent_path(), cli_.home() / "logs");
  EXPECT_EQ(data()["phase"], "strategize") << "nothing was done before it was left";
  EXPECT_EQ(data()["state"], "queued");

  started.insert(started.begin(), {"-C", repository_.path().string()});
  started.emplace_back("--format=json");
  EXPECT_EQ(cli_.run(started), 0) << cli_.output;
  EXPECT_EQ(data()["state"], "applied");
  EXPECT_EQ(repository_.read("one.txt"), "one\n");
}

TEST_F(RunTest, WithoutABackgroundThePlanIsStillThere) {
  EXPECT_EQ(run_scripted({"--detach", "write one"}), 1);
  EXPECT_THAT(cli_.error_output,
              AllOf(HasSubstr("cannot run in the background"), HasSubstr("`agents resume ")));
}

TEST_F(RunTest, SeveralDetachedPlansAreDrivenTogether) {
  std::vector<std::string> started;
  cli_.background = [&](const std::vector<std::string>& words, const std::filesystem::path&,
                        const std::filesystem::path&) {
    started = words;
    return base::Result<std::int64_t>(42);
  };
  ASSERT_EQ(run_scripted({"--detach", "write one", "write two"}), 0);
  EXPECT_THAT(cli_.output, AllOf(HasSubstr("works in the background: write one"),
                                 HasSubstr("write two"), HasSubstr("next: agents watch ")));
  EXPECT_EQ(started.size(), 5U);
}

}  // namespace
}  // namespace clever::cli
