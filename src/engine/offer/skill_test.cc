#include "engine/offer/skill.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/offer/skill_tools.h"
#include "support/temporary_directory.h"

namespace clever::engine {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr std::string_view kNotes =
    "---\nname: notes\ndescription: Writes notes.\nlicense: MIT\n---\n# How\nBe short.\n";

TEST(Skill, HasNameDescriptionAndBody) {
  const auto skill = parse_skill(kNotes, "SKILL.md");
  ASSERT_TRUE(skill.ok()) << skill.error().to_string();
  EXPECT_EQ(skill->name, "notes");
  EXPECT_EQ(skill->description, "Writes notes.");
  EXPECT_EQ(skill->body, "# How\nBe short.\n");
  EXPECT_THAT(skill->allowed_tools, IsEmpty());
}

TEST(Skill, MayHaveWindowsLineEndsAndAMark) {
  const auto skill =
      parse_skill("\xEF\xBB\xBF---\r\nname: a\r\ndescription: b\r\n---\r\nbody", "SKILL.md");
  ASSERT_TRUE(skill.ok()) << skill.error().to_string();
  EXPECT_EQ(skill->body, "body");
}

TEST(Skill, NamesItsToolsAsAListOrAText) {
  const auto tools = [](std::string_view line) {
    return parse_skill("---\nname: a\ndescription: b\n" + std::string(line) + "\n---\n", "S")
        .value()
        .allowed_tools;
  };
  EXPECT_THAT(tools("allowed-tools: [read_file, git_log]"), ElementsAre("read_file", "git_log"));
  EXPECT_THAT(tools("allowed-tools: read_file, run_command(git log *)  search"),
              ElementsAre("read_file", "run_command(git log *)", "search"));
  EXPECT_THAT(tools("allowed-tools:"), IsEmpty());
}

TEST(Skill, MistakesNameFileLineAndCure) {
  const auto check = [](std::string_view text, std::string_view why) {
    const auto skill = parse_skill(text, "SKILL.md");
    ASSERT_FALSE(skill.ok()) << text;
    EXPECT_THAT(skill.error().message(), HasSubstr(why)) << text;
  };
  check("", "SKILL.md:1: a skill begins with");
  check("# Title\n", "SKILL.md:1: a skill begins with");
  check("---\nname: a\n", "SKILL.md:1: the line of three dashes that ends");
  check("---\n- a\n---\n", "SKILL.md:2: between the dashes stands a list");
  check("---\n---\n", "SKILL.md:2: between the dashes");
  check("---\nname: a\n---\n", "SKILL.md:2: the key \"description\" is missing");
  check("---\nname: A b\ndescription: c\n---\n", "SKILL.md:2: name must be");
  check("---\ndescription: c\nname: [a]\n---\n", "SKILL.md:3: name must be a text");
  check("---\nname: a\ndescription: " + std::string(2000, 'x') + "\n---\n", "longer than 1024");
  check("---\nname: a\ndescription: b\nallowed-tools: {a: b}\n---\n",
        "SKILL.md:4: allowed-tools must be a list");
  check("---\nname: \"a\n---\n", "SKILL.md:");
  check(std::string(2U << 20U, ' '), "at most 1 MiB");
}

struct SkillFolder : testing::Test {
  SkillFolder() {
    folder.write("notes/SKILL.md", kNotes);
    folder.write("notes/refs/a.md", "reference a");
    folder.write("notes/run.py", "print()");
    folder.write("secret.txt", "secret");
  }
  std::string call(std::size_t tool, std::string_view input) {
    tool::CallContext context;
    const auto answer = skill_tools(found().skills).at(tool)->call(context, input);
    return (answer->failed ? "failed: " : "") + answer->text;
  }
  FoundSkills found() { return skills_in(folder.path(), false); }

