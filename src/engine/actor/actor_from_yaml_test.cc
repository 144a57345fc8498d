#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/actor/tool_actor.h"

namespace clever::engine {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string actor_error(std::string_view yaml) {
  const auto actor = actor_from_yaml(yaml, "a.yaml");
  if (actor.ok()) return "no error";
  EXPECT_EQ(actor.error().code(), base::ErrorCode::kInvalidArgument);
  return actor.error().message();
}

// The steps of an actor with the argument `from`.
std::string error_of_steps(std::string_view steps, std::string_view more = "") {
  return actor_error("name: a\ntype: tool\narguments: [{name: from}]\n" + std::string(more) +
                     "steps:\n" + std::string(steps));
}

TEST(ActorFromYaml, AnActorThatWorksByAModel) {
  const Actor actor = actor_from_yaml(
                          "name: team/reviewer\ntype: llm\ndescription: Reviews.\n"
                          "system: Be strict.\nmodel: anthropic/claude\n",
                          "a.yaml")
                          .value();
  EXPECT_EQ(actor.name, "team/reviewer");
  EXPECT_EQ(actor.type, ActorType::kLlm);
  EXPECT_EQ(actor.description, "Reviews.");
  EXPECT_EQ(actor.system, "Be strict.");
  EXPECT_EQ(actor.model, "anthropic/claude");
  EXPECT_EQ(actor.place, "a.yaml");
}

TEST(ActorFromYaml, AToolActorWithEveryKindOfStep) {
  const Actor actor = actor_from_yaml(R"(
name: everything
type: tool
arguments:
- {name: from, description: the old name, required: true}
- {name: to, default: new}
steps:
- replace: {find: "${from}", replace: "${to}", glob: "*.h", regex: false, word: true, required: true}
- template: {path: "docs/${to}.md", content: "", overwrite: true}
- delete: old.txt
- delete: {glob: "*.orig"}
- move: {from: a, to: "${to}"}
- executable: run.sh
- executable: {glob: "bin/*", value: false}
- command: make
- command: {run: [clang-format, -i, "${paths}"], glob: "*.cc", timeout_s: 60}
)",
                                      "a.yaml")
                          .value();
  EXPECT_EQ(actor.name, "local/everything");
  ASSERT_EQ(actor.arguments.size(), 2U);
  EXPECT_TRUE(actor.arguments[0].required);
  EXPECT_EQ(actor.arguments[1].default_value, "new");
  ASSERT_EQ(actor.steps.size(), 9U);
  EXPECT_EQ(actor.steps[0].kind, "replace");
  EXPECT_EQ(actor.steps[0].values.at("find"), "${from}");
  EXPECT_EQ(actor.steps[1].values.at("content"), "");
  EXPECT_EQ(actor.steps[2].values.at("path"), "old.txt");
  EXPECT_EQ(actor.steps[5].values.at("path"), "run.sh");
  EXPECT_EQ(actor.steps[7].values.at("run"), "make");
  EXPECT_THAT(actor.steps[8].argv, ElementsAre("clang-format", "-i", "${paths}"));
  EXPECT_EQ(actor.split_into, 0);
}

TEST(ActorFromYaml, HowTheWorkIsSplit) {
  const Actor actor = actor_from_yaml(R"(
name: a
type: tool
arguments: [{name: find}, {name: regex, default: "false"}]
split: {glob: "*.py", contains: "${find}", regex: "${regex}", into: 4}
steps: [{replace: {find: "${find}"}}]
)",
                                      "a.yaml")
                          .value();
  EXPECT_EQ(actor.split_glob, "*.py");
  EXPECT_EQ(actor.split_text, "${find}");
  EXPECT_EQ(actor.split_regex, "${regex}");
  EXPECT_EQ(actor.split_into, 4);
  EXPECT_EQ(actor_from_yaml("{name: a, type: tool, split: {}, steps: [{replace: {find: x}}]}", "f")
                .value()
                .split_into,
            16);
}

TEST(ActorFromYaml, AnUnknownKeyNamesLineAndCure) {
  EXPECT_EQ(actor_error("name: a\ntype: llm\nsystm: x\n"),
            "a.yaml:3: there is no key \"systm\"; did you mean \"system\"? Known: name, type, "
            "description, arguments, system, model");
  EXPECT_EQ(error_of_steps("- replace: {find: a,\n    globb: b}"),
            "a.yaml:6: steps[1].replace: there is no key \"globb\"; did you mean \"glob\"? Known: "
            "find, replace, glob, regex, word, required");
  EXPECT_EQ(error_of_steps("- replce: {find: a}"),
            "a.yaml:5: steps[1]: there is no kind of step \"replce\"; did you mean \"replace\"? "
            "Known: replace, template, delete, move, executable, command");
  EXPECT_THAT(actor_error("name: a\ntype: tool\nsplit: {golb: x}\n"),
              HasSubstr("a.yaml:3: split: there is no key \"golb\"; did you mean \"glob\"?"));
  EXPECT_THAT(actor_error("name: a\ntype: llm\narguments: [{nam: x}]\n"),
              HasSubstr("a.yaml:3: arguments[1]: there is no key \"nam\""));
}

