#include "tool/custom_tools.h"

#include <gtest/gtest.h>

#include "tool/registry.h"

namespace clever::tool {
namespace {

constexpr std::string_view kWhole = R"(
name: count_words
description: Counts the words of a file.
input_schema:
  type: object
  properties:
    path: {type: string, minLength: 1}
    "true": {enum: [true, null, 3, 0.5, "3", yes, 1.2.3]}
  required: [path]
output_schema: {type: object}
command: [python3, tools/count.py, --fast]
timeout_s: 60
capabilities: [read_only, idempotent]
)";

void check_tools_wrong(std::string_view text, std::string_view message) {
  const auto tools = parse_custom_tools(text, "t.yaml");
  ASSERT_FALSE(tools.ok()) << text;
  EXPECT_EQ(tools.error().code(), base::ErrorCode::kInvalidArgument);
  EXPECT_EQ(tools.error().message(), message);
}

std::string with(std::string_view line) {
  return "name: t\ndescription: d\ninput_schema: {}\n" + std::string(line) + "\n";
}

TEST(CustomTools, AllKeysAreRead) {
  const auto tools = parse_custom_tools(kWhole, "t.yaml").value();
  ASSERT_EQ(tools.size(), 1U);
  const CustomTool& tool = tools[0];
  EXPECT_EQ(tool.spec.name, "count_words");
  EXPECT_EQ(tool.spec.description, "Counts the words of a file.");
  EXPECT_EQ(tool.spec.input_schema,
            R"({"properties":{"path":{"minLength":1,"type":"string"},)"
            R"("true":{"enum":[true,null,3,0.5,"3","yes","1.2.3"]}},"required":["path"],)"
            R"("type":"object"})");
  EXPECT_EQ(tool.spec.output_schema, R"({"type":"object"})");
  EXPECT_EQ(tool.argv, (std::vector<std::string>{"python3", "tools/count.py", "--fast"}));
  EXPECT_EQ(tool.spec.timeout, std::chrono::seconds(60));
  EXPECT_TRUE(tool.spec.capabilities.read_only);
  EXPECT_TRUE(tool.spec.capabilities.idempotent);
  EXPECT_FALSE(tool.spec.capabilities.writes);
  EXPECT_EQ(tool.spec.source, Source::kCustom);
  EXPECT_EQ(tool.place, "t.yaml:2");
}

TEST(CustomTools, AShellCommandIsOneText) {
  const auto tools = parse_custom_tools(with("command: wc -w | sort"), "t.yaml").value();
  EXPECT_EQ(tools[0].argv, (std::vector<std::string>{"sh", "-c", "wc -w | sort"}));
  EXPECT_TRUE(tools[0].spec.capabilities.writes);
}

TEST(CustomTools, AFileMayHoldSeveral) {
  const auto tools = parse_custom_tools(R"(tools:
- {name: a, description: d, input_schema: {}, command: x}
- {name: b, description: d, input_schema: {}, command: y}
)",
                                        "t.yaml")
                         .value();
  ASSERT_EQ(tools.size(), 2U);
  EXPECT_EQ(tools[1].place, "t.yaml:3");
}

TEST(CustomTools, TheFileAsAWhole) {
  check_tools_wrong("",
                    "t.yaml:1: the file holds nothing, but must hold a tool (name, description, "
                    "input_schema, command) or a list of them under \"tools\"");
  check_tools_wrong("- a\n",
                    "t.yaml:1: the file holds a list, but must hold a tool (name, description, "
                    "input_schema, command) or a list of them under \"tools\"");
  check_tools_wrong("tools: []\n", "t.yaml:1: \"tools\" must be a list of tools");
  check_tools_wrong(
      "tools: [a]\n",
      "t.yaml:1: a tool is \"a\", but must be a mapping with the keys name, description, "
      "input_schema and command");
  check_tools_wrong("name: x\ntools: []\n",
                    "t.yaml:1: \"name\" stands beside \"tools\": put it into a tool of that list");
  check_tools_wrong("tools: []\nname: x\n",
                    "t.yaml:2: \"name\" stands beside \"tools\": put it into a tool of that list");
}

TEST(CustomTools, TwoToolsOfOneName) {
  check_tools_wrong(
      "tools:\n- {name: a, description: d, input_schema: {}, command: x}\n"
      "- {name: a, description: d, input_schema: {}, command: y}\n",
      "t.yaml:3: a tool \"a\" exists already; rename one of them");
}

TEST(CustomTools, KeysThatAreMissingOrUnknown) {
  check_tools_wrong(with(""), "t.yaml:1: the key \"command\" is missing");
  check_tools_wrong(with("comand: x"),
                    "t.yaml:4: there is no key \"comand\"; did you mean \"command\"? Known: name, "
                    "description, input_schema, output_schema, command, timeout_s, capabilities");
  check_tools_wrong(with("zzz: x"),
                    "t.yaml:4: there is no key \"zzz\"; known: name, description, input_schema, "
                    "output_schema, command, timeout_s, capabilities");
}

