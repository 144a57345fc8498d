#include "engine/actor/acp_session.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace clever::engine {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using Json = nlohmann::json;

class Host final : public AcpHost {
 public:
  AcpVerdict judge(const AcpAsk& ask) override {
    asks.push_back(ask);
    if (!ask.outside.empty()) return {model::Verdict::kDeny, "outside"};
    const bool runs = ask.kinds == std::vector<std::string>{"execute"};
    return {runs ? commands : model::Verdict::kAllow, "no commands"};
  }
  void on_refused(const AcpAsk& ask, const std::string& why) override {
    refused.push_back(ask.title + ": " + why);
  }
  void on_text(const std::string& text, bool reasoning) override {
    said += reasoning ? "(" + text + ")" : text;
  }
  void on_tool(const AgentTool& tool) override { tools.push_back(tool.title); }
  void on_tool_end(const AgentToolEnd& end) override {
    inputs.push_back(end.tool.input);
    ends.push_back(end.id + (end.failed ? " failed " : " done ") + end.output);
  }
  void on_session(const std::string& id) override { session = id; }

  model::Verdict commands = model::Verdict::kDeny;
  std::vector<AcpAsk> asks;
  std::vector<std::string> refused;
  std::string said;
  std::vector<std::string> tools;
  std::vector<std::string> ends;
  std::vector<std::string> inputs;
  std::string session;
};

class AcpSessionTest : public ::testing::Test {
 protected:
  Json sent() {
    const std::string output = session_.take_output();
    EXPECT_TRUE(output.ends_with('\n')) << output;
    return Json::parse(output.substr(0, output.find('\n')));
  }
  base::Result<void> hear(const Json& message) { return session_.on_line(message.dump()); }
  void answer(const Json& request, const Json& result) {
    const auto heard = hear({{"jsonrpc", "2.0"}, {"id", request["id"]}, {"result", result}});
    EXPECT_TRUE(heard.ok()) << (heard.ok() ? "" : heard.error().message());
  }
  // The prompt that is awaited an answer.
  Json prompted() {
    answer(sent(), {{"protocolVersion", 1}});
    answer(sent(), {{"sessionId", "s"}});
    return sent();
  }
  Json ask(const std::string& method, Json params) {
    params["sessionId"] = "s";
    EXPECT_TRUE(
        hear({{"jsonrpc", "2.0"}, {"id", "q"}, {"method", method}, {"params", params}}).ok());
    return sent();
  }
  void update(const Json& what) {
    EXPECT_TRUE(hear({{"jsonrpc", "2.0"},
                      {"method", "session/update"},
                      {"params", {{"sessionId", "s"}, {"update", what}}}})
                    .ok());
  }
  std::string end(const Json& prompt, const std::string& reason) {
    const auto heard = hear({{"id", prompt["id"]}, {"result", {{"stopReason", reason}}}});
    return heard.ok() ? "" : heard.error().message();
  }

  Host host_;
  AcpSession session_{host_, {.folder = "/home/me/p", .task = "Tidy up"}};
};

TEST_F(AcpSessionTest, BeginsOpensAndPrompts) {
  const Json begin = sent();
  EXPECT_EQ(begin["method"], "initialize");
  EXPECT_EQ(begin["params"]["protocolVersion"], 1);
  EXPECT_EQ(begin["params"]["clientCapabilities"]["fs"]["writeTextFile"], false);
  EXPECT_EQ(session_.awaited(), "initialize");
  answer(begin, {{"protocolVersion", 1}});
  const Json open = sent();
  EXPECT_EQ(open["method"], "session/new");
  EXPECT_EQ(open["params"]["cwd"], "/home/me/p");
  EXPECT_EQ(open["params"]["mcpServers"], Json::array());
  EXPECT_EQ(session_.awaited(), "session/new");
  answer(open, {{"sessionId", "s"}});
  const Json prompt = sent();
  EXPECT_EQ(prompt["method"], "session/prompt");
  EXPECT_EQ(prompt["params"]["sessionId"], "s");
  EXPECT_EQ(prompt["params"]["prompt"][0]["text"], "Tidy up");
  EXPECT_EQ(session_.awaited(), "session/prompt");
  EXPECT_EQ(end(prompt, "end_turn"), "");
  EXPECT_TRUE(session_.has_ended());
  EXPECT_EQ(session_.awaited(), "");
  EXPECT_EQ(host_.session, "s");
}

