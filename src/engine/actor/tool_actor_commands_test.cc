// Commands of tool actors, really run and confined.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/actor/tool_actor.h"
#include "support/confine_launcher.h"
#include "support/test_workspace.h"

namespace clever::engine {
namespace {

using test::TestWorkspace;
using testing::HasSubstr;

class ActorCommands : public testing::Test {
 protected:
  void SetUp() override {
    auto world = tool::CommandWorld::make(clock, {.launcher = test::confine_launcher(),
                                                  .world = {.home = files.folder() / "home",
                                                            .own_home = files.folder() / "own",
                                                            .environment = {"PATH=/usr/bin:/bin"}},
                                                  .project_root = files.folder() / "project",
                                                  .shared_folder = files.folder() / "shared"});
    ASSERT_TRUE(world.ok()) << world.error().to_string();
    commands = *world;
  }
  std::string work(std::string_view step, const std::map<std::string, std::string>& arguments = {},
                   const std::vector<std::string>& paths = {}) {
    const Actor actor = actor_from_yaml("name: a\ntype: tool\narguments: [{name: word}]\nsteps:\n" +
                                            std::string(step),
                                        "a.yaml")
                            .value();
    const auto result = ToolActorRunner(commands).work(actor, arguments, paths, *files, {});
    return result.ok() ? result->summary : result.error().sentence();
  }

  TestWorkspace files{{{"a.txt", "alpha\n"}, {"b c.txt", "beta\n"}, {"-d.txt", "delta\n"}}};
  base::SystemClock clock;
  std::shared_ptr<tool::CommandWorld> commands;
};

TEST_F(ActorCommands, AValueIsNeverReadAsAProgram) {
  const std::string evil = "x'; echo broken > out; $(echo broken > out) \"`echo`";
  EXPECT_EQ(work("- command: printf %s \"${word}\" > said\n", {{"word", evil}}), "ran 1 command");
  EXPECT_EQ(files.read("said"), evil);
  EXPECT_EQ(files.read("out"), "not_found");
  EXPECT_EQ(work("- command: [cp, a.txt, \"${word}\"]\n", {{"word", "; rm a.txt"}}),
            "ran 1 command");
  EXPECT_EQ(files.read("; rm a.txt"), "alpha\n");
}

TEST_F(ActorCommands, AllFilesOrEachFile) {
  EXPECT_EQ(work("- command: {run: [sed, -i, s/a/A/, '${paths}'], glob: '*.txt'}\n"),
            "ran 1 command");
  EXPECT_EQ(files.read("-d.txt"), "deltA\n");
  EXPECT_EQ(files.read("b c.txt"), "betA\n");
  EXPECT_EQ(work("- command: {run: 'cat \"$@\" > all', glob: '*.txt'}\n"), "ran 1 command");
  EXPECT_EQ(files.read("all"), "deltA\nAlpha\nbetA\n");
  EXPECT_EQ(work("- command: {run: [touch, '${path}.done'], glob: '*.txt'}\n", {}, {"a.txt"}),
            "ran 1 command");
  EXPECT_EQ(files.read("a.txt.done"), "");
  EXPECT_EQ(work("- command: {run: [touch, '${paths}'], glob: '*.none'}\n"), "nothing to do");
}

TEST_F(ActorCommands, AFailureSaysWhatTheCommandSaid) {
  EXPECT_EQ(work("- command: echo out; echo wrong >&2; exit 3\n"),
            "local/a, step 1 (command): the command sh ended with exit code 3: wrong\n");
  EXPECT_THAT(work("- command: {run: sleep 100, timeout_s: 1}\n"),
              HasSubstr("local/a, step 1 (command): "));
}

}  // namespace
}  // namespace clever::engine
