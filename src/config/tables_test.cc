#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "config/edit.h"
#include "config/settings.h"
#include "support/temporary_directory.h"

namespace clever::config {
namespace {

using base::ErrorCode;
using test::TemporaryDirectory;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class TablesTest : public ::testing::Test {
 protected:
  base::Result<Settings> load(std::string_view user, std::string_view project = "") {
    folder_.write("me/.cleveragents/config.toml", user);
    folder_.write("me/here/.cleveragents/config.toml", project);
    return load_settings({.home = folder_ / "me/.cleveragents",
                          .project_directory = folder_ / "me/here",
                          .environment = io::Environment({{"HOME", (folder_ / "me").string()}})});
  }
  std::vector<Table> validations(std::string_view user, std::string_view project = "") {
    return load(user, project).value().tables("validation");
  }
  std::string failure(std::string_view user) {
    const auto loaded = load(user);
    EXPECT_FALSE(loaded.ok());
    return loaded.ok() ? "" : loaded.error().message();
  }
  std::string user_file_name() { return (folder_ / "me/.cleveragents/config.toml").string(); }

  TemporaryDirectory folder_;
};

TEST_F(TablesTest, AreNoneWithoutFiles) {
  EXPECT_THAT(validations(""), IsEmpty());
  EXPECT_THAT(load("").value().tables("no such"), IsEmpty());
}

TEST_F(TablesTest, HavePlaceValuesAndDefaults) {
  const auto found = validations("\n[[validation]]\nname = 'tests'\ncommand = 'make test'\n");
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].place, user_file_name() + ":2");
  EXPECT_FALSE(found[0].of_project);
  EXPECT_EQ(found[0].text("name"), "tests");
  EXPECT_THAT(found[0].values.at("command"), ElementsAre("sh", "-c", "make test"));
  EXPECT_EQ(found[0].text("required"), "true");
  EXPECT_EQ(found[0].text("timeout"), "10m");
  EXPECT_EQ(found[0].text("tool"), "");
}

TEST_F(TablesTest, TakeACommandAsAListWithWhateverIsInIt) {
  const auto found = validations("[[validation]]\nname = 'a'\ncommand = ['x', '', 'a, b']\n");
  EXPECT_THAT(found.at(0).values.at("command"), ElementsAre("x", "", "a, b"));
}

TEST_F(TablesTest, TakeATableAsJson) {
  const auto found = validations(
      "[[validation]]\nname = 'a'\ntool = 't'\narguments = { path = 'x', deep = { n = 1 } }\n"
      "[[validation]]\nname = 'b'\ntool = 't'\n[validation.arguments]\npath = 'y'\n"
      "[[validation]]\nname = 'c'\ntool = 't'\narguments = '{\"path\":1}'\n");
  EXPECT_THAT(found.at(0).text("arguments"), AllOf(HasSubstr("\"path\""), HasSubstr("\"n\"")));
  EXPECT_THAT(found.at(1).text("arguments"), HasSubstr("\"y\""));
  EXPECT_EQ(found.at(2).text("arguments"), "{\"path\":1}");
}

TEST_F(TablesTest, NameTheLineOfARuleThatIsInvalid) {
  EXPECT_THAT(failure("[[hook]]\nevent = 'tool.before'\nmatch = 'write_file('\ncommand = 'x'\n"),
              HasSubstr("config.toml:3: match: \"write_file(\" is not a rule: the ) at its end"));
}

TEST_F(TablesTest, ComeFromTheHomeFirst) {
  const auto found = validations("[[validation]]\nname = 'mine'\ncommand = 'x'\n",
                                 "[[validation]]\nname = 'theirs'\ncommand = 'y'\n");
  ASSERT_THAT(found, SizeIs(2));
  EXPECT_EQ(found[0].text("name"), "mine");
  EXPECT_EQ(found[1].text("name"), "theirs");
  EXPECT_TRUE(found[1].of_project);
}

TEST_F(TablesTest, MayBeWrittenInBraces) {
  EXPECT_THAT(validations("validation = [{ name = 'a', command = 'x' }]\n"), SizeIs(1));
  EXPECT_THAT(validations("validation = []\n"), IsEmpty());
}