TEST_F(AcpSessionTest, ShowsWhatIsSaidAndKeepsTheLastOfIt) {
  const Json prompt = prompted();
  const auto chunk = [&](const std::string& kind, const std::string& text) {
    update({{"sessionUpdate", kind}, {"content", {{"type", "text"}, {"text", text}}}});
  };
  chunk("agent_thought_chunk", "hm");
  chunk("agent_message_chunk", "First. ");
  update({{"sessionUpdate", "tool_call"}, {"title", "Edit a.txt"}});
  chunk("agent_message_chunk", "All ");
  chunk("agent_message_chunk", "done.");
  update({{"sessionUpdate", "plan"}, {"entries", Json::array()}});
  EXPECT_EQ(host_.said, "(hm)First. All done.");
  EXPECT_THAT(host_.tools, ElementsAre("Edit a.txt"));
  EXPECT_EQ(session_.report().said, "All done.");
  chunk("agent_message_chunk", std::string(10'000, 'x'));
  EXPECT_EQ(session_.report().said.size(), AcpSession::kLongestSummary);
}

TEST_F(AcpSessionTest, WhatIsNotOfferedIsAnErrorOfThatRequestAlone) {
  std::ignore = prompted();
  EXPECT_EQ(ask("fs/read_text_file", {{"path", "a.txt"}})["error"]["code"], -32601);
  EXPECT_EQ(ask("terminal/create", {})["error"]["code"], -32601);
  EXPECT_TRUE(
      hear({{"id", 9}, {"method", "session/request_permission"}, {"params", {{"sessionId", "t"}}}})
          .ok());
  EXPECT_THAT(sent().dump(), HasSubstr("no such session"));
}

TEST_F(AcpSessionTest, ACallIsShownOnceItIsDescribed) {
  std::ignore = prompted();
  update({{"sessionUpdate", "tool_call"},
          {"toolCallId", "c"},
          {"status", "pending"},
          {"title", "Terminal"},
          {"rawInput", Json::object()}});
  EXPECT_TRUE(host_.tools.empty());
  update({{"sessionUpdate", "tool_call_update"},
          {"toolCallId", "c"},
          {"title", "make test"},
          {"rawInput", {{"command", "make"}}}});
  EXPECT_THAT(host_.tools, ElementsAre("make test"));
  update({{"sessionUpdate", "tool_call_update"},
          {"toolCallId", "c"},
          {"status", "completed"},
          {"rawInput", {{"command", "make test"}}},
          {"rawOutput", "ok"}});
  EXPECT_THAT(host_.tools, ElementsAre("make test"));
  EXPECT_THAT(host_.ends, ElementsAre("c done ok"));
  EXPECT_THAT(host_.inputs, ElementsAre(R"({"command":"make test"})"));
}

TEST_F(AcpSessionTest, ACallThatIsNeverDescribedIsShownBeforeTheNextWords) {
  std::ignore = prompted();
  update({{"sessionUpdate", "tool_call"}, {"toolCallId", "c"}, {"title", "Look around"}});
  EXPECT_TRUE(host_.tools.empty());
  update({{"sessionUpdate", "agent_message_chunk"}, {"content", {{"text", "So."}}}});
  EXPECT_THAT(host_.tools, ElementsAre("Look around"));
}

TEST_F(AcpSessionTest, TellsWhatCameOfTools) {
  std::ignore = prompted();
  update({{"sessionUpdate", "tool_call"}, {"toolCallId", "c"}, {"title", "make"}});
  update({{"sessionUpdate", "tool_call_update"},
          {"toolCallId", "c"},
          {"status", "failed"},
          {"content", Json::array({{{"type", "content"},
                                    {"content", {{"type", "text"}, {"text", "no make"}}}}})}});
  EXPECT_THAT(host_.ends, ElementsAre("c failed no make"));
  EXPECT_EQ(session_.report().tools, 1);
  EXPECT_EQ(session_.report().failed_tools, 1);
  EXPECT_EQ(session_.report().tool_error, "no make");
}

TEST_F(AcpSessionTest, UsageComesInSeveralForms) {
  const Json prompt = prompted();
  const auto spent = [&] { return session_.report().usage; };
  update({{"sessionUpdate", "agent_message_chunk"},
          {"content", {{"type", "text"}, {"text", ""}}},
          {"_meta", {{"usage", {{"inputTokens", 5}, {"outputTokens", 1}}}}}});
  EXPECT_EQ(spent().input_tokens, 5);
  update({{"sessionUpdate", "usage_update"}, {"cost", {{"amount", 0.5}, {"currency", "USD"}}}});
  EXPECT_EQ(spent().cost, 500'000);
  EXPECT_TRUE(spent().priced);
  const auto heard = hear(
      {{"id", prompt["id"]},
       {"result",
        {{"stopReason", "end_turn"},
         {"_meta", {{"quota", {{"token_count", {{"input_tokens", 9}, {"output_tokens", 2}}}}}}}}}});
  EXPECT_TRUE(heard.ok());
  EXPECT_EQ(spent().input_tokens, 9);
  EXPECT_EQ(spent().output_tokens, 2);
}

TEST_F(AcpSessionTest, CachesAreCountedOnce) {
  const auto used = [](const Json& usage) {
    Host host;
    AcpSession session(host, {.folder = "/p"});
    std::ignore = session.on_line(R"({"id":0,"result":{"protocolVersion":1}})");
    std::ignore = session.on_line(R"({"id":2,"result":{"sessionId":"s"}})");
    std::ignore = session.on_line(
        Json{{"id", 5}, {"result", {{"stopReason", "end_turn"}, {"usage", usage}}}}.dump());
    return session.report().usage.input_tokens;
  };
  EXPECT_EQ(
      used(
          {{"inputTokens", 3}, {"cachedReadTokens", 10}, {"outputTokens", 1}, {"totalTokens", 14}}),
      13);
  EXPECT_EQ(used({{"inputTokens", 13},
                  {"cachedReadTokens", 10},
                  {"outputTokens", 1},
                  {"totalTokens", 14}}),
            13);
}

class AcpSessionAgain : public AcpSessionTest {
 protected:
  Json sent_again() {
    const std::string output = again_.take_output();
    return Json::parse(output.substr(0, output.find('\n')));
  }
  void answer_again(const Json& result) {
    EXPECT_TRUE(again_.on_line(Json{{"id", sent_again()["id"]}, {"result", result}}.dump()).ok());
  }
  AcpSession again_{host_,
                    {.folder = "/p", .task = "Tidy up", .session = "old", .follow_up = "Go on"}};
};

TEST_F(AcpSessionAgain, AnEarlierSessionIsLoadedAndGetsTheNextMessage) {
  answer_again({{"protocolVersion", 1}, {"agentCapabilities", {{"loadSession", true}}}});
  const Json load = sent_again();
  EXPECT_EQ(load["method"], "session/load");
  EXPECT_EQ(load["params"]["sessionId"], "old");
  // What was said before is not shown again.
  EXPECT_TRUE(
      again_
          .on_line(Json{
              {"method", "session/update"},
              {"params",
               {{"sessionId", "old"},
                {"update",
                 {{"sessionUpdate", "agent_message_chunk"}, {"content", {{"text", "once"}}}}}}}}
                       .dump())
          .ok());
  EXPECT_EQ(host_.said, "");
  EXPECT_TRUE(again_.on_line(Json{{"id", load["id"]}, {"result", nullptr}}.dump()).ok());
  EXPECT_EQ(sent_again()["params"]["prompt"][0]["text"], "Go on");
}

TEST_F(AcpSessionAgain, ASessionThatIsLostIsStartedOverWithTheTask) {
  answer_again({{"protocolVersion", 1},
                {"agentCapabilities", {{"sessionCapabilities", {{"resume", Json::object()}}}}}});
  const Json load = sent_again();
  EXPECT_EQ(load["method"], "session/resume");
  EXPECT_TRUE(
      again_.on_line(Json{{"id", load["id"]}, {"error", {{"code", -1}, {"message", "?"}}}}.dump())
          .ok());
  answer_again({{"sessionId", "new"}});
  EXPECT_EQ(sent_again()["params"]["prompt"][0]["text"], "Tidy up");
  EXPECT_EQ(host_.session, "new");
}

TEST_F(AcpSessionAgain, AnAgentThatCannotLoadStartsOver) {
  answer_again({{"protocolVersion", 1}});
  EXPECT_EQ(sent_again()["method"], "session/new");
}

Json permission(const Json& call) {
  return {{"toolCall", call},
          {"options", Json::array({{{"optionId", "ever"}, {"kind", "allow_always"}},
                                   {{"optionId", "once"}, {"kind", "allow_once"}},
                                   {{"optionId", "no"}, {"kind", "reject_once"}}})}};
}

TEST_F(AcpSessionTest, PermissionIsTheHostsToGive) {
  const Json prompt = prompted();
  const Json call{{"kind", "edit"},
                  {"title", "Edit"},
                  {"locations", Json::array({{{"path", "/home/me/p/a.txt"}}})}};
  EXPECT_EQ(ask("session/request_permission", permission(call))["result"]["outcome"],
            (Json{{"outcome", "selected"}, {"optionId", "once"}}));
  const Json run{{"kind", "execute"}, {"rawInput", {{"command", Json::array({"rm", "-r", "x"})}}}};
  EXPECT_EQ(ask("session/request_permission", permission(run))["result"]["outcome"]["optionId"],
            "no");
  ASSERT_EQ(host_.asks.size(), 2U);
  EXPECT_THAT(host_.asks[0].paths, ElementsAre("a.txt"));
  EXPECT_THAT(host_.asks[1].commands, ElementsAre("rm -r x"));
  const Json outside{{"kind", "edit"}, {"locations", Json::array({{{"path", "/etc/x"}}})}};
  EXPECT_EQ(ask("session/request_permission", permission(outside))["result"]["outcome"]["optionId"],
            "no");
  EXPECT_EQ(host_.asks.back().outside, "/etc/x");
  EXPECT_EQ(ask("session/request_permission", {{"toolCall", run}})["result"]["outcome"]["outcome"],
            "cancelled");
  session_.cancel();
  EXPECT_EQ(sent()["method"], "session/cancel");
  EXPECT_EQ(ask("session/request_permission", permission(call))["result"]["outcome"]["outcome"],
            "cancelled");
  EXPECT_THAT(end(prompt, "cancelled"), HasSubstr("stopped"));
}

TEST_F(AcpSessionTest, CallsThatAPersonDecidesEndTheTurn) {
  const Json prompt = prompted();
  host_.commands = model::Verdict::kAsk;
  const Json run{{"kind", "execute"}, {"rawInput", {{"command", "git push"}}}};
  const Json params = permission(run);
  EXPECT_TRUE(hear({{"id", "q"},
                    {"method", "session/request_permission"},
                    {"params",
                     {{"sessionId", "s"},
                      {"toolCall", params["toolCall"]},
                      {"options", params["options"]}}}})
                  .ok());
  const std::string output = session_.take_output();
  EXPECT_THAT(output, HasSubstr("session/cancel"));
  EXPECT_THAT(output, HasSubstr("{\"outcome\":{\"outcome\":\"cancelled\"}}"));
  ASSERT_EQ(session_.held().size(), 1U);
  EXPECT_THAT(session_.held()[0].ask.commands, ElementsAre("git push"));
  EXPECT_THAT(host_.ends, ElementsAre(HasSubstr("it waits for a person")));
  EXPECT_THAT(host_.refused, testing::IsEmpty());
  EXPECT_EQ(end(prompt, "cancelled"), "");
}

TEST_F(AcpSessionTest, ARequestIsJudgedByWhatWasSaidOfItsCall) {
  std::ignore = prompted();
  update({{"sessionUpdate", "tool_call"},
          {"toolCallId", "c"},
          {"title", "Push"},
          {"kind", "execute"},
          {"rawInput", {{"command", "git push"}}}});
  update({{"sessionUpdate", "tool_call_update"},
          {"toolCallId", "c"},
          {"locations", Json::array({{{"path", "/home/me/p/a.txt"}}})},
          {"content", Json::array({{{"type", "diff"}, {"path", "d/b.txt"}}})}});
  const Json bare{{"toolCallId", "c"}};
  EXPECT_EQ(ask("session/request_permission", permission(bare))["result"]["outcome"]["optionId"],
            "no");
  ASSERT_EQ(host_.asks.size(), 1U);
  EXPECT_THAT(host_.asks[0].kinds, ElementsAre("execute"));
  EXPECT_THAT(host_.asks[0].commands, ElementsAre("git push"));
  EXPECT_THAT(host_.asks[0].paths, ElementsAre("a.txt", "d/b.txt"));
  EXPECT_THAT(host_.refused, ElementsAre("Push: no commands"));
}

TEST_F(AcpSessionTest, AnAgentThatSaysTwoKindsIsHeldToBoth) {
  std::ignore = prompted();
  update({{"sessionUpdate", "tool_call"}, {"toolCallId", "c"}, {"kind", "delete"}});
  const Json call{{"toolCallId", "c"}, {"kind", "read"}};
  std::ignore = ask("session/request_permission", permission(call));
  EXPECT_THAT(host_.asks.back().kinds, ElementsAre("delete", "read"));
  // One that is over is not remembered.
  update({{"sessionUpdate", "tool_call_update"}, {"toolCallId", "c"}, {"status", "completed"}});
  std::ignore = ask("session/request_permission", permission({{"toolCallId", "c"}}));
  EXPECT_THAT(host_.asks.back().kinds, testing::IsEmpty());
}

TEST_F(AcpSessionTest, ACallThatIsDeniedAndMadeWithoutAskingIsTheEnd) {
  const Json prompt = prompted();
  const Json call{{"toolCallId", "1"}, {"kind", "execute"}, {"title", "cat key"}};
  const auto say = [&](const char* kind, const char* status) {
    Json what = call;
    what["sessionUpdate"] = kind;
    what["status"] = status;
    update(what);
  };
  say("tool_call", "in_progress");
  say("tool_call_update", "completed");
  EXPECT_EQ(sent()["method"], "session/cancel");
  EXPECT_THAT(host_.refused, ElementsAre("cat key: no commands"));
  EXPECT_EQ(end(prompt, "cancelled"),
            "the agent made a call without asking that is denied: cat key (no commands)");
}

TEST_F(AcpSessionTest, GooseNamesTheToolThatIsOfNoKind) {
  (void)prompted();
  const auto says = [](const char* extension, const char* tool) {
    return Json{{"goose", {{"toolCall", {{"extensionName", extension}, {"toolName", tool}}}}}};
  };
  const auto is_asked = [&](const char* id, const Json& meta) {
    update({{"sessionUpdate", "tool_call"}, {"toolCallId", id}, {"title", "T"}, {"_meta", meta}});
    ask("session/request_permission",
        {{"toolCall", {{"toolCallId", id}, {"kind", "other"}}}, {"options", Json::array()}});
    return host_.asks.back();
  };
  EXPECT_THAT(is_asked("1", says("developer", "shell")).kinds, ElementsAre("execute"));
  EXPECT_THAT(is_asked("2", says("developer", "write")).kinds, ElementsAre("edit"));
  EXPECT_EQ(is_asked("3", says("memory", "store")).tool, "mcp__memory__store");
}

TEST_F(AcpSessionTest, AToolOfAServerGoesByItsName) {
  std::ignore = prompted();
  std::ignore = ask("session/request_permission",
                    permission({{"kind", "other"},
                                {"title", "Create an issue"},
                                {"_meta", {{"claudeCode", {{"toolName", "mcp__hub__create"}}}}},
                                {"rawInput", {{"title", "x"}}}}));
  EXPECT_EQ(host_.asks.back().tool, "mcp__hub__create");
  EXPECT_EQ(host_.asks.back().input, R"({"title":"x"})");
}

TEST_F(AcpSessionTest, APermissionForGoodIsNotGiven) {
  std::ignore = prompted();
  Json params = permission({{"kind", "edit"}});
  params["options"] = Json::array({{{"optionId", "ever"}, {"kind", "allow_always"}},
                                   {{"optionId", "never"}, {"kind", "reject_always"}}});
  EXPECT_EQ(ask("session/request_permission", params)["result"]["outcome"]["optionId"], "never");
  EXPECT_THAT(host_.refused, ElementsAre(HasSubstr("no permission for this call alone")));
}

TEST_F(AcpSessionTest, CallsBeyondThoseThatAreRememberedDoNoHarm) {
  std::ignore = prompted();
  for (int i = 0; i < 3000; ++i) {
    update({{"sessionUpdate", "tool_call"},
            {"toolCallId", std::to_string(i)},
            {"kind", "edit"},
            {"rawInput", {{"path", "x"}, {"text", std::string(1000, 'x')}}}});
  }
  std::ignore = ask("session/request_permission", permission({{"toolCallId", "2999"}}));
  EXPECT_THAT(host_.asks.back().kinds, testing::IsEmpty());
  std::ignore = ask("session/request_permission", permission({{"toolCallId", "5"}}));
  EXPECT_THAT(host_.asks.back().kinds, ElementsAre("edit"));
}

TEST_F(AcpSessionTest, CancellingBeforeThePromptSaysNothing) {
  std::ignore = sent();
  session_.cancel();
  EXPECT_EQ(session_.take_output(), "");
}

TEST_F(AcpSessionTest, OtherEndsThanTheGoodOneAreErrors) {
  EXPECT_THAT(end(prompted(), "refusal"), HasSubstr("refused the task"));
}
TEST_F(AcpSessionTest, AnEndThatCameTooEarly) {
  EXPECT_THAT(end(prompted(), "max_tokens"), HasSubstr("(max_tokens)"));
}
TEST_F(AcpSessionTest, AnEndWithoutAReason) {
  EXPECT_THAT(end(prompted(), ""), HasSubstr("without a reason"));
}

TEST_F(AcpSessionTest, AnotherVersionIsRefused) {
  const auto heard = hear({{"id", sent()["id"]}, {"result", {{"protocolVersion", 2}}}});
  EXPECT_THAT(heard.error().message(), HasSubstr("speaks version 2"));
}

TEST_F(AcpSessionTest, AMissingLoginIsSaid) {
  answer(sent(), {{"protocolVersion", 1}});
  const auto heard =
      hear({{"id", sent()["id"]}, {"error", {{"code", -32000}, {"message", "Log in"}}}});
  EXPECT_THAT(heard.error().message(),
              HasSubstr("refused session/new: Log in (authentication is required)"));
}

TEST_F(AcpSessionTest, ASessionWithoutANameIsRefused) {
  answer(sent(), {{"protocolVersion", 1}});
  EXPECT_FALSE(hear({{"id", sent()["id"]}, {"result", Json::object()}}).ok());
}

TEST_F(AcpSessionTest, NoiseIsSkippedAndTooMuchOfItIsTheEnd) {
  for (std::size_t i = 0; i < AcpSession::kMostOddities; ++i) {
    const char* const noise = i % 3 == 0   ? "Welcome"
                              : i % 3 == 1 ? "{\"x\":1}"
                                           : "{\"id\":77,\"result\":1}";
    ASSERT_TRUE(session_.on_line(noise).ok());
  }
  EXPECT_THAT(session_.on_line("Welcome").error().message(),
              HasSubstr("does not speak the Agent Client Protocol; it wrote: Welcome"));
}

TEST_F(AcpSessionTest, DeepNestingIsNoise) {
  EXPECT_TRUE(session_.on_line(std::string(100'000, '[')).ok());
  EXPECT_TRUE(session_.on_line("{\"a\":\"[[[[\\\"\"}").ok());
}

TEST_F(AcpSessionTest, OneThatDoesNotReadAnswersIsEnded) {
  std::ignore = prompted();
  const Json request{{"id", std::string(std::size_t{1} << 20U, 'x')}, {"method", "fs/x"}};
  base::Result<void> heard;
  for (int i = 0; i < 100 && heard.ok(); ++i) heard = hear(request);
  EXPECT_THAT(heard.error().message(), HasSubstr("does not read the answers"));
}

TEST_F(AcpSessionTest, EveryBeginningOfAMessageIsTakenOrSkipped) {
  std::ignore = prompted();
  const std::string message = Json{{"id", 1},
                                   {"method", "session/request_permission"},
                                   {"params", permission({{"kind", Json::array()}})}}
                                  .dump();
  for (std::size_t i = 0; i < std::min(message.size(), AcpSession::kMostOddities); ++i) {
    EXPECT_TRUE(session_.on_line(std::string_view(message).substr(0, i)).ok());
  }
}

}  // namespace
}  // namespace clever::engine
