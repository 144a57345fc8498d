// kill -9 at every step of `agents apply` and of `agents undo`: after any one other command of
// agents the person's own git works again, and HEAD, index and files agree.
#include <gtest/gtest.h>

#include <array>
#include <string>

#include "crash/crash_points.h"
#include "crash/shells/site.h"
#include "support/campaign.h"

namespace clever::crash {
namespace {

// Commands that look, and one that does something else.
constexpr auto kCommands = std::to_array<std::string_view>(
    {"status", "cleanup", "plan list", "plan diff", "config list", "db status"});

class KillApplyTest : public ::testing::Test {
 protected:
  KillApplyTest() {
    site_.expect("echo Foo > a.txt; echo Foo > b.txt; git add . && git commit --quiet -m first");
    site_.expect("\"$AGENTS\" run --actor local/codemod --arg find=Foo --arg replace=Bar");
    site_.keep("apply");
    site_.expect("\"$AGENTS\" apply --yes");
    site_.keep("undo");
  }

  // False if it did not pass that point.
  bool die(const std::string& command, const std::string& point) {
    site_.put_back(command);
    const auto killed = site_.run("CLEVER_CRASH_AT=" + point + ":1 exec \"$AGENTS\" " + command +
                                  (command == "apply" ? " --yes" : ""));
    return killed.signal.has_value();
  }

  void expect_git_works_after(std::string_view command) {
    const auto ended = site_.run("\"$AGENTS\" " + std::string(command));
    EXPECT_EQ(ended.exit_code, 0) << ended.error_output;
    EXPECT_EQ(site_.expect("git status --porcelain"), "");
    EXPECT_EQ(site_.expect("git diff HEAD --stat; git diff --cached HEAD --stat"), "");
    site_.expect("echo mine > mine.txt && git add mine.txt && git commit --quiet -m mine");
    const std::string files = site_.expect("cat a.txt b.txt");
    EXPECT_TRUE(files == "Foo\nFoo\n" || files == "Bar\nBar\n") << files;
  }

  Site site_;
};

TEST_F(KillApplyTest, GitWorksAfterAnyCommand) {
  const std::size_t each = test::campaign(1, kCommands.size());
  std::size_t deaths = 0;
  for (const std::string command : {"apply", "undo"}) {
    for (const std::string& point : storage::crash::crash_points({"apply"})) {
      for (std::size_t i = 0; i < each; ++i) {
        const std::string_view next = kCommands.at((deaths + i) % kCommands.size());
        SCOPED_TRACE(command + " killed at " + point + ", then agents " + std::string(next));
        if (!die(command, point)) break;
        ++deaths;
        expect_git_works_after(next);
        if (HasFailure()) return;
      }
    }
  }
  EXPECT_GE(deaths, 36 * each);
}

// Until then it is refused at few of them: the lock is held for the exchange alone.
TEST_F(KillApplyTest, TheLockIsTakenWhenEverythingLiesReady) {
  for (const std::string point : {"apply.begun", "apply.stage", "apply.commit_made"}) {
    ASSERT_TRUE(die("apply", point)) << point;
    site_.expect("echo mine > mine.txt && git add mine.txt && git commit --quiet -m mine");
  }
}

TEST_F(KillApplyTest, ALockOfAnotherGitStays) {
  ASSERT_TRUE(die("apply", "apply.exchanged"));
  site_.expect("rm .git/index.lock && touch .git/index.lock");
  const auto ended = site_.run("\"$AGENTS\" status");
  EXPECT_NE(ended.error_output.find("was undone"), std::string::npos) << ended.error_output;
  site_.expect(
      "test -e .git/index.lock && rm .git/index.lock && test -z \"$(git status --short)\"");
}

}  // namespace
}  // namespace clever::crash
