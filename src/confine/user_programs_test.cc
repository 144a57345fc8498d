#include "confine/internal/user_programs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>

#include "support/confine_launcher.h"
#include "support/temporary_directory.h"

// Everything here lies below /tmp, which commands see as an empty folder, as home folders are.
namespace clever::confine {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
namespace fs = std::filesystem;

class UserProgramsTest : public testing::Test {
 protected:
  [[nodiscard]] fs::path at(std::string_view path) const { return home_.path() / path; }

  void write(std::string_view path, std::string_view text, mode_t mode = 0644) const {
    fs::create_directories(at(path).parent_path());
    std::ofstream(at(path)) << text;
    ASSERT_EQ(::chmod(at(path).c_str(), mode), 0);
  }
  void program(std::string_view path, std::string_view text = "#!/bin/sh\necho works\n") const {
    write(path, text, 0755);
  }
  void link(std::string_view path, const fs::path& target) const {
    fs::create_directories(at(path).parent_path());
    fs::create_symlink(target, at(path));
  }

  // As a person's settings have it run.
  [[nodiscard]] Command command(std::vector<std::string> argv) const {
    Command made = test::confined_shell("");
    made.argv = std::move(argv);
    made.environment = {"PATH=" + at("bin").string() + ":/usr/bin:/bin",
                        "HOME=" + home_.path().string()};
    made.hidden = {at("own")};
    made.chosen_by_person = true;
    return made;
  }
  [[nodiscard]] static Command shell(Command made, std::string text) {
    made.argv = {"sh", "-c", std::move(text)};
    return made;
  }
  static std::string output(const Command& made) {
    const auto result = test::run_confined(made);
    return result.ok() ? result->output + result->ending.remark : result.error().message();
  }

  const test::TemporaryDirectory home_;
};

TEST_F(UserProgramsTest, AProgramIsFoundWhereItLies) {
  program("bin/tool");
  EXPECT_EQ(output(command({at("bin/tool").string()})), "works\n");
  EXPECT_EQ(output(command({"tool"})), "works\n");
  EXPECT_EQ(output(shell(command({}), "cd / && tool && ~/bin/tool")), "works\nworks\n");
}

TEST_F(UserProgramsTest, ItCannotBeWritten) {
  program("bin/tool");
  EXPECT_THAT(output(shell(command({}), "tool; echo changed > ~/bin/tool || echo no")),
              "works\nno\n");
}

TEST_F(UserProgramsTest, LinksAndInterpretersAreFollowed) {
  program("share/vendor/versions/2.1/vendor-sh", "#!/bin/sh\n. \"$1\"\n");
  program("share/vendor/cli", "#!/usr/bin/env vendor-sh\necho interpreted\n");
  link("bin/vendor", "../share/vendor/cli");
  link("bin/vendor-sh", at("share/vendor/versions/2.1/vendor-sh"));
  EXPECT_EQ(output(command({"vendor"})), "interpreted\n");
}

TEST_F(UserProgramsTest, AVirtualEnvironmentIsShownWhole) {
  write("venv/pyvenv.cfg", "home = /usr/bin\n");
  write("venv/lib/module", "of the environment\n");
  program("venv/bin/python", "#!/bin/sh\ncat \"${0%/bin/*}/lib/module\"\n");
  program("venv/bin/check", "#!" + at("venv/bin/python").string() + "\n");
  EXPECT_EQ(output(command({at("venv/bin/check").string()})), "of the environment\n");
}

TEST_F(UserProgramsTest, ProgramsOfModelsAreFoundThroughPathOnly) {
  program("bin/tool");
  program("work/tool");
  Command chosen = command({});
  chosen.chosen_by_person = false;
  EXPECT_EQ(output(shell(chosen, "tool")), "works\n");
  EXPECT_THAT(output(shell(chosen, at("work/tool").string())),
              AllOf(HasSubstr(at("work/tool").string()),
                    HasSubstr("they find programs of folders in PATH")));
}

TEST_F(UserProgramsTest, NothingElseOfTheHomeIsShown) {
  program("tool");
  write("letter", "private\n");
  program("project/run");
  write("project/.git/config", "private\n");
  program("Downloads/tool");
  write("Downloads/letter", "private\n");
  for (const char* name : {"tool", "project/run", "Downloads/tool"}) {
    EXPECT_EQ(output(shell(command({}), at(name).string() + "; ls -A " +
                                            at(name).parent_path().string() + "| wc -l")),
              "works\n1\n")
        << name;
  }
}

TEST_F(UserProgramsTest, RefusesProgramsInFoldersThatMayHoldKeys) {
  program(".ssh/tool");
  program("own/tool");
  for (const char* name : {".ssh/tool", "own/tool"}) {
    EXPECT_THAT(output(command({at(name).string()})),
                AllOf(HasSubstr("cannot run " + at(name).string()), HasSubstr("may hold keys")));
  }
}

TEST_F(UserProgramsTest, ALinkOutOfAFolderIsNoWayToKeys) {
  program(".ssh/tool");
  link("bin/tool", at(".ssh/tool"));
  EXPECT_THAT(output(command({"tool"})), HasSubstr("may hold keys"));
}

TEST_F(UserProgramsTest, CirclesEnd) {
  link("bin/a", at("bin/b"));
  link("bin/b", at("bin/a"));
  program("bin/c", "#!" + at("bin/d").string() + "\n");
  program("bin/d", "#!" + at("bin/c").string() + "\n");
  for (const char* name : {"a", "c"}) {
    EXPECT_THAT(internal::user_programs(command({name}), {}).unseen, IsEmpty()) << name;
  }
}

TEST_F(UserProgramsTest, TheCommandsOwnMountsStayOnTop) {
  program("tools/bin/tool");
  fs::create_directories(at("tools/lib/project"));
  Command made = command({at("tools/bin/tool").string()});
  made.mounts = {{.kind = Mount::Kind::kTemporary, .target = home_.path()},
                 {.kind = Mount::Kind::kTemporary, .target = at("tools/lib/project")}};
  internal::add_mounts(made, internal::user_programs(made, {}).mounts);
  ASSERT_EQ(made.mounts.size(), 3);
  EXPECT_EQ(made.mounts[1].target, at("tools"));
}

}  // namespace
}  // namespace clever::confine
