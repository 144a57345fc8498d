#include "io/process.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>

#include "base/thread.h"
#include "io/file.h"
#include "support/child_process.h"
#include "support/temporary_directory.h"

namespace clever::io {
namespace {

using base::Deadline;
using base::ErrorCode;
using test::TemporaryDirectory;
using ::testing::HasSubstr;
using namespace std::chrono_literals;

ProcessOptions shell(std::string script) { return {.argv = {"sh", "-c", std::move(script)}}; }

TEST(RunProcess, ReturnsBothOutputsAndTheExitCode) {
  const auto result = run_process(shell("echo out; echo err >&2; exit 3")).value();
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_EQ(result.signal, std::nullopt);
  EXPECT_EQ(result.output, "out\n");
  EXPECT_EQ(result.error_output, "err\n");
  EXPECT_FALSE(result.truncated);
  EXPECT_FALSE(result.succeeded());
}

TEST(RunProcess, SucceedsWithZero) {
  EXPECT_TRUE(run_process({.argv = {"true"}}).value().succeeded());
}

TEST(RunProcess, ReportsTheSignal) {
  const auto result = run_process(shell("kill -TERM $$")).value();
  EXPECT_EQ(result.signal, SIGTERM);
  EXPECT_EQ(result.exit_code, 128 + SIGTERM);
}

TEST(RunProcess, PassesArgumentsUntouched) {
  EXPECT_EQ(run_process({.argv = {"printf", "%s|", "a b", "", "$x'\""}}).value().output,
            "a b||$x'\"|");
}

TEST(RunProcess, FeedsStandardInput) {
  auto options = ProcessOptions{.argv = {"cat"}};
  options.standard_input = std::string(1'000'000, 'i');
  EXPECT_EQ(run_process(options).value().output, options.standard_input);
}

TEST(RunProcess, GivesAnEndToStandardInput) {
  EXPECT_EQ(run_process({.argv = {"cat"}}).value().output, "");
}

TEST(RunProcess, SurvivesAProgramThatDoesNotListen) {
  auto options = ProcessOptions{.argv = {"true"}};
  options.standard_input = std::string(1'000'000, 'i');
  EXPECT_TRUE(run_process(options).value().succeeded());
}

TEST(RunProcess, ReadsLargeOutputOnBothStreams) {
  const auto result =
      run_process(shell("i=0; while [ $i -lt 300 ]; do printf %01000d 0; printf %01000d 1 >&2; "
                        "i=$((i+1)); done"))
          .value();
  EXPECT_EQ(result.output.size(), 300'000U);
  EXPECT_EQ(result.error_output.size(), 300'000U);
}

TEST(RunProcess, DropsWhatIsBeyondTheLimit) {
  auto options = shell("printf 123456; printf 12 >&2");
  options.output_limit = 4;
  const auto result = run_process(options).value();
  EXPECT_EQ(result.output, "1234");
  EXPECT_EQ(result.error_output, "12");
  EXPECT_TRUE(result.truncated);
  EXPECT_TRUE(result.succeeded());
}

TEST(RunProcess, WorksInTheGivenFolder) {
  const TemporaryDirectory folder;
  folder.write("here", "");
  EXPECT_EQ(run_process({.argv = {"ls"}, .working_directory = folder.path()}).value().output,
            "here\n");
}

TEST(RunProcess, SaysThatTheFolderIsMissing) {
  const auto result = run_process({.argv = {"ls"}, .working_directory = "/nonexistent"});
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code(), ErrorCode::kNotFound);
  EXPECT_THAT(result.error().message(), HasSubstr("/nonexistent: no such folder"));
}

TEST(RunProcess, GivesTheProgramOnlyTheGivenEnvironment) {
  EXPECT_EQ(run_process({.argv = {"env"}, .environment = {{"A=1", "B=x y"}}}).value().output,
            "A=1\nB=x y\n");
}

TEST(RunProcess, InheritsTheEnvironmentOtherwise) {
  EXPECT_THAT(run_process({.argv = {"env"}}).value().output, HasSubstr("PATH="));
}

TEST(RunProcess, SaysThatThereIsNoSuchProgram) {
  const auto result = run_process({.argv = {"no-such-program-anywhere"}});
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code(), ErrorCode::kNotFound);
  EXPECT_THAT(result.error().message(), HasSubstr("no-such-program-anywhere"));
}

TEST(RunProcess, SaysThatItMayNotRunIt) {
  const TemporaryDirectory folder;
  const auto result = run_process({.argv = {folder.write("x", "#!/bin/sh\n").string()}});
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code(), ErrorCode::kPermissionDenied);
}

TEST(RunProcess, RefusesNothingToRun) {
  EXPECT_EQ(run_process({.argv = {}}).error().code(), ErrorCode::kInvalidArgument);
  EXPECT_EQ(run_process({.argv = {""}}).error().code(), ErrorCode::kInvalidArgument);
}

TEST(RunProcess, RefusesANulInAnArgument) {
  EXPECT_EQ(run_process({.argv = {"echo", std::string("a\0b", 3)}}).error().code(),
            ErrorCode::kInvalidArgument);
  EXPECT_EQ(
      run_process({.argv = {"env"}, .environment = {{std::string("A=\0b", 4)}}}).error().code(),
      ErrorCode::kInvalidArgument);
}

// Whether a process of this number is still running (a zombie is not).
bool is_running(const std::string& id) {
  const auto status = read_file("/proc/" + id + "/stat");
  return status.ok() && status->find(") Z") == std::string::npos;
}

TEST(RunProcess, KillsTheWholeGroupAtTheDeadline) {
  const TemporaryDirectory folder;
  base::SystemClock clock;
  auto options = shell("sleep 1000 & echo $! > pid.new; mv pid.new pid; sleep 1000");
  options.working_directory = folder.path();
  options.deadline = Deadline::after(clock, 500ms);
  const auto result = run_process(options);
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code(), ErrorCode::kDeadlineExceeded);
  const std::string id = folder.read("pid");
  ASSERT_FALSE(id.empty());
  EXPECT_FALSE(is_running(id.substr(0, id.size() - 1)));
}

