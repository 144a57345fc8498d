#include "engine/offer/offer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/offer/project_commands.h"
#include "support/temporary_directory.h"

namespace clever::engine {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr std::string_view kSmallSkill = "---\nname: s\ndescription: d\n---\nbody\n";

std::string tool_text(const std::string& name, const std::string& command = "true") {
  return "name: " + name + "\ndescription: d\ninput_schema: {type: object}\ncommand: [" + command +
         "]\n";
}

struct OfferTest : testing::Test {
  config::Settings settings() {
    return config::load_settings({.home = home.path(), .project_directory = project.path()})
        .value();
  }
  Offer find() { return find_offer(settings(), {.home = home.path(), .project = project.path()}); }
  std::vector<NamedCommand> commands() {
    return project_commands(settings(), find(), project.path());
  }
  Offer trusted() {
    return trusted_only(find(), project.path(), TrustStore::open(home.path()).value());
  }
  void trust() { TrustStore::open(home.path()).value().trust(project.path(), commands()).value(); }

  test::TemporaryDirectory home;
  test::TemporaryDirectory project;
};

TEST_F(OfferTest, OfNothingIsEmpty) {
  EXPECT_THAT(find().tools, IsEmpty());
  EXPECT_THAT(find().servers, IsEmpty());
  EXPECT_THAT(find().skills, IsEmpty());
  EXPECT_THAT(find().problems, IsEmpty());
  EXPECT_THAT(commands(), IsEmpty());
}

TEST_F(OfferTest, ToolsComeFromHomeAndProject) {
  home.write("tools/a.yaml", tool_text("a", "home"));
  home.write("tools/b.yaml", tool_text("b", "home"));
  project.write(".cleveragents/tools/b.yaml", tool_text("b", "project"));
  const Offer offer = find();
  ASSERT_EQ(offer.tools.size(), 2U);
  EXPECT_FALSE(offer.tools[0].of_project);
  EXPECT_TRUE(offer.tools[1].of_project);
  EXPECT_THAT(offer.tools[1].tool.argv, ElementsAre("project"));
}

TEST_F(OfferTest, ABrokenFileIsAProblemAndTheOthersAreThere) {
  home.write("tools/a.yaml", tool_text("a"));
  home.write("tools/b.yaml", "name: [");
  home.write("tools/c.yaml", tool_text("a"));
  EXPECT_EQ(find().tools.size(), 1U);
  ASSERT_EQ(find().problems.size(), 2U);
  EXPECT_THAT(find().problems[0], HasSubstr("tools/b.yaml:"));
  EXPECT_THAT(find().problems[1], HasSubstr("rename one of them"));
}

TEST_F(OfferTest, SkillsOfOthersAreReadWhereOursAreAbsent) {
  project.write(".claude/skills/s/SKILL.md", kSmallSkill);
  ASSERT_EQ(find().skills.size(), 1U);
  EXPECT_TRUE(find().skills[0].of_project);
  project.write(".cleveragents/skills/other.txt", "");
  EXPECT_THAT(find().skills, IsEmpty());
}

TEST_F(OfferTest, ServersOfOthersAreReadWhereOursAreAbsent) {
  project.write(".mcp.json", R"({"mcpServers":{"x":{"command":"a"},"mine":{"command":"evil"}}})");
  home.write("config.toml", "[mcp.mine]\ncommand = 'good'\n");
  const Offer offer = find();
  ASSERT_EQ(offer.servers.size(), 2U);
  EXPECT_THAT(offer.servers[0].argv, ElementsAre("good"));
  EXPECT_EQ(offer.servers[1].name, "x");
  project.write(".cleveragents/config.toml", "[mcp.ours]\ncommand = 'b'\n");
  EXPECT_EQ(find().servers.size(), 2U);
  EXPECT_EQ(find().servers[1].name, "ours");
}

TEST_F(OfferTest, AMistakeInServersIsAProblem) {
  project.write(".mcp.json", "{");
  EXPECT_THAT(find().problems.at(0), HasSubstr(".mcp.json:1: not valid JSON"));
  home.write("config.toml", "[mcp.a]\nenv = ['A=b']\n");
  EXPECT_THAT(find().problems.at(0), HasSubstr("mcp.a needs a command"));
}

TEST_F(OfferTest, TheHomeIsNotAProject) {
  std::filesystem::create_directory_symlink(home.path(), project / ".cleveragents");
  home.write("tools/a.yaml", tool_text("a"));
  home.write("skills/s/SKILL.md", kSmallSkill);
  ASSERT_EQ(find().tools.size(), 1U);
  EXPECT_FALSE(find().tools[0].of_project);
  EXPECT_FALSE(find().skills.at(0).of_project);
}

TEST_F(OfferTest, EverythingOfTheProjectIsNamed) {
  project.write(".cleveragents/config.toml",
                "[sandbox]\nsetup = 'npm ci'\n[[validation]]\nname = 'tests'\ncommand = 'make'\n"
                "[[hook]]\nevent = 'plan.complete'\ncommand = ['./notify']\n"
                "[mcp.m]\ncommand = 'm'\n");
  project.write(".cleveragents/tools/t.yaml", tool_text("t"));
  project.write(".cleveragents/skills/s/SKILL.md", kSmallSkill);
  std::vector<std::string> kinds;
  for (const NamedCommand& command : commands()) kinds.push_back(command.kind);
  EXPECT_THAT(kinds, ElementsAre("validation", "hook", "setup", "mcp", "tool", "skill"));
}

TEST_F(OfferTest, WhatIsOnesOwnNeedsNoTrust) {
  home.write("config.toml",
             "[sandbox]\nsetup = 'x'\n[mcp.m]\ncommand = 'm'\n[[validation]]\nname = 'v'\n"
             "command = 'x'\n");
  home.write("tools/t.yaml", tool_text("t"));
  home.write("skills/s/SKILL.md", kSmallSkill);
  EXPECT_THAT(commands(), IsEmpty());
  const Offer offer = trusted();
  EXPECT_EQ(offer.tools.size() + offer.servers.size() + offer.skills.size(), 3U);
}

TEST_F(OfferTest, OfTheProjectOnlyWhatIsTrustedIsOffered) {
  project.write(".mcp.json", R"({"mcpServers":{"m":{"command":"m"}}})");
  project.write(".cleveragents/tools/t.yaml", tool_text("t"));
  project.write(".cleveragents/skills/s/SKILL.md", kSmallSkill);
  const Offer before = trusted();
  EXPECT_EQ(before.tools.size() + before.servers.size() + before.skills.size(), 0U);
  trust();
  const Offer after = trusted();
  EXPECT_EQ(after.tools.size() + after.servers.size() + after.skills.size(), 3U);
}

TEST_F(OfferTest, AChangedDefinitionIsNotOfferedAnyMore) {
  project.write(".cleveragents/tools/t.yaml", tool_text("t"));
  project.write(".cleveragents/skills/s/SKILL.md", kSmallSkill);
  trust();
  project.write(".cleveragents/tools/t.yaml", tool_text("t") + "# changed\n");
  project.write(".cleveragents/skills/s/more.md", "new\n");
  EXPECT_THAT(trusted().tools, IsEmpty());
  EXPECT_THAT(trusted().skills, IsEmpty());
}

}  // namespace
}  // namespace clever::engine