TEST(ActorFromYaml, WhichTypesThereAre) {
  EXPECT_EQ(actor_error("name: a\ntype: swarm\n"),
            "a.yaml:2: type: there is no type of actor \"swarm\"; known: llm, tool, graph, agent");
  EXPECT_EQ(actor_error("name: a\n"), "a.yaml:1: the file: the key \"type\" is missing");
}

TEST(ActorFromYaml, AnInvalidActor) {
  EXPECT_THAT(actor_error(""),
              HasSubstr("a.yaml:1: the file holds nothing, but must hold a mapping"));
  EXPECT_THAT(actor_error("[a]"), HasSubstr("the file holds a list"));
  EXPECT_THAT(actor_error("name: [a]\ntype: llm"), HasSubstr("name is a list, but must be a text"));
  EXPECT_THAT(actor_error("name: Big Name\ntype: llm"), HasSubstr("a name is namespace/name"));
  EXPECT_THAT(actor_error("name: a/b/c\ntype: llm"), HasSubstr("a name is namespace/name"));
  EXPECT_THAT(actor_error("name: a\ntype: llm\nsteps: []"),
              HasSubstr("steps belongs to an actor of type tool"));
  EXPECT_THAT(actor_error("name: a\ntype: tool\nsystem: x"),
              HasSubstr("system belongs to an actor of type llm"));
  EXPECT_THAT(actor_error("name: a\ntype: tool"), HasSubstr("steps is"));
  EXPECT_THAT(actor_error("name: a\ntype: tool\nsteps: []"),
              HasSubstr("a list of 1 to 1000 steps"));
  EXPECT_THAT(actor_error("name: a\ntype: llm\nsystem: '" + std::string(40'000, 'x') + "'"),
              HasSubstr("system is longer than 32 KiB"));
}

TEST(ActorFromYaml, ArgumentsThatAreWrong) {
  const auto with = [](std::string_view arguments) {
    return actor_error("name: a\ntype: llm\narguments: " + std::string(arguments));
  };
  EXPECT_THAT(with("x"), HasSubstr("arguments is \"x\", but must be a list"));
  EXPECT_THAT(with("[x]"), HasSubstr("arguments[1] holds \"x\", but must hold a mapping"));
  EXPECT_THAT(with("[{name: Big}]"), HasSubstr("arguments[1].name is \"Big\", but must be"));
  EXPECT_THAT(with("[{name: paths}]"), HasSubstr("is a variable that every actor has"));
  EXPECT_THAT(with("[{name: a}, {name: a}]"), HasSubstr("\"a\" is there already"));
  EXPECT_THAT(with("[{name: a, required: maybe}]"), HasSubstr("but must be true or false"));
  EXPECT_THAT(with("[{name: a, required: true, default: b}]"), HasSubstr("remove one of them"));
  EXPECT_THAT(with("[{name: a, default: [b]}]"), HasSubstr("default is a list"));
}

TEST(ActorFromYaml, ArgumentsHaveTypes) {
  const Actor actor = actor_from_yaml(
                          "name: a\ntype: llm\narguments:\n- {name: a}\n"
                          "- {name: b, type: integer, default: '-3'}\n"
                          "- {name: c, type: choice, choices: [x, y], default: y}\n",
                          "a.yaml")
                          .value();
  EXPECT_EQ(actor.arguments[0].type, ArgumentType::kString);
  EXPECT_EQ(actor.arguments[1].type, ArgumentType::kInteger);
  EXPECT_EQ(actor.arguments[2].choices, (std::vector<std::string>{"x", "y"}));
}

TEST(ActorFromYaml, TypesThatAreWrong) {
  const auto with = [](std::string_view argument) {
    return actor_error("name: a\ntype: llm\narguments:\n- " + std::string(argument));
  };
  EXPECT_THAT(with("{name: a, type: integr}"),
              HasSubstr("a.yaml:4: arguments[1].type: there is no"));
  EXPECT_THAT(with("{name: a, type: integr}"), HasSubstr("integer"));
  EXPECT_THAT(with("{name: a, type: choice}"), HasSubstr("add choices: [a, b]"));
  EXPECT_THAT(with("{name: a, choices: [b]}"), HasSubstr("belongs to type: choice"));
  EXPECT_THAT(with("{name: a, type: integer, default: b}"),
              HasSubstr("arguments[1].default is \"b\", but must be a whole number"));
}

TEST(ActorFromYaml, StepsThatAreWrong) {
  EXPECT_THAT(error_of_steps("- replace"), HasSubstr("must be a mapping with one key"));
  EXPECT_THAT(error_of_steps("- replace: text"), HasSubstr("steps[1].replace holds \"text\""));
  EXPECT_THAT(error_of_steps("- replace: {}"), HasSubstr("the key \"find\" is missing"));
  EXPECT_THAT(error_of_steps("- replace: {find: ''}"), HasSubstr("but must be a text"));
  EXPECT_THAT(error_of_steps("- replace: {find: a, regex: maybe}"),
              HasSubstr("must be true, false or a variable"));
  EXPECT_THAT(error_of_steps("- replace: {find: '(', regex: true}"),
              HasSubstr("steps[1].replace: find is not a regular expression"));
  EXPECT_THAT(error_of_steps("- replace: {find: a, replace: $1, regex: true}"),
              HasSubstr("replace names the group 1, but find has 0"));
  EXPECT_THAT(error_of_steps("- delete: {}"), HasSubstr("needs either path or glob"));
  EXPECT_THAT(error_of_steps("- delete: {path: a, glob: b}"), HasSubstr("needs either path or"));
  EXPECT_THAT(error_of_steps("- command: {run: [a], timeout_s: 0}"), HasSubstr("from 1 to 86400"));
  EXPECT_THAT(error_of_steps("- command: {run: [a], timeout_s: x}"), HasSubstr("from 1 to 86400"));
  EXPECT_THAT(error_of_steps("- command: []"), HasSubstr("must begin with a program"));
  EXPECT_THAT(error_of_steps("- command: [a, [b]]"), HasSubstr("its items must be texts"));
  EXPECT_THAT(error_of_steps("- command: {run: {a: b}}"),
              HasSubstr("a text for sh, or a list of program and arguments"));
}

TEST(ActorFromYaml, VariablesThatAreNotThere) {
  EXPECT_EQ(error_of_steps("- replace: {find: '${form}'}"),
            "a.yaml:5: steps[1].replace.find: there is no variable ${form}; did you mean ${from}? "
            "Known: from, path, project ($${ writes ${ itself)");
  EXPECT_THAT(error_of_steps("- command: echo ${HOME}"), HasSubstr("no variable ${HOME}"));
  EXPECT_THAT(error_of_steps("- command: echo ${paths}"), HasSubstr("the files are \"$@\""));
  EXPECT_THAT(error_of_steps("- command: [echo, 'a${paths}']"), HasSubstr("an item of its own"));
  EXPECT_THAT(error_of_steps("- delete: '${paths}'"), HasSubstr("only a command takes"));
  EXPECT_THAT(error_of_steps("- delete: '${path}'"), HasSubstr("${path} needs files"));
  EXPECT_THAT(error_of_steps("- replace: {find: a}", "split: {contains: '${x}'}\n"),
              HasSubstr("split.contains: there is no variable ${x}"));
  EXPECT_EQ(error_of_steps("- replace: {find: '$${form}'}"), "no error");
}

TEST(ActorFromYaml, APartDoesOnlyWhatIsAboutItsFiles) {
  EXPECT_THAT(error_of_steps("- delete: a", "split: {}\n"),
              HasSubstr("with split every part does every step"));
  EXPECT_EQ(error_of_steps("- delete: '${path}'\n- command: [a, '${paths}']\n- command: a \"$@\"\n",
                           "split: {}\n"),
            "no error");
  EXPECT_THAT(error_of_steps("- replace: {find: a}", "split: {into: 0}\n"), HasSubstr("1 to 256"));
  EXPECT_THAT(error_of_steps("- replace: {find: a}", "split: {regex: maybe}\n"),
              HasSubstr("split.regex is \"maybe\", but must be true, false or a variable"));
}

TEST(ActorArguments, DefaultsAndMistakes) {
  const Actor actor = actor_from_yaml(
                          "{name: a, type: llm, arguments: [{name: from, description: the old "
                          "name, required: true}, {name: to, default: b}]}",
                          "f")
                          .value();
  const auto values = actor_arguments(actor, {{"from", "x"}, {"project", "p"}}).value();
  EXPECT_EQ(values,
            (std::map<std::string, std::string>{{"from", "x"}, {"to", "b"}, {"project", "p"}}));
  EXPECT_EQ(actor_arguments(actor, {}).error().message(),
            "the actor local/a needs the argument \"from\" (the old name): --arg from=…");
  EXPECT_EQ(actor_arguments(actor, {{"form", "x"}}).error().message(),
            "the actor local/a has no argument \"form\"; did you mean from? It takes from, to");
  EXPECT_EQ(actor_arguments(Actor{.name = "b"}, {{"x", "y"}}).error().message(),
            "the actor b has no argument \"x\"; it takes none");
}

}  // namespace
}  // namespace clever::engine