TEST_F(TablesTest, KnowHooks) {
  const auto hooks =
      load("[[hook]]\nevent = 'tool.before'\nmatch = 'run_command(git *)'\ncommand = 'x'\n")
          .value()
          .tables("hook");
  ASSERT_THAT(hooks, SizeIs(1));
  EXPECT_EQ(hooks[0].text("timeout"), "30s");
  EXPECT_THAT(failure("[[hook]]\nevent = 'tool.befor'\ncommand = 'x'\n"),
              HasSubstr("did you mean tool.before?"));
}

TEST_F(TablesTest, NameTheNearestKeyForATypo) {
  EXPECT_EQ(failure("[[validation]]\nname = 'a'\ncomand = 'x'\n"),
            user_file_name() + ":3: [[validation]] has no key 'comand'; did you mean command?");
  EXPECT_THAT(failure("[[validation]]\nzzzzzzzz = 'a'\n"),
              HasSubstr("; there are name, command, tool, arguments, required, timeout"));
}

TEST_F(TablesTest, SayWhatIsMissing) {
  EXPECT_EQ(failure("\n[[validation]]\ncommand = 'x'\n"),
            user_file_name() + ":2: this [[validation]] has no name; give it one");
  EXPECT_THAT(failure("[[validation]]\nname = ''\ncommand = 'x'\n"), HasSubstr("has no name"));
  EXPECT_THAT(failure("[[validation]]\nname = 'a'\n"),
              HasSubstr("has neither command nor tool; give it one of them"));
  EXPECT_THAT(failure("[[validation]]\nname = 'a'\ncommand = 'x'\ntool = 'y'\n"),
              HasSubstr("has command and tool; give it one of them"));
}

TEST_F(TablesTest, RefuseWrongValues) {
  const std::string head = "[[validation]]\nname = 'a'\n";
  EXPECT_THAT(failure(head + "command = 3\n"), AllOf(HasSubstr(":3: command is a whole number"),
                                                     HasSubstr("a program and its arguments")));
  EXPECT_THAT(failure(head + "command = ' '\n"), HasSubstr("command: ' ' is not a command"));
  EXPECT_THAT(failure(head + "command = []\n"), HasSubstr("command is an array of nothing"));
  EXPECT_THAT(failure(head + "command = [1]\n"), HasSubstr("items that are not texts"));
  EXPECT_THAT(failure(head + "command = ['', 'x']\n"), HasSubstr("command: '' is not"));
  EXPECT_THAT(failure(head + "command = 'x'\nrequired = 'yes'\n"),
              HasSubstr("required is a string; expected true or false"));
  EXPECT_THAT(failure(head + "command = 'x'\ntimeout = '10'\n"), HasSubstr("a duration such as"));
  EXPECT_THAT(failure(head + "tool = 'x'\narguments = 'path'\n"), HasSubstr("or JSON in quotes"));
}

TEST_F(TablesTest, RefuseANameGivenTwiceInOneFile) {
  const std::string one = "[[validation]]\nname = 'a'\ncommand = 'x'\n";
  EXPECT_THAT(failure(one + one), AllOf(HasSubstr(":4: there is a [[validation]] of the name 'a'"),
                                        HasSubstr(":1; rename one of them")));
  EXPECT_THAT(validations(one, one), SizeIs(2));
}

TEST_F(TablesTest, AreNoGroupOfSettings) {
  EXPECT_THAT(failure("[validation]\nname = 'a'\n"),
              HasSubstr("begin each with a line [[validation]], and below it are name, command"));
  EXPECT_THAT(failure("validation = 'make'\n"), HasSubstr("begin each with a line"));
  EXPECT_THAT(failure("validation = [[{ name = 'a' }]]\n"), HasSubstr("begin each with a line"));
}

class EditTablesTest : public ::testing::Test {
 protected:
  static base::Result<std::string> add(
      std::string_view text, const std::map<std::string, std::vector<std::string>>& values) {
    const TemporaryDirectory folder;
    const auto file = folder.write("x.toml", text);
    const auto done = add_table(file, "validation", values);
    if (!done.ok()) {
      EXPECT_EQ(folder.read("x.toml"), text);
      return done.error();
    }
    return folder.read("x.toml");
  }
  static base::Result<std::string> remove(std::string_view text, std::string_view name) {
    const TemporaryDirectory folder;
    const auto file = folder.write("x.toml", text);
    const auto done = remove_table(file, "validation", name);
    if (!done.ok()) {
      EXPECT_EQ(folder.read("x.toml"), text);
      return done.error();
    }
    return folder.read("x.toml");
  }
};

