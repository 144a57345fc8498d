#include "provider/scripted/script.h"

#include <gtest/gtest.h>

#include "provider/scripted/script_error.h"
#include "support/temporary_directory.h"

namespace clever::provider {
namespace {

using std::chrono::milliseconds;

Script script_of(std::string_view text) { return Script::parse(text, "s.yaml").value(); }
ScriptedReply first_reply(std::string_view text) {
  return script_of(text).rules.at(0).replies.at(0);
}

void check_script_wrong(std::string_view text, std::string_view expected) {
  const auto script = Script::parse(text, "s.yaml");
  ASSERT_FALSE(script.ok()) << text;
  EXPECT_EQ(script.error().code(), base::ErrorCode::kInvalidArgument);
  EXPECT_EQ(script.error().message().substr(0, expected.size()), expected);
}

TEST(Script, TheSmallestOne) {
  const Script script = script_of("rules:\n- reply: Hello.\n");
  ASSERT_EQ(script.rules.size(), 1U);
  EXPECT_EQ(script.rules[0].name, "rule 1");
  EXPECT_EQ(script.rules[0].line, 2U);
  EXPECT_EQ(script.rules[0].replies, std::vector{ScriptedReply{.text = "Hello."}});
}

TEST(Script, MatchesAreRead) {
  const Script script = script_of(R"(
about: Everything that can be matched.
rules:
- name: all
  match:
    model: "gpt-*"
    user: [hello, world]
    user_regex: 'name is (\w+)'
    any: x
    any_regex: y
    system: z
    system_regex: '^You'
    tool: read_file
    result: list_files
    result_text: a.txt
    result_regex: '(\d+) files'
    turn: 2
  times: once
  reply: "{1} {2}"
)");
  const ScriptRule& rule = script.rules[0];
  EXPECT_EQ(rule.name, "all");
  EXPECT_EQ(rule.times, 1U);
  EXPECT_EQ(rule.match.model, "gpt-*");
  EXPECT_EQ(rule.match.user, (std::vector<std::string>{"hello", "world"}));
  EXPECT_EQ(rule.match.user_regex->text(), "name is (\\w+)");
  EXPECT_EQ(rule.match.any, std::vector<std::string>{"x"});
  EXPECT_EQ(rule.match.any_regex->text(), "y");
  EXPECT_EQ(rule.match.system, std::vector<std::string>{"z"});
  EXPECT_EQ(rule.match.system_regex->text(), "^You");
  EXPECT_EQ(rule.match.tool, std::vector<std::string>{"read_file"});
  EXPECT_EQ(rule.match.result, "list_files");
  EXPECT_EQ(rule.match.result_text, std::vector<std::string>{"a.txt"});
  EXPECT_EQ(rule.match.result_regex->text(), "(\\d+) files");
  EXPECT_EQ(rule.match.turn, 2U);
}

TEST(Script, ToolCallArgumentsBecomeJson) {
  const ScriptedReply read_reply = first_reply(R"(
rules:
- reply: I look.
  tool_calls:
  - name: read_file
    arguments: {path: a.txt, line: 3, ratio: 0.5, deep: {on: true, off: false, no: null}, list: [1, "2"]}
  - {name: list_files, id: my_id}
)");
  ASSERT_EQ(read_reply.tool_calls.size(), 2U);
  EXPECT_EQ(
      read_reply.tool_calls[0].arguments,
      R"({"deep":{"no":null,"off":false,"on":true},"line":3,"list":[1,"2"],"path":"a.txt","ratio":0.5})");
  EXPECT_EQ(read_reply.tool_calls[1], (ScriptedToolCall{"list_files", "{}", "my_id"}));
  EXPECT_EQ(read_reply.stop, StopReason::kToolCalls);
}

TEST(Script, OneToolCallNeedsNoList) {
  EXPECT_EQ(first_reply("rules:\n- tool_calls: {name: go}\n").tool_calls.size(), 1U);
}

TEST(Script, TheMannerIsRead) {
  const ScriptedReply read_reply = first_reply(R"(
rules:
- reply: text
  reasoning: thought
  stop: length
  usage: {input: 10, output: 20, cache_read: 3, cache_write: 4, reasoning: 5}
  delay: 1.5s
  chunk: 7
  chunk_delay: 20ms
  cut: 2
)");
  EXPECT_EQ(read_reply.reasoning, "thought");
  EXPECT_EQ(read_reply.stop, StopReason::kLength);
  EXPECT_EQ(read_reply.usage, (Usage{10, 20, 3, 4, 5, true}));
  EXPECT_EQ(read_reply.delay, milliseconds(1500));
  EXPECT_EQ(read_reply.chunk, 7U);
  EXPECT_EQ(read_reply.chunk_delay, milliseconds(20));
  EXPECT_EQ(read_reply.cut, 2U);
}

TEST(Script, DefaultsHoldForEveryAnswer) {
  const Script script = script_of(R"(
defaults: {delay: 14m, chunk_delay: 1h, chunk: 3, usage: {input: 1}}
rules:
- replies: [one, {reply: two, delay: 0}]
)");
  const auto& replies = script.rules[0].replies;
  EXPECT_EQ(replies[0].delay, std::chrono::minutes(14));
  EXPECT_EQ(replies[0].chunk_delay, std::chrono::hours(1));
  EXPECT_EQ(replies[0].chunk, 3U);
  EXPECT_EQ(replies[0].usage, (Usage{.input = 1, .known = true}));
  EXPECT_EQ(replies[1].text, "two");
  EXPECT_EQ(replies[1].delay, milliseconds(0));
}

TEST(Script, WordsAreSaidAsOftenAsItSays) {
  EXPECT_EQ(first_reply("rules: [{reply: ab, repeat: 3}]").text, "ababab");
  EXPECT_EQ(first_reply("rules: [{repeat: 2, reply: x}]").text, "xx");
  check_script_wrong("rules: [{reply: x, repeat: 0}]",
                     "s.yaml:1: \"repeat\": must be a whole number");
  check_script_wrong("rules: [{reply: " + std::string(100, 'x') + ", repeat: 1000000}]",
                     "s.yaml:1: \"repeat\": the \"reply\" would be longer than 64 MiB");
}

TEST(Script, ErrorsByKindAndStatus) {
  EXPECT_EQ(first_reply("rules: [{error: quota}]").error,
            ScriptedError{.kind = FailureKind::kQuota});
  EXPECT_EQ(first_reply("rules: [{error: 529}]").error,
            (ScriptedError{.kind = FailureKind::kOverloaded, .status = 529}));
  EXPECT_EQ(
      first_reply("rules: [{error: {status: 429, retry_after: 2s, message: m, body: b}}]").error,
      (ScriptedError{FailureKind::kRateLimited, 429, milliseconds(2000), "m", "b"}));
  EXPECT_EQ(first_reply("rules: [{error: {kind: quota, status: 402}}]").error,
            (ScriptedError{.kind = FailureKind::kQuota, .status = 402}));
}

TEST(Script, StatusesHaveTheirMeaning) {
  EXPECT_EQ(kind_of_status(401), FailureKind::kBadKey);
  EXPECT_EQ(kind_of_status(402), FailureKind::kQuota);
  EXPECT_EQ(kind_of_status(404), FailureKind::kUnknownModel);
  EXPECT_EQ(kind_of_status(408), FailureKind::kTimeout);
  EXPECT_EQ(kind_of_status(413), FailureKind::kContextTooLong);
  EXPECT_EQ(kind_of_status(422), FailureKind::kBadRequest);
  EXPECT_EQ(kind_of_status(500), FailureKind::kOverloaded);
  for (const FailureKind kind : scriptable_kinds()) {
    const int status = usual_status(kind);
    EXPECT_TRUE(status == 0 || (status >= 400 && status < 600)) << to_string(kind);
  }
}

TEST(Script, KindsOfDamage) {
  EXPECT_EQ(first_reply("rules: [{reply: a, malformed: true}]").damage, ScriptedDamage::kJson);
  EXPECT_EQ(first_reply("rules: [{reply: a, malformed: false}]").damage, ScriptedDamage::kNone);
  EXPECT_EQ(first_reply("rules: [{reply: a, malformed: sse}]").damage, ScriptedDamage::kSse);
  EXPECT_EQ(first_reply("rules: [{malformed: html}]").damage, ScriptedDamage::kHtml);
  EXPECT_EQ(first_reply("rules: [{reply: a, malformed: length}]").damage, ScriptedDamage::kLength);
}

TEST(Script, RefusalsAndEmptyReplies) {
  EXPECT_EQ(first_reply("rules: [{refusal: no}]").stop, StopReason::kRefusal);
  EXPECT_EQ(first_reply("rules: [{reply: \"\"}]").text, "");
  EXPECT_EQ(first_reply("rules: [{reply: a, stop: end}]").stop, StopReason::kEnd);
}

TEST(Script, ReadsTheActionAfterTheLastReply) {
  EXPECT_EQ(script_of("rules: [{replies: [a]}]").rules[0].then, ScriptThen::kRepeat);
  EXPECT_EQ(script_of("rules: [{replies: [a], then: loop}]").rules[0].then, ScriptThen::kLoop);
  EXPECT_EQ(script_of("rules: [{replies: [a], then: error}]").rules[0].then, ScriptThen::kError);
}

TEST(Script, NoRulesIsAnError) {
  check_script_wrong("", "s.yaml:1: \"rules\": there are none");
  check_script_wrong("# only a comment", "s.yaml:1: \"rules\": there are none");
  check_script_wrong("about: x", "s.yaml:1: \"rules\": there are none");
  check_script_wrong("rules:", "s.yaml:1: \"rules\": there are none");
  check_script_wrong("about: x\nrules: []", "s.yaml:2: \"rules\": there are none");
  check_script_wrong("rules: 3", "s.yaml:1: \"rules\": must be a list, not \"3\"");
  check_script_wrong("- reply: x", "s.yaml:1: \"rules\": must be in a mapping");
}

TEST(Script, UnknownKeysNameTheNearest) {
  check_script_wrong("rules:\n- raply: x",
                     "s.yaml:2: there is no key \"raply\"; did you mean \"reply\"?");
  check_script_wrong("rulez: []", "s.yaml:1: there is no key \"rulez\"; did you mean \"rules\"?");
  check_script_wrong("rules:\n- match: {usr: x}\n  reply: y",
                     "s.yaml:2: there is no key \"usr\"; did you mean \"user\"?");
  check_script_wrong("rules:\n- replies:\n  - {replay: x}",
                     "s.yaml:3: there is no key \"replay\"; did you mean \"reply\"?");
  check_script_wrong("rules:\n- error: {stats: 3}",
                     "s.yaml:2: there is no key \"stats\"; did you mean \"status\"?");
  check_script_wrong("rules:\n- tool_calls: [{nam: x}]",
                     "s.yaml:2: there is no key \"nam\"; did you mean \"name\"?");
  check_script_wrong("rules:\n- {reply: x, usage: {in: 1}}", "s.yaml:2: there is no key \"in\"");
  check_script_wrong("defaults: {reply: x}\nrules: [{reply: x}]",
                     "s.yaml:1: there is no key \"reply\". Known here: usage, delay");
}

TEST(Script, ArgumentsThatAreATextAreSentAsTheyStand) {
  const auto script =
      Script::parse("rules: [{tool_calls: [{name: x, arguments: '{\"a\": '}]}]", "s.yaml");
  ASSERT_TRUE(script.ok()) << script.error().to_string();
  EXPECT_EQ(script->rules.at(0).replies.at(0).tool_calls.at(0).arguments, "{\"a\": ");
}

TEST(Script, WrongTypesSayWhatWouldBeRight) {
  check_script_wrong("rules:\n- reply: [1]", "s.yaml:2: \"reply\": must be a text");
  check_script_wrong("rules:\n- reply:", "s.yaml:2: \"reply\": must be a text");
  check_script_wrong("rules: [x]", "s.yaml:1: \"rules\": must be a list of mappings");
  check_script_wrong("rules: [{match: x, reply: y}]", "s.yaml:1: \"match\": must be a mapping");
  check_script_wrong("rules: [{match: {user: [[x]]}, reply: y}]",
                     "s.yaml:1: \"user\": must be a text");
  check_script_wrong("rules: [{match: {turn: 0}, reply: y}]",
                     "s.yaml:1: \"turn\": must be a whole number from 1 to 1000000, not \"0\"");
  check_script_wrong("rules: [{reply: y, times: never}]",
                     "s.yaml:1: \"times\": must be \"once\" or");
  check_script_wrong("rules: [{reply: y, delay: 3}]",
                     "s.yaml:1: \"delay\": must be a time such as 250ms");
  check_script_wrong("rules: [{reply: y, delay: 3w}]", "s.yaml:1: \"delay\": must be a time");
  check_script_wrong("rules: [{reply: y, delay: -3s}]", "s.yaml:1: \"delay\": must be a time");
  check_script_wrong("rules: [{reply: y, delay: nans}]", "s.yaml:1: \"delay\": must be a time");
  check_script_wrong("rules: [{reply: y, delay: 1e300h}]", "s.yaml:1: \"delay\": must be a time");
  check_script_wrong("rules: [{reply: y, delay: xs}]", "s.yaml:1: \"delay\": must be a time");
  check_script_wrong("rules: [{reply: y, chunk: 0}]",
                     "s.yaml:1: \"chunk\": must be a whole number");
  check_script_wrong("rules: [{reply: y, cut: -1}]", "s.yaml:1: \"cut\": must be a whole number");
  check_script_wrong("rules: [{reply: y, stop: now}]",
                     "s.yaml:1: \"stop\": must be one of end, length");
  check_script_wrong(
      "rules: [{reply: y, malformed: xml}]",
      "s.yaml:1: \"malformed\": must be one of json, sse, html, length, not \"xml\"");
  check_script_wrong("rules: [{reply: y, usage: 3}]", "s.yaml:1: \"usage\": must be a mapping");
  check_script_wrong("rules: [{reply: y, usage: {input: x}}]",
                     "s.yaml:1: \"input\": must be a whole");
  check_script_wrong("rules: [{tool_calls: x}]", "s.yaml:1: \"tool_calls\": must be a list");
  check_script_wrong("rules: [{tool_calls: []}]",
                     "s.yaml:1: \"tool_calls\": must be a list of at least");
  check_script_wrong("rules: [{tool_calls: [{arguments: {}}]}]",
                     "s.yaml:1: \"tool_calls\": a call needs");
  check_script_wrong(
      "rules: [{tool_calls: [{name: x, arguments: [3]}]}]",
      "s.yaml:1: \"arguments\": must be a mapping from names to values, or the text");
  check_script_wrong("rules: [{replies: []}]",
                     "s.yaml:1: \"replies\": must be a list of at least one");
  check_script_wrong("rules: [{replies: [[]]}]", "s.yaml:1: \"replies\": must be a list of texts");
  check_script_wrong("rules: [{replies: [a], then: stop}]",
                     "s.yaml:1: \"then\": must be one of repeat");
  check_script_wrong("rules: [{reply: a}]\ndefaults: 3",
                     "s.yaml:2: \"defaults\": must be a mapping");
  check_script_wrong("rules: [{reply: a}]\nabout: [3]", "s.yaml:2: \"about\": must be a text");
  check_script_wrong(
      "rules: [{error: nonsense}]",
      "s.yaml:1: \"error\": must be an HTTP status from 400 to 599 or one of rate_limited");
  check_script_wrong("rules: [{error: [1]}]", "s.yaml:1: \"error\": must be an HTTP status");
  check_script_wrong("rules: [{error: {kind: [1]}}]", "s.yaml:1: \"kind\": must be an HTTP status");
  check_script_wrong("rules: [{error: {kind: gave_up}}]",
                     "s.yaml:1: \"kind\": must be an HTTP status");
  check_script_wrong("rules: [{error: {status: 200}}]",
                     "s.yaml:1: \"status\": must be a whole number");
  check_script_wrong("rules: [{error: {retry_after: 2s}}]",
                     "s.yaml:1: \"error\": needs a \"kind\"");
}

TEST(Script, AnswersMustMakeSense) {
  check_script_wrong("rules:\n- match: {user: x}", "s.yaml:2: \"reply\": the rule answers nothing");
  check_script_wrong("rules: [{error: quota, reply: x}]",
                     "s.yaml:1: \"error\": an error stands alone");
  check_script_wrong("rules: [{refusal: x, tool_calls: {name: y}}]",
                     "s.yaml:1: \"refusal\": a refusal");
  check_script_wrong("rules: [{reply: x, cut: 1, malformed: true}]",
                     "s.yaml:1: \"cut\": \"cut\" and");
  check_script_wrong("rules:\n- replies: [a]\n  delay: 3s",
                     "s.yaml:3: \"delay\": belongs into the items");
}

TEST(Script, PatternsAndTheirGroupsAreChecked) {
  check_script_wrong("rules:\n- match: {user_regex: \"(a\"}\n  reply: x",
                     "s.yaml:2: \"user_regex\": \"(a\" is not a regular expression: missing )");
  check_script_wrong(
      "rules:\n- match: {user_regex: \"(a)\"}\n  reply: \"{1} {2}\"",
      "s.yaml:2: \"reply\": uses {2}, but the patterns of \"match\" have only 1 groups");
  EXPECT_EQ(first_reply("rules: [{reply: \"{2}\"}]").text, "{2}");
}

TEST(Script, YamlItselfIsChecked) {
  check_script_wrong("rules: [", "s.yaml:1: not YAML: ");
  check_script_wrong("rules:\n- reply: \"One\n", "s.yaml:2: the quote in column 10 is not closed");
  check_script_wrong("rules:\n- reply: x\n  reply: y",
                     "s.yaml:3: the key \"reply\" occurs twice; it is in line 2 already");
  check_script_wrong("rules: &a [{reply: x}]", "s.yaml:1: anchors");
  check_script_wrong("rules: [{reply: &a x}]\nabout: *a", "s.yaml:1: anchors");
  check_script_wrong("rules: [{reply: !!str x}]", "s.yaml:1: tags");
  check_script_wrong("rules: [{[a]: x}]", "s.yaml:1: a key must be a word, not a list");
  check_script_wrong("rules: [{reply: x}]\n---\nrules: []",
                     "s.yaml:3: there is a second document; remove the line");
  check_script_wrong("rules: [{reply: \"\xff\"}]", "s.yaml:1: the file is not UTF-8");
  check_script_wrong(std::string("rules: \0", 8), "s.yaml:1: the file is not UTF-8");
}

TEST(Script, LimitsHold) {
  check_script_wrong("rules: " + std::string(100, '[') + std::string(100, ']'),
                     "s.yaml:1: nested deeper");
  std::string many = "rules: [";
  for (std::size_t i = 0; i <= Script::kMostRules; ++i) many += "{reply: x},";
  check_script_wrong(many + "]", "s.yaml:1: \"rules\": there are more than 10000");
  check_script_wrong(std::string(Script::kMostBytes + 1, ' '),
                     "s.yaml: a script has at most 4 MiB");
  std::string values = "about: [";
  for (int i = 0; i < 200'001; ++i) values += "a,";
  check_script_wrong(values + "]", "s.yaml:1: there are more than 200000 values");
}

TEST(Script, IsLoadedFromAFile) {
  const test::TemporaryDirectory folder;
  const auto path = folder.write("s.yaml", "rules: [{reply: x}]");
  EXPECT_EQ(Script::load(path)->file, path.string());
  const auto missing = Script::load(folder / "none.yaml");
  EXPECT_EQ(missing.error().code(), base::ErrorCode::kNotFound);
}

}  // namespace
}  // namespace clever::provider
