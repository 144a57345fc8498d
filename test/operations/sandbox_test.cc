#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/random.h"
#include "sandbox/sandbox_manager.h"
#include "support/cli_run.h"
#include "support/repository.h"

namespace clever::cli {
namespace {

using test::CliRun;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class SandboxCommandTest : public testing::Test {
 protected:
  SandboxCommandTest() {
    repository_.write("a.txt", "one\n");
    repository_.commit("base");
  }

  int run(const std::vector<std::string>& flags, const std::string& script) {
    std::vector<std::string> words{"-C", repository_.path().string(), "sandbox", "run"};
    words.insert(words.end(), flags.begin(), flags.end());
    words.insert(words.end(), {"--", "sh", "-c", script});
    return cli_.run(words);
  }

  test::Repository repository_;
  CliRun cli_;
};

TEST_F(SandboxCommandTest, ShowsWhatACommandChangedAndKeepsNothing) {
  EXPECT_EQ(run({"--diff"}, "echo two >> a.txt; echo said"), 0) << cli_.error_output;
  EXPECT_THAT(cli_.output, AllOf(HasSubstr("said\n"), HasSubstr("+two\n")));
  EXPECT_EQ(repository_.read("a.txt"), "one\n");
  EXPECT_THAT(cli_.sandboxes_left(), testing::IsEmpty());
}

TEST_F(SandboxCommandTest, SaysThatNothingChanged) {
  EXPECT_EQ(run({}, "true"), 0);
  EXPECT_EQ(cli_.output, "It changed nothing.\n");
}

TEST_F(SandboxCommandTest, AFailedCommandFails) {
  EXPECT_EQ(run({"--format", "json"}, "echo x; exit 7"), 1);
  EXPECT_THAT(cli_.output, AllOf(HasSubstr(R"("exit_code":7)"), HasSubstr(R"("output":"x\n")")));
}

TEST_F(SandboxCommandTest, LandsAsOneCommit) {
  EXPECT_EQ(run({"--apply", "-m", "Two"}, "echo two >> a.txt"), 0) << cli_.error_output;
  EXPECT_THAT(cli_.output, HasSubstr("Applied as commit "));
  EXPECT_EQ(repository_.read("a.txt"), "one\ntwo\n");
  EXPECT_THAT(repository_.git({"log", "-1", "--format=%B"}),
              AllOf(HasSubstr("Two\n"), HasSubstr("Plan-Id: ")));
  EXPECT_THAT(repository_.git({"status", "--porcelain"}), IsEmpty());
}

TEST_F(SandboxCommandTest, LandsInTheWorkingTreeOrOnABranch) {
  EXPECT_EQ(run({"--apply", "--branch", "other"}, "echo two >> a.txt"), 0);
  EXPECT_EQ(repository_.read("a.txt"), "one\n");
  EXPECT_EQ(repository_.git({"show", "other:a.txt"}), "one\ntwo\n");
  EXPECT_EQ(run({"--apply", "--no-commit"}, "echo three >> a.txt"), 0);
  EXPECT_EQ(repository_.read("a.txt"), "one\nthree\n");
  EXPECT_EQ(repository_.git({"rev-list", "--count", "HEAD"}), "1\n");
}

TEST_F(SandboxCommandTest, AHookThatRefusesStopsIt) {
  repository_.write(".git/hooks/pre-commit", "#!/bin/sh\necho not today\nexit 1\n", true);
  EXPECT_EQ(run({"--apply"}, "echo two >> a.txt"), 5) << cli_.error_output;
  EXPECT_THAT(cli_.output, AllOf(HasSubstr("not today"), HasSubstr("Nothing was touched.")));
  EXPECT_EQ(repository_.read("a.txt"), "one\n");
  EXPECT_EQ(run({"--apply", "--no-verify"}, "echo two >> a.txt"), 0);
  EXPECT_EQ(repository_.read("a.txt"), "one\ntwo\n");
}

TEST_F(SandboxCommandTest, NothingIsAppliedIfNothingChanged) {
  EXPECT_EQ(run({"--apply"}, "true"), 0);
  EXPECT_EQ(repository_.git({"rev-list", "--count", "HEAD"}), "1\n");
}

TEST_F(SandboxCommandTest, RunsOnACommit) {
  repository_.write("a.txt", "uncommitted\n");
  EXPECT_EQ(run({}, "cat a.txt"), 0);
  EXPECT_THAT(cli_.output, HasSubstr("uncommitted\n"));
  EXPECT_EQ(run({"--from", "HEAD"}, "cat a.txt"), 0);
  EXPECT_THAT(cli_.output, HasSubstr("one\n"));
  EXPECT_EQ(run({"--from", "nowhere"}, "true"), 3);
  EXPECT_THAT(cli_.error_output, HasSubstr("no commit 'nowhere'"));
}

TEST_F(SandboxCommandTest, WithoutConfinementNothingRunsUnlessAllowed) {
  cli_.launcher.argv = {"/nonexistent"};
  EXPECT_NE(run({}, "echo ran"), 0);
  EXPECT_THAT(cli_.error_output, HasSubstr("--unconfined"));
  EXPECT_THAT(cli_.output, Not(HasSubstr("ran\n")));
}

class CleanupCommandTest : public testing::Test {
 protected:
  CleanupCommandTest() {
    EXPECT_EQ(cli_.run({"db", "migrate"}), 0);
    repository_.write("a.txt", "one\n");
    repository_.commit();
  }

