#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cli/words.h"
#include "config/toml.h"
#include "service/commands/init_findings.h"
#include "support/cli_run.h"
#include "support/repository.h"

namespace clever::cli {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<std::string> commands_for(
    const std::vector<std::pair<std::string, std::string>>& files) {
  const test::TemporaryDirectory folder;
  for (const auto& [name, content] : files) folder.write(name, content);
  std::vector<std::string> commands;
  for (const service::FoundTests& tests : service::find_tests(folder.path()))
    commands.push_back(tests.command);
  return commands;
}

TEST(FindTestsTest, ByTheFilesThatAreThere) {
  using testing::ElementsAre;
  EXPECT_THAT(commands_for({}), IsEmpty());
  EXPECT_THAT(commands_for({{"CMakeLists.txt", "project(x)\nenable_testing()\n"}}),
              ElementsAre("ctest --test-dir build"));
  EXPECT_THAT(commands_for({{"CMakeLists.txt", "project(x)\n"}}), IsEmpty());
  EXPECT_THAT(commands_for({{"Makefile", "all:\n\ttrue\ncheck: all\n\ttrue\n"}}),
              ElementsAre("make check"));
  EXPECT_THAT(commands_for({{"Makefile", "test:\n"}, {"makefile", "check:\n"}}),
              ElementsAre("make check"));
  EXPECT_THAT(commands_for({{"Makefile", "latest:\n"}}), IsEmpty());
  EXPECT_THAT(commands_for({{"package.json", R"({"scripts":{"test":"jest"}})"}}),
              ElementsAre("npm test"));
  EXPECT_THAT(commands_for({{"package.json",
                             R"({"scripts":{"test":"echo \"Error: no test specified\""}})"}}),
              IsEmpty());
  EXPECT_THAT(commands_for({{"package.json", R"({"scripts":[]})"}}), IsEmpty());
  EXPECT_THAT(commands_for({{"package.json", "{"}}), IsEmpty());
  EXPECT_THAT(commands_for({{"Cargo.toml", ""}, {"go.mod", "module x"}}),
              ElementsAre("cargo test", "go test ./..."));
  EXPECT_THAT(commands_for({{"pyproject.toml", "[tool.pytest.ini_options]\n"}}),
              ElementsAre("pytest"));
  EXPECT_THAT(commands_for({{"meson.build", "test('x', exe)\n"}}),
              ElementsAre("meson test -C build"));
  EXPECT_THAT(commands_for({{"build.gradle.kts", ""}, {"gradlew", ""}, {"pom.xml", ""}}),
              ElementsAre("./gradlew test", "mvn test"));
  EXPECT_THAT(commands_for({{"mix.exs", ""}, {"Package.swift", ""}, {"tox.ini", ""}}),
              ElementsAre("mix test", "swift test", "tox"));
  EXPECT_THAT(commands_for({{"Rakefile", "task :test\n"}}), ElementsAre("rake test"));
}

class InitTest : public testing::Test {
 protected:
  int run(std::vector<std::string> words) {
    words.insert(words.begin(), {"-C", repository_.path().string(), "init"});
    return cli_.run(words);
  }
  std::string config() const { return repository_.read(".cleveragents/config.toml"); }

  test::Repository repository_;
  test::CliRun cli_;
};

TEST_F(InitTest, WritesAConfigThatSetsNothing) {
  repository_.write("go.mod", "module x\n");
  cli_.set("ANTHROPIC_API_KEY", "key");
  ASSERT_EQ(run({"--format=json"}), 0) << cli_.output;
  const json data = json::parse(cli_.output)["data"];
  EXPECT_EQ(data["project"], repository_.path().string());
  EXPECT_EQ(data["repository"], true);
  EXPECT_EQ(data["branch"], "main");
  EXPECT_EQ(data["tests"], json::parse(R"([{"kind":"go","command":"go test ./...",
                                            "validation":"go test ./..."}])"));
  EXPECT_EQ(data["validates"], false);
  EXPECT_EQ(data["providers"][0], "anthropic");
  EXPECT_EQ(data["written"], true);
  EXPECT_THAT(config(), AllOf(HasSubstr("# Tests (go): go test ./...\n"), HasSubstr("# [model]\n"),
                              HasSubstr("# default = \"anthropic/"),
                              HasSubstr("# max_parallel = 16\n"), HasSubstr("# include = []\n")));
  const auto values = config::parse_toml(config(), "config.toml");
  ASSERT_TRUE(values.ok());
  EXPECT_THAT(*values, IsEmpty());
}