TEST_F(EditTablesTest, AddAtTheEnd) {
  EXPECT_EQ(add("", {{"name", {"a"}}, {"command", {"sh", "-c", "make \"x\""}}}).value(),
            "[[validation]]\nname = \"a\"\ncommand = \"make \\\"x\\\"\"\n");
  EXPECT_EQ(add("# mine\r\n[model]", {{"name", {"a"}},
                                      {"command", {"npm", "test"}},
                                      {"required", {"false"}},
                                      {"timeout", {"5s"}}})
                .value(),
            "# mine\r\n[model]\r\n\r\n[[validation]]\r\nname = \"a\"\r\ncommand = [\"npm\", "
            "\"test\"]\r\nrequired = false\r\ntimeout = \"5s\"\r\n");
}

TEST_F(EditTablesTest, AddCreatesTheFile) {
  const TemporaryDirectory folder;
  ASSERT_TRUE(
      add_table(folder / "new/x.toml", "validation", {{"name", {"a"}}, {"tool", {"t"}}}).ok());
  EXPECT_EQ(folder.read("new/x.toml"), "[[validation]]\nname = \"a\"\ntool = \"t\"\n");
}

TEST_F(EditTablesTest, AddRefusesWhatNoFileMayHave) {
  EXPECT_EQ(add("", {{"name", {"a"}}}).error().code(), ErrorCode::kInvalidArgument);
  EXPECT_THAT(add("", {{"name", {"a"}}, {"comand", {"x"}}}).error().message(),
              HasSubstr("did you mean command?"));
  EXPECT_THAT(add("", {{"name", {"a"}}, {"tool", {"x"}}, {"timeout", {"x"}}}).error().message(),
              HasSubstr("a duration"));
  EXPECT_EQ(add("[[validation]]\nname = 'a'\n", {{"name", {"a"}}, {"tool", {"x"}}}).error().code(),
            ErrorCode::kAlreadyExists);
  EXPECT_EQ(add("x = \n", {{"name", {"a"}}, {"tool", {"x"}}}).error().code(),
            ErrorCode::kInvalidArgument);
  EXPECT_THAT(add("validation = []\n", {{"name", {"a"}}, {"tool", {"x"}}}).error().message(),
              HasSubstr("edit the file by hand"));
  const TemporaryDirectory folder;
  EXPECT_THAT(add_table(folder / "x", "valdation", {}).error().message(),
              HasSubstr("there are no tables [[valdation]]"));
}

TEST_F(EditTablesTest, RemoveTakesTheTableAlone) {
  EXPECT_EQ(remove("# top\n[[validation]]\nname = 'a'\ncommand = 'x' # why\n\n# next\n"
                   "[[validation]]\nname = 'b'\ncommand = 'y'\n",
                   "a")
                .value(),
            "# top\n# next\n[[validation]]\nname = 'b'\ncommand = 'y'\n");
  EXPECT_EQ(remove("[model]\n[[validation]]\nname = 'b'\ntool = 't'\n[validation.arguments]\n"
                   "path = 'x'\n[output]\nformat = 'json'\n",
                   "b")
                .value(),
            "[model]\n[output]\nformat = 'json'\n");
}

TEST_F(EditTablesTest, RemoveRefusesWhatItCannotTakeOut) {
  EXPECT_EQ(remove("[[validation]]\nname = 'a'\n", "b").error().code(), ErrorCode::kNotFound);
  EXPECT_THAT(remove("validation = [{ name = 'a' }, { name = 'b' }]\n", "a").error().message(),
              HasSubstr("edit the file by hand"));
  EXPECT_THAT(remove("[[validation]]\nname = 'a'\n[output]\n[validation.arguments]\nx = 1\n", "a")
                  .error()
                  .message(),
              HasSubstr("edit the file by hand"));
}

TEST_F(EditTablesTest, SettingAValueLeavesTablesAlone) {
  const TemporaryDirectory folder;
  const std::string tables = "[[validation]]\nname = 'a'\ncommand = 'x'\n";
  const auto file = folder.write("x.toml", tables);
  ASSERT_TRUE(set_value(file, "output.color", "never").ok());
  EXPECT_EQ(folder.read("x.toml"), tables + "\n[output]\ncolor = \"never\"\n");
  ASSERT_TRUE(unset_value(file, "output.color").ok());
  EXPECT_THAT(folder.read("x.toml"), ::testing::StartsWith(tables));
}

}  // namespace
}  // namespace clever::config