  // What a process that died has left.
  std::string leave(bool dirty) {
    const auto engine =
        cli_.databases()
            .open(storage::DatabaseUrl::file(cli_.home() / "cleveragents.db"), {}, {})
            .value();
    const auto owner =
        storage::OwnerLock::acquire(cli_.home() / "owners", model::OwnerId(ids_.next())).value();
    const model::PlanId plan(ids_.next());
    const auto records = sandbox::stored_sandbox_records(*engine, clock_);
    sandbox::SandboxManager manager(
        {.folder = cli_.home() / "sandboxes", .database = engine->facts()->address}, *records,
        owner, ids_);
    sandbox::SandboxManager::Request request;
    request.plan = plan;
    request.lease = storage::Leases(*engine).acquire(plan, owner, std::chrono::minutes(1)).value();
    request.project = git::Project::find(repository_.path()).value();
    request.store = manager.store(plan, request.project).value();
    request.base = std::make_shared<git::BaseSnapshot>(
        git::snapshot_working_tree(request.project, *request.store).value());
    const auto sandbox = manager.create(std::move(request)).value();
    if (dirty) sandbox->workspace()->begin_command({}, false).value();
    return sandbox->id().to_string();
  }

  test::Repository repository_;
  CliRun cli_;
  base::SystemClock clock_;
  base::SeededRandom random_{1};
  base::UlidGenerator ids_{clock_, random_};
};

TEST_F(CleanupCommandTest, NothingIsLeftOver) {
  EXPECT_EQ(cli_.run({"cleanup"}), 0);
  EXPECT_EQ(cli_.output, "Nothing is left over.\n");
}

TEST_F(CleanupCommandTest, RemovesWhatTheDeadHaveLeft) {
  const std::string id = leave(false);
  EXPECT_EQ(cli_.run({"cleanup", "--dry-run"}), 0);
  EXPECT_THAT(cli_.output, AllOf(HasSubstr(id), HasSubstr("would go")));
  EXPECT_EQ(cli_.run({"cleanup"}), 0);
  EXPECT_THAT(cli_.output, HasSubstr("removed"));
  EXPECT_EQ(cli_.run({"cleanup"}), 0);
  EXPECT_EQ(cli_.run({"cleanup"}), 0);
  EXPECT_EQ(cli_.output, "Nothing is left over.\n") << "the plan's files go with the second run";
}

TEST_F(CleanupCommandTest, KeepsUnsavedWorkUntilItIsDiscarded) {
  const std::string id = leave(true);
  EXPECT_EQ(cli_.run({"cleanup"}), 0);
  EXPECT_THAT(cli_.output, HasSubstr("kept"));
  EXPECT_THAT(cli_.error_output, HasSubstr("agents cleanup --discard " + id));
  EXPECT_EQ(cli_.run({"cleanup", "--discard", "01ARZ3NDEKTSV4RRFFQ69G5FAV"}), 0);
  EXPECT_THAT(cli_.error_output, HasSubstr("there is no leftover"));
  EXPECT_EQ(cli_.run({"cleanup", "--discard", id, "--format", "json"}), 0);
  EXPECT_THAT(cli_.output, HasSubstr(R"("fate":"removed")"));
}

}  // namespace
}  // namespace clever::cli