TEST_F(InitTest, TheTestsAreValidationsIfThatIsWanted) {
  repository_.write("go.mod", "module x\n");
  repository_.write("CMakeLists.txt", "enable_testing()\n");
  ASSERT_EQ(run({"--yes", "--format=json"}), 0) << cli_.output;
  EXPECT_EQ(json::parse(cli_.output)["data"]["validates"], true);
  ASSERT_EQ(cli_.run({"-C", repository_.path().string(), "validation", "list", "--format=json"}), 0)
      << cli_.error_output;
  const json all = json::parse(cli_.output)["data"]["validations"];
  ASSERT_EQ(all.size(), 2U);
  EXPECT_THAT(all[0]["command"], HasSubstr("cmake --build build"));
  EXPECT_EQ(all[1]["command"], "go test ./...");
  EXPECT_EQ(all[1]["trusted"], false);
}

TEST_F(InitTest, AtATerminalItAsksWhetherTheTestsAreValidations) {
  repository_.write("go.mod", "module x\n");
  std::vector<std::string> answers{"y", "n"};
  cli_.console.read_line = [&](const base::StopToken&) {
    const std::string answer = answers.front();
    answers.erase(answers.begin());
    return base::Result<std::optional<std::string>>(answer);
  };
  ASSERT_EQ(run({}), 0);
  EXPECT_THAT(cli_.error_output, HasSubstr("Check the work of plans with go test ./...?"));
  EXPECT_THAT(config(), HasSubstr("# [[validation]]\n# name = \"go\"\n"));
}

TEST_F(InitTest, WhatItWritesIsRightOnceUncommented) {
  ASSERT_EQ(run({"--yes"}), 0);
  std::string text;
  std::istringstream lines(config());
  for (std::string line; std::getline(lines, line);) {
    const bool setting = line.starts_with("# [") || line.contains(" = ");
    text += setting ? line.substr(2) + "\n" : line + "\n";
  }
  repository_.write(".cleveragents/config.toml", text);
  EXPECT_EQ(cli_.run({"-C", repository_.path().string(), "config", "list"}), 0)
      << cli_.error_output << text;
  EXPECT_THAT(cli_.error_output, IsEmpty());
}

TEST_F(InitTest, NeverOverwrites) {
  repository_.write(".cleveragents/config.toml", "# mine\n");
  ASSERT_EQ(run({"--yes"}), 0);
  EXPECT_THAT(cli_.output, HasSubstr("is there already, and stays as it is"));
  EXPECT_EQ(config(), "# mine\n");
}

TEST_F(InitTest, AsksAtATerminalUnlessYesIsGiven) {
  int asked = 0;
  cli_.console.read_line = [&](const base::StopToken&) {
    ++asked;
    return base::Result<std::optional<std::string>>(std::string(asked == 1 ? "n" : "y"));
  };
  ASSERT_EQ(run({}), 0);
  EXPECT_THAT(cli_.output, HasSubstr("Nothing was written."));
  EXPECT_EQ(config(), "");
  ASSERT_EQ(run({}), 0);
  EXPECT_EQ(asked, 2);
  EXPECT_NE(config(), "");
}

TEST_F(InitTest, WithoutATerminalItAsksNothing) {
  ASSERT_EQ(run({}), 0);
  EXPECT_THAT(cli_.output, AllOf(HasSubstr("none were found"), HasSubstr("Wrote "),
                                 HasSubstr("next: agents run")));
  EXPECT_NE(config(), "");
}

TEST_F(InitTest, AFolderNeedsNoRepository) {
  ASSERT_EQ(cli_.run({"init", "--yes", "--format=json"}), 0) << cli_.output;
  EXPECT_EQ(json::parse(cli_.output)["data"]["repository"], false);
}

TEST_F(InitTest, TheHomeOfTheSettingsIsNotAProject) {
  std::filesystem::create_directories(cli_.work() / ".cleveragents");
  cli_.set("CLEVERAGENTS_HOME", (cli_.work() / ".cleveragents").string());
  EXPECT_EQ(cli_.run({"init", "--yes"}), 2);
  EXPECT_THAT(cli_.error_output, HasSubstr("cannot be a project"));
}

}  // namespace
}  // namespace clever::cli
