#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "support/cli_run.h"
#include "support/repository.h"

namespace clever::cli {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class ValidationCommandTest : public testing::Test {
 protected:
  ValidationCommandTest() {
    repository_.write("a.txt", "one\n");
    repository_.commit("base");
  }

  int run(std::vector<std::string> words) {
    words.insert(words.begin(), {"-C", repository_.path().string(), "validation"});
    return cli_.run(words);
  }
  json data(std::vector<std::string> words) {
    words.push_back("--format=json");
    run(std::move(words));
    return json::parse(cli_.output, nullptr, false)["data"];
  }
  std::string config() const { return repository_.read(".cleveragents/config.toml"); }

  test::Repository repository_;
  test::CliRun cli_;
};

TEST_F(ValidationCommandTest, WithoutAnyItSaysHowToAddOne) {
  ASSERT_EQ(run({"list"}), 0);
  EXPECT_THAT(cli_.output, HasSubstr("agents validation add tests -- make test"));
  ASSERT_EQ(run({"run"}), 0) << cli_.error_output;
  EXPECT_THAT(cli_.output, HasSubstr("No validation to run."));
}

TEST_F(ValidationCommandTest, AddsOneToTheProjectOrToAll) {
  ASSERT_EQ(run({"add", "tests", "--timeout", "5s", "--informational", "--", "make", "test"}), 0)
      << cli_.error_output;
  EXPECT_EQ(config(),
            "[[validation]]\nname = \"tests\"\ncommand = [\"make\", \"test\"]\nrequired = false\n"
            "timeout = \"5s\"\n");
  ASSERT_EQ(run({"add", "--user", "mine", "grep one a.txt"}), 0) << cli_.error_output;
  const json all = data({"list"})["validations"];
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0]["name"], "mine");
  EXPECT_EQ(all[0]["command"], "grep one a.txt");
  EXPECT_EQ(all[0]["trusted"], true);
  EXPECT_EQ(all[1]["trusted"], true);
  EXPECT_EQ(all[1]["required"], false);
  EXPECT_EQ(all[1]["timeout_ms"], 5000);
  ASSERT_EQ(run({"list"}), 0);
  EXPECT_THAT(cli_.output, AllOf(Not(HasSubstr("not trusted")), HasSubstr("informational")));
  ASSERT_EQ(run({"remove", "--user", "mine"}), 0);
  EXPECT_EQ(data({"list"})["validations"].size(), 1U);
}

TEST_F(ValidationCommandTest, AddsAToolWithItsArguments) {
  ASSERT_EQ(
      run({"add", "reads", "--tool", "read_file", "--arguments", R"({"path":"a.txt"})", "--user"}),
      0)
      << cli_.error_output;
  EXPECT_EQ(data({"show", "reads"})["tool"], "read_file");
  const json ran = data({"run"});
  EXPECT_EQ(ran["passed"], true) << ran.dump();
  EXPECT_THAT(std::string(ran["results"][0]["output"]), HasSubstr("one"));
}

TEST_F(ValidationCommandTest, RefusesWhatMakesNoValidation) {
  EXPECT_EQ(run({"add", "x"}), 2);
  EXPECT_EQ(run({"add", "x", "--tool", "t", "--", "true"}), 2);
  EXPECT_NE(run({"add", "x", "--timeout", "soon", "--", "true"}), 0);
  EXPECT_NE(run({"add", "x", "--tool", "t", "--arguments", "none"}), 0);
  EXPECT_EQ(config(), "");
  EXPECT_EQ(run({"show", "none"}), 3);
  EXPECT_EQ(run({"remove", "none"}), 3);
}

TEST_F(ValidationCommandTest, RunsThemOnTheWorkingTree) {
  ASSERT_EQ(run({"add", "--user", "two", "grep two a.txt"}), 0);
  ASSERT_EQ(run({"add", "--user", "one", "grep one a.txt; echo x > a.txt"}), 0);
  EXPECT_EQ(run({"run"}), 1);
  EXPECT_THAT(cli_.output, AllOf(HasSubstr("failed: exit code 1"), HasSubstr("passed in")));
  EXPECT_THAT(cli_.error_output, HasSubstr("two failed: exit code 1"));
  EXPECT_EQ(run({"run", "one"}), 0) << cli_.output << cli_.error_output;
  repository_.write("a.txt", "one\ntwo\n");
  EXPECT_EQ(run({"run"}), 0) << cli_.output;
  EXPECT_EQ(repository_.read("a.txt"), "one\ntwo\n");
  EXPECT_THAT(cli_.sandboxes_left(), testing::IsEmpty());
}

TEST_F(ValidationCommandTest, LeavesOutWhatIsNotTrusted) {
  repository_.write(".cleveragents/config.toml",
                    "[[validation]]\nname = 'tests'\ncommand = ['true']\n");
  // It is required, and was not run.
  EXPECT_EQ(run({"run"}), 1);
  EXPECT_THAT(cli_.error_output, HasSubstr("not trusted"));
  ASSERT_EQ(cli_.run({"-C", repository_.path().string(), "trust", "--yes"}), 0);
  EXPECT_EQ(run({"run"}), 0);
}

TEST_F(ValidationCommandTest, NamesTheFileThatIsWrong) {
  repository_.write(".cleveragents/config.toml",
                    "[[validation]]\nname = 'x'\ntool = 't'\narguments = '{x}'\n");
  EXPECT_EQ(run({"list"}), 1);
  EXPECT_THAT(cli_.error_output, HasSubstr("config.toml:1: arguments: expected a table"));
}

}  // namespace
}  // namespace clever::cli