  test::TemporaryDirectory folder;
};

TEST_F(SkillFolder, IsFoundByItsFile) {
  folder.write("empty/other.md", "");
  ASSERT_EQ(found().skills.size(), 1U);
  EXPECT_EQ(found().skills[0].name, "notes");
  EXPECT_THAT(found().problems, IsEmpty());
}

TEST_F(SkillFolder, OfNowhereIsEmpty) {
  EXPECT_THAT(skills_in(folder / "nowhere", true).skills, IsEmpty());
}

TEST_F(SkillFolder, ABrokenOneDoesNotHideTheOthers) {
  folder.write("broken/SKILL.md", "nothing");
  folder.write("twice/SKILL.md", kNotes);
  EXPECT_EQ(found().skills.size(), 1U);
  ASSERT_EQ(found().problems.size(), 2U);
  EXPECT_THAT(found().problems[0].message(), HasSubstr("broken/SKILL.md:1:"));
  EXPECT_THAT(found().problems[1].message(), HasSubstr("is there already"));
}

TEST_F(SkillFolder, ALinkIsNotFollowed) {
  std::filesystem::create_symlink(folder / "secret.txt", folder / "notes/link.txt");
  EXPECT_THAT(*skill_files(found().skills[0]), ElementsAre("refs/a.md", "run.py"));
}

TEST_F(SkillFolder, IsTrustedWithAllItsFiles) {
  const NamedCommand command = *named_command(found().skills[0], folder.path());
  EXPECT_EQ(command.kind, "skill");
  EXPECT_THAT(command.argv, ElementsAre("notes"));
  EXPECT_THAT(command.files, ElementsAre("notes/SKILL.md", "notes/refs/a.md", "notes/run.py"));
}

TEST_F(SkillFolder, UseSkillGivesTheBodyAndItsFiles) {
  EXPECT_EQ(call(0, R"({"name":"notes"})"),
            "# Skill notes\n# How\nBe short.\n\nFiles of this skill (read them with "
            "read_skill_file):\n- refs/a.md\n- run.py\n");
}

TEST_F(SkillFolder, UseSkillNamesTheToolsItNeeds) {
  folder.write("notes/SKILL.md",
               "---\nname: notes\ndescription: d\nallowed-tools: git_log\n---\nbody");
  EXPECT_THAT(call(0, R"({"name":"notes"})"), HasSubstr("Tools it needs: git_log"));
}

TEST_F(SkillFolder, AnUnknownSkillNamesTheNearest) {
  EXPECT_EQ(call(0, R"({"name":"note"})"),
            "failed: there is no skill \"note\"; did you mean notes?");
  EXPECT_EQ(call(1, R"({"name":"zzzzzz","path":"a"})"),
            "failed: there is no skill \"zzzzzz\"; there are notes");
}

TEST_F(SkillFolder, FilesAreRead) {
  EXPECT_EQ(call(1, R"({"name":"notes","path":"refs/a.md"})"), "reference a");
}

TEST_F(SkillFolder, NothingLeadsOut) {
  std::filesystem::create_symlink(folder / "secret.txt", folder / "notes/link.txt");
  std::filesystem::create_directory_symlink(folder.path(), folder / "notes/up");
  const std::vector<std::string> paths = {"../secret.txt", "link.txt",
                                          "up/secret.txt", "refs/../../secret.txt",
                                          "nowhere",       (folder / "secret.txt").string(),
                                          "refs"};
  for (const std::string& path : paths) {
    const std::string answer = call(1, R"({"name":"notes","path":")" + path + "\"}");
    EXPECT_THAT(answer, HasSubstr("failed: the skill notes has no file")) << path;
    EXPECT_THAT(answer, Not(HasSubstr("secret\n"))) << path;
  }
}

TEST_F(SkillFolder, TheToolsOnlyRead) {
  for (const auto& tool : skill_tools(found().skills)) {
    EXPECT_TRUE(tool->spec().capabilities.read_only);
    EXPECT_EQ(tool->spec().source, tool::Source::kAgentSkill);
  }
  EXPECT_THAT(skill_tools({}), IsEmpty());
}

TEST(SkillList, IsBounded) {
  const std::vector<Skill> skills = {{.name = "a", .description = "one\nline"},
                                     {.name = "b", .description = std::string(100, 'x')},
                                     {.name = "c", .description = "three"}};
  EXPECT_EQ(skill_list(skills, 30), "- a: one line\n- c: three\n- … and 1 more\n");
  EXPECT_EQ(skill_list({}, 100), "");
}

}  // namespace
}  // namespace clever::engine