TEST(RunProcess, EndsAtTheDeadlineThoughTheProgramWritesWithoutPause) {
  base::SystemClock clock;
  auto options = ProcessOptions{.argv = {"yes"}};
  options.output_limit = 10;
  options.deadline = Deadline::after(clock, 50ms);
  EXPECT_EQ(run_process(options).error().code(), ErrorCode::kDeadlineExceeded);
}

TEST(RunProcess, FollowsASimulatedClock) {
  base::SimulatedClock clock;
  auto options = shell("echo ready; sleep 1000");
  options.deadline = Deadline::after(clock, 1h);
  base::Thread time("time", [&](const base::StopToken&) { clock.advance(2h); });
  EXPECT_EQ(run_process(options).error().code(), ErrorCode::kDeadlineExceeded);
}

TEST(RunProcess, KillsTheWholeGroupOnAStop) {
  const TemporaryDirectory folder;
  base::StopSource stop;
  auto options = shell("sleep 1000 & echo $! > pid.new; mv pid.new pid; sleep 1000");
  options.working_directory = folder.path();
  options.stop = stop.token();
  base::Thread stopper("stopper", [&](const base::StopToken&) {
    while (file_kind(folder / "pid") == FileKind::kMissing) ::sched_yield();
    stop.request_stop();
  });
  const auto result = run_process(options);
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code(), ErrorCode::kCancelled);
  const std::string id = folder.read("pid");
  EXPECT_FALSE(is_running(id.substr(0, id.size() - 1)));
}

TEST(RunProcess, KillsWhatAProgramLeavesBehind) {
  const auto result = run_process(shell("sleep 1000 & echo $!")).value();
  EXPECT_TRUE(result.succeeded());
  EXPECT_FALSE(is_running(result.output.substr(0, result.output.size() - 1)));
}

TEST(RunProcess, DoesNotWaitForAProcessThatLeftTheGroup) {
  const TemporaryDirectory folder;
  auto options = shell(
      "setsid sh -c 'echo $$ > pid.new; mv pid.new pid; exec sleep 1000' & "
      "while [ ! -f pid ]; do :; done");
  options.working_directory = folder.path();
  EXPECT_TRUE(run_process(options).value().succeeded());
  ::kill(std::stoi(folder.read("pid")), SIGKILL);
}

TEST(RunProcess, GivesTheProgramNoOtherDescriptors) {
  const int leaky = ::dup(STDERR_FILENO);
  const auto result = run_process(shell("ls /proc/self/fd")).value();
  ::close(leaky);
  // ls itself opens the folder that it lists as 3.
  EXPECT_EQ(result.output, "0\n1\n2\n3\n");
}

TEST(RunProcess, KeepsNoDescriptorOpen) {
  const auto count = [] {
    return std::distance(std::filesystem::directory_iterator("/proc/self/fd"), {});
  };
  const auto before = count();
  ASSERT_TRUE(run_process({.argv = {"true"}}).ok());
  ASSERT_FALSE(run_process({.argv = {"no-such-program-anywhere"}}).ok());
  EXPECT_EQ(count(), before);
}

TEST(RunProcess, WorksWithoutStandardDescriptors) {
  EXPECT_EQ(test::in_child([] {
              for (const int number : {0, 1, 2}) ::close(number);
              auto options = shell("cat; echo err >&2");
              options.standard_input = "in";
              const auto result = run_process(options);
              return result.ok() && result->output == "in" && result->error_output == "err\n" ? 0
                                                                                              : 1;
            }),
            0);
}

TEST(RunProcess, SaysThatDescriptorsRanOut) {
  EXPECT_EQ(test::in_child([] {
              // The sanitizer needs descriptors of its own the first time it sees an error's type.
              if (run_process({.argv = {"/no/such/program"}}).ok()) return 3;
              const auto first_free = static_cast<rlim_t>(::dup(0));
              for (rlim_t more = 0; more < 7; ++more) {
                const rlimit limit{.rlim_cur = first_free + 1 + more, .rlim_max = 4096};
                ::close(static_cast<int>(first_free));
                if (::setrlimit(RLIMIT_NOFILE, &limit) != 0) return 2;
                const auto result = run_process({.argv = {"true"}});
                if (result.ok() || result.error().code() != ErrorCode::kResourceExhausted) return 1;
              }
              return 0;
            }),
            0);
}

TEST(RunProcess, GivesTheProgramDefaultSignals) {
  EXPECT_EQ(test::in_child([] {
              ::signal(SIGPIPE, SIG_IGN);
              const auto result = run_process(shell("kill -PIPE $$; echo ignored"));
              return result.ok() && result->signal == SIGPIPE ? 0 : 1;
            }),
            0);
}

}  // namespace
}  // namespace clever::io