TEST(CustomTools, ValuesThatAreWrong) {
  check_tools_wrong(
      "name: a b\n",
      "t.yaml:1: \"name\": \"a b\" is not a valid tool name: use 1 to 64 letters, digits, '_' "
      "or '-'");
  check_tools_wrong("name: [a]\n", "t.yaml:1: \"name\" is a list, but must be a text");
  check_tools_wrong("description: ~\n", "t.yaml:1: \"description\" is nothing, but must be a text");
  check_tools_wrong(
      "input_schema: object\n",
      "t.yaml:1: \"input_schema\" is \"object\", but must be a JSON Schema, written as a "
      "mapping");
  check_tools_wrong(
      "output_schema: {type: 3}\n",
      "t.yaml:1: \"output_schema\": the schema at /type is 3, but must be \"string\", "
      "\"number\", \"integer\", \"boolean\", \"object\", \"array\", \"null\" or a list of "
      "these");
  for (const std::string_view command :
       {"command: {}", "command: []", "command: [[a]]", "command: ['']", "command:"}) {
    const auto tools = parse_custom_tools(command, "t.yaml");
    ASSERT_FALSE(tools.ok()) << command;
    EXPECT_TRUE(tools.error().message().ends_with(
        "but must be a list of the program and its arguments, or one text for sh -c"));
  }
}

TEST(CustomTools, Timeouts) {
  for (const std::string_view timeout : {"0", "-1", "86401", "5s", "1.5", "[]", "x"}) {
    const auto tools = parse_custom_tools("timeout_s: " + std::string(timeout), "t.yaml");
    ASSERT_FALSE(tools.ok()) << timeout;
    EXPECT_TRUE(tools.error().message().ends_with("but must be seconds from 1 to 86400"))
        << tools.error().message();
  }
}

TEST(CustomTools, CapabilitiesThatAreWrong) {
  check_tools_wrong(
      "capabilities: read_only\n",
      "t.yaml:1: \"capabilities\" is \"read_only\", but must be a list such as [read_only] "
      "or [writes, side_effects]");
  check_tools_wrong(
      "capabilities: [readonly]\n",
      "t.yaml:1: \"capabilities\": there is no capability \"readonly\"; did you mean "
      "\"read_only\"? Known: read_only, writes, checkpointable, side_effects, idempotent, "
      "unsafe");
  check_tools_wrong("capabilities: [read_only, writes]\n",
                    "t.yaml:1: \"capabilities\": a tool is read_only or writes, not both");
}

TEST(CustomTools, YamlThatIsNotAllowed) {
  check_tools_wrong("a: &x 1\n", "t.yaml:1: anchors (&name) are not allowed: write it out");
  check_tools_wrong("a: *x\n", "t.yaml:1: not YAML: the referenced anchor is not defined");
  check_tools_wrong("a: x\nb:\n- \"One\n- Two\n", "t.yaml:3: the quote in column 3 is not closed");
  check_tools_wrong("a: 'x\n", "t.yaml:1: the quote in column 4 is not closed");
  check_tools_wrong("a: !!str x\n", "t.yaml:1: tags (!name) are not allowed");
  check_tools_wrong("a: 1\na: 2\n",
                    "t.yaml:2: the key \"a\" occurs twice; it is in line 1 already");
  check_tools_wrong("? [a]\n: 1\n", "t.yaml:1: a key must be a word, not a list");
  check_tools_wrong("a: 1\n---\nb: 2\n",
                    "t.yaml:3: there is a second document; remove the line \"---\"");
  check_tools_wrong("a: \xFF", "t.yaml:1: the file is not UTF-8 text");
}

TEST(CustomTools, YamlThatIsInvalid) {
  const auto tools = parse_custom_tools("a: [\n", "t.yaml");
  ASSERT_FALSE(tools.ok());
  EXPECT_TRUE(tools.error().message().starts_with("t.yaml:2: not YAML: "))
      << tools.error().message();
}

TEST(CustomTools, YamlThatIsTooMuch) {
  const auto deep =
      parse_custom_tools("a: " + std::string(80, '[') + std::string(80, ']'), "t.yaml");
  ASSERT_FALSE(deep.ok());
  EXPECT_EQ(deep.error().message(), "t.yaml:1: nested deeper than 64 levels");
  std::string many = "a: [1";
  for (int i = 0; i < 200'001; ++i) many += ",1";
  EXPECT_EQ(parse_custom_tools(many + "]", "t.yaml").error().message(),
            "t.yaml:1: there are more than 200000 values");
}

TEST(CustomTools, LongWordsAreShownShort) {
  const auto tools = parse_custom_tools(std::string(500, 'k') + ": 1\n", "t.yaml");
  ASSERT_FALSE(tools.ok());
  EXPECT_LT(tools.error().message().size(), 300U);
}

}  // namespace
}  // namespace clever::tool
