#include "git/git_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "support/repository.h"

namespace clever::git {
namespace {

using base::ErrorCode;
using test::Repository;
using testing::HasSubstr;

// A variable of the process for the length of a test.
class Variable {
 public:
  Variable(const char* name, const char* value) : name_(name) { ::setenv(name, value, 1); }
  ~Variable() { ::unsetenv(name_); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const char* name_;
};

TEST(GitCommand, ReturnsWhatGitWrote) {
  const Repository repository;
  EXPECT_EQ(git_output(repository.path(), {"symbolic-ref", "HEAD"}).value(), "refs/heads/main\n");
}

TEST(GitCommand, IsNotLedElsewhereByTheEnvironment) {
  const Repository repository;
  const Variable folder("GIT_DIR", "/nowhere");
  const Variable index("GIT_INDEX_FILE", "/nowhere/index");
  const Variable trace("GIT_TRACE", "1");
  const auto result = run_git(repository.path(), {"rev-parse", "--show-toplevel"}).value();
  EXPECT_EQ(result.output, repository.path().string() + "\n");
  EXPECT_EQ(result.error_output, "");
}

TEST(GitCommand, KeepsWhoCommits) {
  const Repository repository;
  const Variable name("GIT_AUTHOR_NAME", "Grace");
  EXPECT_THAT(git_output(repository.path(), {"var", "GIT_AUTHOR_IDENT"}).value(),
              HasSubstr("Grace"));
}

TEST(GitCommand, AddsToTheEnvironmentAndTheInput) {
  const Repository repository;
  const GitCommandOptions options{.environment = {"GIT_AUTHOR_NAME=Added"},
                                  .standard_input = "content"};
  EXPECT_THAT(git_output(repository.path(), {"var", "GIT_AUTHOR_IDENT"}, options).value(),
              HasSubstr("Added"));
  EXPECT_EQ(git_output(repository.path(), {"hash-object", "--stdin"}, options).value().size(), 41U);
}

TEST(GitCommand, RunsHooksOnlyIfAsked) {
  const Repository repository;
  repository.write(".git/hooks/pre-commit", "#!/bin/sh\nexit 1\n", true);
  const std::vector<std::string> commit = {"commit", "--allow-empty", "-m", "x"};
  EXPECT_FALSE(git_output(repository.path(), commit, {.hooks = true}).ok());
  EXPECT_TRUE(git_output(repository.path(), commit).ok());
}

TEST(GitCommand, SaysWhatGitComplainedAbout) {
  const Repository repository;
  const auto error = git_output(repository.path(), {"rev-parse", "--verify", "nothing"}).error();
  EXPECT_EQ(error.code(), ErrorCode::kInternal);
  EXPECT_THAT(error.message(), HasSubstr("git rev-parse failed: Needed a single revision"));
}

TEST(GitCommand, KnowsARepositoryThatGitDoesNotTrust) {
  const Repository repository;
  const Variable owner("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1");
  const auto error = git_output(repository.path(), {"status"}).error();
  EXPECT_EQ(error.code(), ErrorCode::kPermissionDenied);
  EXPECT_THAT(error.message(), HasSubstr("safe.directory"));
}

TEST(GitCommand, TellsComplaintsWithoutHints) {
  const io::ProcessResult result{.exit_code = 128, .error_output = ""};
  EXPECT_EQ(git_complaint(result), "exit code 128");
  const io::ProcessResult foreign{
      .exit_code = 128,
      .error_output =
          "fatal: detected dubious ownership in repository at '/x'\nhint: do y\n\tgit z\n"};
  EXPECT_EQ(git_complaint(foreign), "detected dubious ownership in repository at '/x'");
}

TEST(GitCommand, ShortensALongComplaint) {
  const io::ProcessResult result{.exit_code = 1, .error_output = std::string(10'000, 'x')};
  EXPECT_LE(git_complaint(result).size(), 2000U);
}

TEST(GitCommand, RefusesMoreOutputThanItsLimit) {
  const Repository repository;
  repository.commit();
  const auto output = git_output(repository.path(), {"rev-parse", "HEAD"}, {.output_limit = 10});
  EXPECT_EQ(output.error().code(), ErrorCode::kResourceExhausted);
}

TEST(GitCommand, CanBeStopped) {
  const Repository repository;
  base::StopSource stop;
  stop.request_stop();
  EXPECT_EQ(run_git(repository.path(), {"status"}, {.stop = stop.token()}).error().code(),
            ErrorCode::kCancelled);
}

TEST(GitCommand, FetchesNothing) {
  const Repository repository;
  const Repository other;
  other.commit();
  const auto result =
      run_git(repository.path(), {"fetch", "file://" + other.path().string()}).value();
  EXPECT_FALSE(result.succeeded());
  EXPECT_THAT(result.error_output, HasSubstr("not allowed"));
}

}  // namespace
}  // namespace clever::git
