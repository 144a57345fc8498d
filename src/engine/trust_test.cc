#include "engine/trust.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <memory>

#include "support/child_process.h"
#include "support/temporary_directory.h"

namespace clever::engine {
namespace {

using base::ErrorCode;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

NamedCommand validation_command(std::vector<std::string> argv, std::string name = "tests") {
  return {.kind = "validation", .name = std::move(name), .argv = std::move(argv)};
}

struct TrustTest : testing::Test {
  TrustStore store() { return TrustStore::open(home.path()).value(); }
  void trust(const std::vector<NamedCommand>& commands) {
    store().trust(project.path(), commands).value();
  }
  bool trusts(const NamedCommand& wanted) { return store().trusts(project.path(), {wanted}); }

  test::TemporaryDirectory home;
  test::TemporaryDirectory project;
};

TEST_F(TrustTest, NothingIsTrustedAtFirst) {
  EXPECT_FALSE(trusts(validation_command({"make", "test"})));
  EXPECT_TRUE(store().trusts(project.path(), {}));
}

TEST_F(TrustTest, WhatWasTrustedIsTrustedByAnotherProcess) {
  trust({validation_command({"make", "test"})});
  EXPECT_TRUE(trusts(validation_command({"make", "test"})));
}

TEST_F(TrustTest, AnyChangeOfItsWordsAsksAgain) {
  trust({validation_command({"make", "test"})});
  EXPECT_FALSE(trusts(validation_command({"make", "tests"})));
  EXPECT_FALSE(trusts(validation_command({"make test"})));
  EXPECT_FALSE(trusts(validation_command({"make", "test"}, "other")));
  NamedCommand hook = validation_command({"make", "test"});
  hook.kind = "hook";
  EXPECT_FALSE(trusts(hook));
}

TEST_F(TrustTest, WhereItIsNamedDoesNotMatter) {
  trust({validation_command({"make"})});
  NamedCommand moved = validation_command({"make"});
  moved.place = "config.toml:99";
  EXPECT_TRUE(trusts(moved));
}

TEST_F(TrustTest, AChangedScriptAsksAgain) {
  project.write("ci/run.sh", "echo good\n");
  const std::vector<NamedCommand> ways = {
      validation_command({"./ci/run.sh"}, "direct"),
      validation_command({"sh", "ci/run.sh"}, "by sh"),
      validation_command({"sh", "-c", "set -e; cd . && 'ci/run.sh' --all"}, "in a text"),
      validation_command({"tool", "--script=ci/run.sh"}, "in an option"),
      validation_command({(project / "ci/run.sh").string()}, "absolute")};
  trust(ways);
  EXPECT_TRUE(store().trusts(project.path(), ways));
  project.write("ci/run.sh", "echo evil\n");
  EXPECT_EQ(store().untrusted(project.path(), ways), ways);
}

TEST_F(TrustTest, AScriptThatAppearsAsksAgain) {
  trust({validation_command({"./run.sh"})});
  project.write("run.sh", "echo\n");
  EXPECT_FALSE(trusts(validation_command({"./run.sh"})));
}

TEST_F(TrustTest, FurtherFilesCount) {
  project.write("skill/SKILL.md", "a");
  NamedCommand skill = validation_command({"skill"});
  skill.files = {"skill/SKILL.md"};
  trust({skill});
  EXPECT_TRUE(trusts(skill));
  project.write("skill/SKILL.md", "b");
  EXPECT_FALSE(trusts(skill));
}

TEST_F(TrustTest, TheProjectIsKnownByItsRealPath) {
  const test::TemporaryDirectory elsewhere;
  std::filesystem::create_directory_symlink(project.path(), elsewhere / "link");
  store().trust(elsewhere / "link", {validation_command({"make"})}).value();
  EXPECT_TRUE(trusts(validation_command({"make"})));
  EXPECT_FALSE(store().trusts(elsewhere.path(), {validation_command({"make"})}));
}

TEST_F(TrustTest, ALinkThatLeadsOutIsRefused) {
  const test::TemporaryDirectory outside;
  outside.write("run.sh", "echo\n");
  std::filesystem::create_symlink(outside / "run.sh", project / "run.sh");
  const auto refused = store().trust(project.path(), {validation_command({"./run.sh"})});
  EXPECT_EQ(refused.error().code(), ErrorCode::kInvalidArgument);
  EXPECT_THAT(refused.error().message(), HasSubstr("leads out of the project"));
  EXPECT_FALSE(trusts(validation_command({"./run.sh"})));
}

TEST_F(TrustTest, AFolderThatIsALinkOutIsRefused) {
  const test::TemporaryDirectory outside;
  outside.write("run.sh", "echo\n");
  std::filesystem::create_directory_symlink(outside.path(), project / "ci");
  EXPECT_FALSE(store().trust(project.path(), {validation_command({"sh", "ci/run.sh"})}).ok());
}

TEST_F(TrustTest, DotsThatLeadOutAreRefused) {
  const test::TemporaryDirectory outside;
  outside.write("run.sh", "echo\n");
  const std::string way =
      (std::filesystem::path("..") / outside.path().filename() / "run.sh").string();
  EXPECT_FALSE(store().trust(project.path(), {validation_command({"sh", way})}).ok());
}

TEST_F(TrustTest, ALinkWithinTheProjectIsFollowed) {
  project.write("real.sh", "echo\n");
  std::filesystem::create_symlink("real.sh", project / "run.sh");
  trust({validation_command({"./run.sh"})});
  EXPECT_TRUE(trusts(validation_command({"./run.sh"})));
  project.write("real.sh", "evil\n");
  EXPECT_FALSE(trusts(validation_command({"./run.sh"})));
}

TEST_F(TrustTest, ProgramsOfTheMachineAreNotTheProjects) {
  EXPECT_THAT(*TrustStore::files_of(project.path(),
                                    validation_command({"/bin/sh", "-c", "ls /etc/passwd"})),
              IsEmpty());
}

TEST_F(TrustTest, FilesAreNamedOnce) {
  project.write("b.sh", "");
  project.write("a.sh", "");
  const auto files = TrustStore::files_of(project.path(),
                                          validation_command({"sh", "-c", "./b.sh; ./a.sh; b.sh"}));
  EXPECT_THAT(*files, ElementsAre("a.sh", "b.sh"));
}

TEST_F(TrustTest, WordsThatAreNoPathsCountForNothing) {
  const std::string zero(1, '\0');
  EXPECT_THAT(
      *TrustStore::files_of(project.path(), validation_command({"", zero, std::string(9000, 'a')})),
      IsEmpty());
}

TEST_F(TrustTest, TrustingOneLeavesTheOthers) {
  trust({validation_command({"a"}, "a")});
  trust({validation_command({"b"}, "b")});
  EXPECT_TRUE(trusts(validation_command({"a"}, "a")));
  EXPECT_TRUE(trusts(validation_command({"b"}, "b")));
}

TEST_F(TrustTest, AReplacedCommandIsForgotten) {
  trust({validation_command({"old"})});
  trust({validation_command({"new"})});
  EXPECT_FALSE(trusts(validation_command({"old"})));
}

TEST_F(TrustTest, RevokingForgetsTheProject) {
  trust({validation_command({"make"})});
  store().revoke(project.path()).value();
  EXPECT_FALSE(trusts(validation_command({"make"})));
  EXPECT_EQ(store().revoke(project.path()).error().code(), ErrorCode::kNotFound);
}

TEST_F(TrustTest, AProjectThatIsGoneCanBeRevoked) {
  const std::filesystem::path gone = project / "gone";
  std::filesystem::create_directory(gone);
  store().trust(gone, {validation_command({"make"})}).value();
  std::filesystem::remove(gone);
  EXPECT_TRUE(store().revoke(gone).ok());
}

TEST_F(TrustTest, OnlyItsOwnerCanReadTheFile) {
  trust({validation_command({"make"})});
  struct stat facts{};
  ASSERT_EQ(::stat((home / "trust.json").c_str(), &facts), 0);
  EXPECT_EQ(facts.st_mode & 0777U, 0600U);
}

TEST_F(TrustTest, ABrokenFileIsNotTakenForAnEmptyOne) {
  for (const char* text :
       {"", "{", "[]", R"({"version":1})", R"({"version":1,"projects":[]})",
        R"({"version":1,"projects":{"/a":7}})", R"({"version":1,"projects":{"/a":{"b":7}}})",
        R"({"version":1,"projects":{"/a":{"b":[7]}}})", R"({"version":2,"projects":{}})"}) {
    home.write("trust.json", text);
    const auto opened = TrustStore::open(home.path());
    ASSERT_FALSE(opened.ok()) << text;
    EXPECT_EQ(opened.error().code(), ErrorCode::kCorruption);
    EXPECT_THAT(opened.error().message(), HasSubstr("remove it and run `agents trust`"));
  }
}

TEST_F(TrustTest, FortyProcessesAtOnceLoseNothing) {
  constexpr int kProcesses = 40;
  std::vector<std::unique_ptr<test::ChildProcess>> children;
  for (int i = 0; i < kProcesses; ++i) {
    children.push_back(std::make_unique<test::ChildProcess>([this, i] {
      auto own = TrustStore::open(home.path());
      const std::string name = std::to_string(i);
      return own.ok() && own->trust(project.path(), {validation_command({"run", name}, name)}).ok()
                 ? 0
                 : 1;
    }));
  }
  for (auto& child : children) EXPECT_EQ(child->wait(), 0);
  for (int i = 0; i < kProcesses; ++i) {
    EXPECT_TRUE(trusts(validation_command({"run", std::to_string(i)}, std::to_string(i)))) << i;
  }
  EXPECT_THAT(home.names(), ElementsAre("trust.json", "trust.json.lock"));
}

TEST_F(TrustTest, AKillLeavesAWholeFile) {
  trust({validation_command({"make"}, "first")});
  for (int kill = 0; kill < 20; ++kill) {
    test::ChildProcess writer([this] {
      for (int i = 0;; ++i) {
        if (!store().trust(project.path(), {validation_command({std::to_string(i)}, "w")}).ok())
          return 1;
      }
    });
    const std::string before = home.read("trust.json");
    while (home.read("trust.json") == before) {
    }
    writer.kill_and_wait();
    EXPECT_TRUE(trusts(validation_command({"make"}, "first")));
  }
}

TEST(NamedCommandOf, ATableIsKnownByItsCommand) {
  const config::Table table{.place = "c.toml:3",
                            .values = {{"name", {"tests"}}, {"command", {"sh", "-c", "make"}}}};
  EXPECT_EQ(named_command("validation", table), (NamedCommand{.kind = "validation",
                                                              .name = "tests",
                                                              .argv = {"sh", "-c", "make"},
                                                              .place = "c.toml:3"}));
}

TEST(NamedCommandOf, AHookIsAlsoKnownByItsEvent) {
  const config::Table table{.values = {{"event", {"tool.before"}},
                                       {"match", {"run_command(git *)"}},
                                       {"name", {"guard"}},
                                       {"command", {"./guard"}}}};
  EXPECT_EQ(named_command("hook", table).name, "tool.before run_command(git *) (guard)");
}

TEST(NamedCommandOf, AValidationByAToolNamesIt) {
  const config::Table table{
      .values = {{"name", {"v"}}, {"tool", {"count"}}, {"arguments", {"{\"a\":1}"}}}};
  EXPECT_THAT(named_command("validation", table).argv, ElementsAre("count", "{\"a\":1}"));
}

TEST(UntrustedSentence, SaysHowMany) {
  EXPECT_THAT(untrusted_sentence(1), HasSubstr("1 command of this project is not trusted"));
  EXPECT_THAT(untrusted_sentence(2), HasSubstr("2 commands of this project are not trusted"));
}

}  // namespace
}  // namespace clever::engine
