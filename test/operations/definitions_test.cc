#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "support/cli_run.h"
#include "support/repository.h"

namespace clever::cli {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr std::string_view kSkill = "---\nname: notes\ndescription: d\n---\nbody\n";

class DefinitionCommands : public testing::Test {
 protected:
  int run(std::vector<std::string> words) {
    words.insert(words.begin(), {"-C", repository_.path().string()});
    return cli_.run(words);
  }
  json data(std::vector<std::string> words) {
    words.insert(words.end(), {"--format", "json"});
    EXPECT_EQ(run(std::move(words)), 0) << cli_.output;
    return json::parse(cli_.output)["data"];
  }
  std::vector<std::string> names(const std::string& word, const std::string& key) {
    std::vector<std::string> all;
    for (const json& entry : data({word, "list"})[key]) {
      if (entry["from"] != "built in") all.push_back(entry["name"]);
    }
    return all;
  }

  test::Repository repository_;
  test::CliRun cli_;
};

TEST_F(DefinitionCommands, BuiltInOnesAreListed) {
  EXPECT_EQ(data({"action", "list"})["actions"][0]["name"], "local/task");
  EXPECT_EQ(data({"actor", "list"})["actors"].size(), 8U);
  EXPECT_EQ(run({"tool", "list"}), 0);
  EXPECT_THAT(cli_.output, AllOf(HasSubstr("read_file"), HasSubstr("run_command")));
  EXPECT_EQ(run({"skill", "list"}), 0);
  EXPECT_THAT(cli_.output, HasSubstr("There are no skills."));
}

TEST_F(DefinitionCommands, AnActionComesAndGoes) {
  repository_.write("a.yaml", "name: x\ndescription: Do it\n");
  EXPECT_EQ(run({"action", "add", "a.yaml"}), 0) << cli_.error_output;
  EXPECT_THAT(names("action", "actions"), ElementsAre("local/x"));
  EXPECT_EQ(run({"action", "add", "a.yaml"}), 4);
  EXPECT_EQ(run({"action", "add", "a.yaml", "--project"}), 0) << cli_.error_output;
  EXPECT_EQ(data({"action", "show", "x"})["from"], "project");
  EXPECT_EQ(run({"action", "remove", "x"}), 0);
  EXPECT_EQ(data({"action", "show", "x"})["from"], "yours");
}

TEST_F(DefinitionCommands, AnActionFromTheStandardInput) {
  cli_.input = std::string("name: ns/y\ndescription: Do it\n");
  EXPECT_EQ(run({"action", "add", "-"}), 0) << cli_.error_output;
  EXPECT_EQ(data({"action", "show", "ns/y"})["name"], "ns/y");
}

TEST_F(DefinitionCommands, AMistakeInAFileIsNotTheCommandLines) {
  repository_.write("bad.yaml", "name: x\ndescripton: d\n");
  EXPECT_EQ(run({"action", "add", "bad.yaml"}), 1);
  EXPECT_THAT(cli_.error_output, HasSubstr("bad.yaml:2:"));
  EXPECT_EQ(run({"actor", "add", "bad.yaml"}), 1);
  EXPECT_EQ(run({"tool", "add", "bad.yaml"}), 1);
  EXPECT_EQ(run({"action", "add", "--name", "Bad Name", "--description", "d"}), 2);
  EXPECT_EQ(run({"action", "add", "--name", "x"}), 2);
  EXPECT_EQ(run({"action", "add", "--name", "x", "--description", "d", "--argument", ":int"}), 2);
}

TEST_F(DefinitionCommands, ABrokenFileOfOnesOwnIsNamed) {
  std::filesystem::create_directories(cli_.home() / "actors");
  cli_.folder().write("home/actors/a.yaml", "type: llm\n");
  EXPECT_EQ(run({"actor", "list"}), 1);
  EXPECT_THAT(cli_.error_output, HasSubstr("actors/a.yaml:1"));
  cli_.folder().write("home/actions/a.yaml", "x: y\n");
  EXPECT_EQ(run({"action", "list"}), 1);
}

TEST_F(DefinitionCommands, AnActorFromFlags) {
  EXPECT_EQ(run({"actor", "add", "--name", "strict", "--system", "Be strict.", "--argument",
                 "level:low|high=low", "--argument", "file:path"}),
            0)
      << cli_.error_output;
  const json actor = data({"actor", "show", "strict"});
  EXPECT_EQ(actor["type"], "llm");
  EXPECT_EQ(actor["arguments"][0]["choices"], json({"low", "high"}));
  EXPECT_EQ(actor["arguments"][1]["required"], true);
  EXPECT_EQ(run({"actor", "add", "--name", "strict"}), 4);
  EXPECT_EQ(run({"actor", "show", "strict"}), 0);
  EXPECT_THAT(cli_.output, HasSubstr("choice low|high"));
  EXPECT_EQ(run({"actor", "remove", "strict"}), 0);
  EXPECT_EQ(run({"actor", "remove", "codemod"}), 2);
}

TEST_F(DefinitionCommands, AToolFromFlags) {
  EXPECT_EQ(run({"tool", "add", "--name", "todo", "--description", "d", "--command", "grep x",
                 "--input", "path", "--capability", "read_only"}),
            0)
      << cli_.error_output;
  const json tool = data({"tool", "show", "todo"});
  EXPECT_EQ(tool["command"], json({"sh", "-c", "grep x"}));
  EXPECT_THAT(tool["capabilities"].dump(), HasSubstr("read_only"));
  EXPECT_EQ(tool["trusted"], true);
  EXPECT_EQ(run({"tool", "add", "--name", "read_file", "--description", "d", "--command", "x"}), 4);
  EXPECT_EQ(run({"tool", "add", "--name", "x", "--description", "d"}), 2);
  EXPECT_EQ(run({"tool", "remove", "todo"}), 0);
  EXPECT_EQ(run({"tool", "remove", "todo"}), 3);
  EXPECT_EQ(run({"tool", "remove", "read_file"}), 2);
}

TEST_F(DefinitionCommands, AToolBesideAnotherIsNotRemoved) {
  cli_.folder().write(
      "home/tools/two.yaml",
      "tools:\n- {name: a, description: d, input_schema: {type: object}, command: "
      "x}\n- {name: b, description: d, input_schema: {type: object}, command: x}\n");
  EXPECT_EQ(run({"tool", "remove", "a"}), 4);
  EXPECT_THAT(cli_.error_output, HasSubstr("also holds the tool b"));
}

TEST_F(DefinitionCommands, AServerIsShownAndNotStarted) {
  repository_.write(".cleveragents/config.toml",
                    "[mcp.files]\ncommand = 'no-such-program'\nenv = ['A=b']\n");
  EXPECT_EQ(data({"tool", "show", "files"})["trusted"], false);
  EXPECT_THAT(names("tool", "tools"), ElementsAre("files"));
  EXPECT_EQ(run({"tool", "remove", "files"}), 2);
  EXPECT_THAT(cli_.error_output, HasSubstr("remove [mcp.files] from the settings"));
}

TEST_F(DefinitionCommands, AToolOfTheProjectNeedsTrust) {
  EXPECT_EQ(
      run({"tool", "add", "--name", "t", "--description", "d", "--command", "x", "--project"}), 0);
  EXPECT_THAT(cli_.error_output, HasSubstr("agents trust"));
  EXPECT_EQ(data({"tool", "show", "t"})["from"], "project, not trusted");
  EXPECT_EQ(run({"trust", "--yes"}), 0);
  EXPECT_EQ(data({"tool", "show", "t"})["from"], "project");
}

TEST_F(DefinitionCommands, ASkillIsTakenOverWithItsFiles) {
  repository_.write("notes/SKILL.md", kSkill);
  repository_.write("notes/refs/a.md", "a");
  EXPECT_EQ(run({"skill", "add", "notes/SKILL.md"}), 0) << cli_.error_output;
  const json skill = data({"skill", "show", "notes"});
  EXPECT_EQ(skill["files"], json({"refs/a.md"}));
  EXPECT_EQ(skill["body"], "body\n");
  EXPECT_EQ(run({"skill", "add", "notes"}), 4);
  EXPECT_EQ(run({"skill", "add", "notes", "--project"}), 0);
  EXPECT_EQ(data({"skill", "show", "notes"})["from"], "project, not trusted");
  EXPECT_EQ(run({"skill", "remove", "notes"}), 0);
  EXPECT_EQ(data({"skill", "show", "notes"})["from"], "yours");
}

TEST_F(DefinitionCommands, ASkillFromFlags) {
  EXPECT_EQ(
      run({"skill", "add", "--name", "tone", "--description", "How we: write", "--body", "b"}), 0)
      << cli_.error_output;
  EXPECT_EQ(data({"skill", "show", "tone"})["description"], "How we: write");
  EXPECT_EQ(run({"skill", "add", "--name", "Tone", "--description", "d"}), 2);
  EXPECT_EQ(run({"skill", "add", "nowhere"}), 3);
  EXPECT_EQ(run({"skill", "show", "tne"}), 3);
  EXPECT_THAT(cli_.error_output, HasSubstr("did you mean tone?"));
}

TEST_F(DefinitionCommands, ASkillOfAnotherProgramIsNotRemoved) {
  repository_.write(".claude/skills/notes/SKILL.md", kSkill);
  EXPECT_EQ(run({"skill", "remove", "notes"}), 2);
  EXPECT_THAT(cli_.error_output, HasSubstr("belongs to another program too"));
}

TEST_F(DefinitionCommands, AProjectIsShown) {
  repository_.write(".cleveragents/config.toml",
                    "[subplan]\nmax_parallel = 4\n[[validation]]\nname = 'v'\ncommand = 'make'\n"
                    "[[validation]]\nname = 'w'\ncommand = 'make'\nrequired = false\n");
  const json project = data({"project", "show"});
  EXPECT_EQ(project["trusted"], false);
  EXPECT_EQ(project["profile"], "supervised");
  EXPECT_EQ(project["validations"], json({"v", "w (informational)"}));
  EXPECT_EQ(project["settings"][0]["key"], "subplan.max_parallel");
  EXPECT_EQ(run({"project", "show", "nowhere"}), 3);
  EXPECT_EQ(run({"project", "show"}), 0);
}

TEST_F(DefinitionCommands, AProjectGetsAFileOnce) {
  EXPECT_EQ(run({"project", "add"}), 0) << cli_.error_output;
  EXPECT_EQ(run({"project", "add"}), 0) << "it keeps its file and its id";
  EXPECT_EQ(run({"project", "remove"}), 0);
  EXPECT_EQ(run({"project", "remove"}), 3);
  repository_.write(".cleveragents/config.toml", "[[validation]]\nname = 'v'\ncommand = 'x'\n");
  EXPECT_EQ(run({"trust", "--yes"}), 0);
  EXPECT_EQ(run({"project", "remove"}), 0);
  EXPECT_EQ(data({"trust", "--show"})["trusted"], false);
}

TEST_F(DefinitionCommands, NoProjectHasPlansAtFirst) {
  EXPECT_EQ(run({"project", "list"}), 0);
  EXPECT_THAT(cli_.output, HasSubstr("No project has plans yet."));
}

}  // namespace
}  // namespace clever::cli
