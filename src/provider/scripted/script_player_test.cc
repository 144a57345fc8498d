#include "provider/scripted/script_player.h"

#include <gtest/gtest.h>

#include "support/collected_attempt.h"
#include "support/scripts.h"

namespace clever::provider {
namespace {

using model::Image;
using model::Message;
using model::Reasoning;
using model::Role;
using model::Text;
using model::ToolCall;
using model::ToolResult;
using test::scripted_reply;
using test::user_says;

ScriptPlayer player_of(std::string_view text) {
  return ScriptPlayer(Script::parse(text, "s.yaml").value());
}
// Answers "yes" if the match holds.
bool matches(std::string_view match, const ModelRequest& request, const std::string& model = "m") {
  auto one = player_of("rules:\n- match: " + std::string(match) + "\n  reply: yes\n- reply: no\n");
  return scripted_reply(one, request, model) == "yes";
}

ModelRequest after_a_tool() {
  ModelRequest request = user_says("list the files");
  request.system = "You are terse.";
  request.tools = {{.name = "list_files"}, {.name = "read_file"}};
  request.messages.push_back(
      {Role::kAssistant,
       {Reasoning{.text = "hm"}, Text{"I look."}, ToolCall{.id = "c1", .name = "list_files"}}});
  request.messages.push_back(
      {Role::kUser,
       {ToolResult{.call = "c1", .content = {Text{"a.txt"}, Image{}, Text{"b.txt"}}}}});
  return request;
}

TEST(ScriptQuery, ShowsWhatScriptsLookAt) {
  const ScriptQuery query = script_query("m", after_a_tool());
  EXPECT_EQ(query.user, "list the files");
  EXPECT_EQ(query.messages,
            (std::vector<std::string>{"list the files", "I look.", "a.txt\nb.txt"}));
  EXPECT_EQ(query.results, std::vector<std::string>{"list_files"});
  EXPECT_EQ(query.result_text, "a.txt\nb.txt");
  EXPECT_EQ(query.turn, 2U);
  EXPECT_EQ(query.calls, 1U);
  EXPECT_EQ(query.bytes, 14U + 14U + 7U + 11U);
}

TEST(ScriptQuery, OfNothingIsEmpty) {
  const ScriptQuery query = script_query("m", {});
  EXPECT_EQ(query.user, "");
  EXPECT_EQ(query.turn, 1U);
}

TEST(ScriptMatch, EachConditionHoldsOrNot) {
  const ModelRequest request = after_a_tool();
  EXPECT_TRUE(matches("{model: 'gpt-*'}", request, "gpt-4"));
  EXPECT_FALSE(matches("{model: 'gpt-*'}", request, "claude"));
  EXPECT_TRUE(matches("{user: [list, files]}", request));
  EXPECT_FALSE(matches("{user: [list, folders]}", request));
  EXPECT_TRUE(matches("{user_regex: 'the \\w+$'}", request));
  EXPECT_FALSE(matches("{user_regex: 'I look'}", request));
  EXPECT_TRUE(matches("{any: I look}", request));
  EXPECT_FALSE(matches("{any: [I look, a.txt]}", request));
  EXPECT_TRUE(matches("{any_regex: 'I (look|see)'}", request));
  EXPECT_FALSE(matches("{any_regex: 'You'}", request));
  EXPECT_TRUE(matches("{system: terse}", request));
  EXPECT_FALSE(matches("{system: verbose}", request));
  EXPECT_TRUE(matches("{system_regex: '^You'}", request));
  EXPECT_FALSE(matches("{system_regex: '^I'}", request));
  EXPECT_TRUE(matches("{tool: [list_files, read_file]}", request));
  EXPECT_FALSE(matches("{tool: write_file}", request));
  EXPECT_TRUE(matches("{result: list_files}", request));
  EXPECT_FALSE(matches("{result: read_file}", request));
  EXPECT_TRUE(matches("{result_text: b.txt}", request));
  EXPECT_FALSE(matches("{result_text: c.txt}", request));
  EXPECT_TRUE(matches("{result_regex: '^b'}", request));
  EXPECT_FALSE(matches("{result_regex: '^c'}", request));
  EXPECT_TRUE(matches("{turn: 2}", request));
  EXPECT_FALSE(matches("{turn: 1}", request));
}

TEST(ScriptMatch, AllMustHold) {
  EXPECT_TRUE(matches("{turn: 2, result: list_files}", after_a_tool()));
  EXPECT_FALSE(matches("{turn: 1, result: list_files}", after_a_tool()));
  EXPECT_TRUE(matches("{}", after_a_tool()));
}

TEST(ScriptMatch, ResultsOfEarlierTurnsDoNotCount) {
  ModelRequest request = after_a_tool();
  request.messages.push_back({Role::kAssistant, {Text{"Two."}}});
  request.messages.push_back({Role::kUser, {Text{"thanks"}}});
  EXPECT_FALSE(matches("{result: list_files}", request));
}

TEST(ScriptPlayer, FillsInWhatWasCaptured) {
  auto p = player_of(R"(
rules:
- match: {user_regex: 'name is (\w+)', system_regex: '(\w+)\.'}
  reply: "Hello {1}, I am {2}. {0} {x} {"
)");
  ModelRequest request = user_says("my name is Ada");
  request.system = "You are terse.";
  EXPECT_EQ(scripted_reply(p, request), "Hello Ada, I am terse. {0} {x} {");
}

TEST(ScriptPlayer, CapturedTextIsEscapedInArguments) {
  auto p = player_of(R"(
rules:
- match: {user_regex: '(".*")'}
  reply: "{1}"
  reasoning: "r {1}"
  tool_calls: {name: say, arguments: {text: "<{1}>"}}
- match: {user_regex: 'fail (\w+)'}
  error: {kind: quota, message: "no {1}"}
)");
  const auto answer = std::get<ScriptedAnswer>(p.answer(script_query("m", user_says("a \"b\" c"))));
  EXPECT_EQ(answer.reply.text, "\"b\"");
  EXPECT_EQ(answer.reply.reasoning, "r \"b\"");
  EXPECT_EQ(answer.reply.tool_calls[0].arguments, R"({"text":"<\"b\">"})");
  const auto failed = std::get<ScriptedAnswer>(p.answer(script_query("m", user_says("fail now"))));
  EXPECT_EQ(failed.reply.error->message, "no now");
}

TEST(ScriptPlayer, TheFirstRuleThatMayBeUsedWins) {
  auto p = player_of("rules:\n- {reply: a, times: once}\n- {reply: b, times: 2}\n- reply: c\n");
  std::string said;
  for (int i = 0; i < 5; ++i) said += scripted_reply(p, user_says("x"));
  EXPECT_EQ(said, "abbcc");
  EXPECT_EQ(p.uses(), (ScriptUses{1, 2, 2}));
}

TEST(ScriptPlayer, RepliesComeOneAfterAnother) {
  auto repeat = player_of("rules: [{replies: [a, b]}]");
  auto loop = player_of("rules: [{replies: [a, b], then: loop}]");
  auto error = player_of("rules: [{replies: [a, b], then: error}]");
  std::string repeated;
  std::string looped;
  for (int i = 0; i < 4; ++i) repeated += scripted_reply(repeat, user_says("x"));
  for (int i = 0; i < 4; ++i) looped += scripted_reply(loop, user_says("x"));
  EXPECT_EQ(repeated, "abbb");
  EXPECT_EQ(looped, "abab");
  (void)scripted_reply(error, user_says("x"));
  (void)scripted_reply(error, user_says("x"));
  EXPECT_EQ(scripted_reply(error, user_says("x")),
            "scripted: rule 1 (s.yaml:1) has no further reply after its 2. Add one to \"replies\", "
            "or write \"then: repeat\".");
}

TEST(ScriptPlayer, ARequestThatNoRuleMatchesIsShown) {
  auto p = player_of("rules: [{match: {user: x}, reply: y}]");
  const auto answer = p.answer(script_query("m", user_says("hello\nyou")));
  EXPECT_EQ(std::get<Failure>(answer),
            (Failure{.kind = FailureKind::kScript,
                     .message = "scripted: no rule of s.yaml answers this request (model \"m\", "
                                "turn 1); the user's last message is \"hello…\". Add a rule that "
                                "matches it, or one without \"match\" at the end."}));
}

TEST(ScriptPlayer, MakesIdsThatAreUniqueInTheTranscript) {
  auto p = player_of("rules: [{tool_calls: [{name: a}, {name: b, id: mine}, {name: c}]}]");
  const auto answer = std::get<ScriptedAnswer>(p.answer(script_query("m", after_a_tool())));
  EXPECT_EQ(answer.reply.tool_calls[0].id, "call_2");
  EXPECT_EQ(answer.reply.tool_calls[1].id, "mine");
  EXPECT_EQ(answer.reply.tool_calls[2].id, "call_4");
}

TEST(ScriptPlayer, CountsUsageFromBytes) {
  auto p = player_of("rules: [{reply: 12345678, reasoning: 1234}]");
  const auto answer = std::get<ScriptedAnswer>(p.answer(script_query("m", user_says("12345"))));
  EXPECT_EQ(answer.reply.usage, (Usage{.input = 2, .output = 3, .reasoning = 1, .known = true}));
}

TEST(ScriptedReply, BecomesAnAnswer) {
  const ScriptedReply reply{.reasoning = "r",
                            .text = "t",
                            .tool_calls = {{"f", "{\"a\":1}", "id"}},
                            .stop = StopReason::kToolCalls,
                            .usage = Usage{.input = 1, .known = true}};
  const ModelAnswer answer = to_answer(reply, {.model = "m"});
  EXPECT_EQ(
      answer.message.parts,
      (std::vector<model::Part>{Reasoning{.text = "r"}, Text{"t"},
                                ToolCall{.id = "id", .name = "f", .arguments = "{\"a\":1}"}}));
  EXPECT_EQ(answer.stop, StopReason::kToolCalls);
  EXPECT_EQ(answer.model, "m");
  EXPECT_EQ(answer.usage.input, 1);
}

TEST(ScriptedReply, IsCutIntoPiecesOfWholeCharacters) {
  std::string together;
  const auto deltas = deltas_of({.text = "aäb€", .chunk = 2});
  for (const Delta& delta : deltas) {
    together += std::get<TextDelta>(delta).text + "|";
  }
  EXPECT_EQ(together, "a|ä|b|€|");
}

TEST(ScriptedReply, FailsAsTheScriptSays) {
  const auto failed = [](const ScriptedReply& reply) {
    return failure_of({reply, "r (s.yaml:1)"}, "demo").value();
  };
  EXPECT_EQ(failed({.error = ScriptedError{.kind = FailureKind::kQuota}}),
            (Failure{.kind = FailureKind::kQuota,
                     .message = "demo: the script says \"quota\" [r (s.yaml:1)]",
                     .status = 429}));
  EXPECT_EQ(failed({.cut = 1}).kind, FailureKind::kCut);
  EXPECT_EQ(failed({.damage = ScriptedDamage::kLength}).kind, FailureKind::kCut);
  EXPECT_EQ(failed({.damage = ScriptedDamage::kJson}).kind, FailureKind::kMalformed);
  EXPECT_EQ(failed({.damage = ScriptedDamage::kSse}).kind, FailureKind::kMalformed);
  EXPECT_EQ(failed({.damage = ScriptedDamage::kHtml}).kind, FailureKind::kMisconfigured);
  EXPECT_EQ(failure_of({{.text = "x"}, "r"}, "demo"), std::nullopt);
}

}  // namespace
}  // namespace clever::provider
