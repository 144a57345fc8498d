#include "engine/actor/acp_session.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>

namespace clever::engine {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using Json = nlohmann::json;

class Host final : public AcpHost {
 public:
  base::Result<std::string> read(const std::string& path) override {
    if (!files.contains(path)) return base::not_found("there is no " + path);
    return files.at(path);
  }
  base::Result<void> write(const std::string& path, std::string_view content) override {
    if (path == "locked") return base::permission_denied("locked is read-only");
    files[path] = content;
    return {};
  }
  std::string objection(const AcpAsk& ask) override {
    asks.push_back(ask);
    if (!ask.outside.empty()) return "outside";
    return ask.kinds == std::vector<std::string>{"execute"} ? "no commands" : "";
  }
  void on_refused(const AcpAsk& ask, const std::string& why) override {
    refused.push_back(ask.title + ": " + why);
  }
  void on_text(const std::string& text, bool reasoning) override {
    said += reasoning ? "(" + text + ")" : text;
  }
  void on_tool(const std::string& title) override { tools.push_back(title); }

  std::map<std::string, std::string> files{{"a.txt", "1\n2\n3\n"}};
  std::vector<AcpAsk> asks;
  std::vector<std::string> refused;
  std::string said;
  std::vector<std::string> tools;
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
  AcpSession session_{host_, "/home/me/p", "Tidy up"};
};

TEST_F(AcpSessionTest, BeginsOpensAndPrompts) {
  const Json begin = sent();
  EXPECT_EQ(begin["method"], "initialize");
  EXPECT_EQ(begin["params"]["protocolVersion"], 1);
  EXPECT_EQ(begin["params"]["clientCapabilities"]["fs"]["writeTextFile"], true);
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
  EXPECT_EQ(session_.summary(), "All done.");
  chunk("agent_message_chunk", std::string(10'000, 'x'));
  EXPECT_EQ(session_.summary().size(), AcpSession::kLongestSummary);
}

TEST_F(AcpSessionTest, ServesFilesOfTheProject) {
  std::ignore = prompted();
  EXPECT_EQ(ask("fs/read_text_file", {{"path", "/home/me/p/a.txt"}})["result"]["content"],
            "1\n2\n3\n");
  EXPECT_EQ(ask("fs/read_text_file",
                {{"path", "/home/me/p/a.txt"}, {"line", 2}, {"limit", 1}})["result"]["content"],
            "2\n");
  EXPECT_EQ(
      ask("fs/read_text_file", {{"path", "/home/me/p/a.txt"}, {"line", 9}})["result"]["content"],
      "");
  EXPECT_TRUE(
      ask("fs/write_text_file", {{"path", "/home/me/p/d/b"}, {"content", "x"}}).contains("result"));
  EXPECT_EQ(host_.files.at("d/b"), "x");
}

TEST_F(AcpSessionTest, FilesOutsideAreRefused) {
  std::ignore = prompted();
  for (const std::string path :
       {"/etc/passwd", "/home/me/p/../q", "/home/me/pp/a", "", "/home/me/p", ".."}) {
    const Json read = ask("fs/read_text_file", {{"path", path}});
    EXPECT_TRUE(read.contains("error")) << path;
    EXPECT_TRUE(ask("fs/write_text_file", {{"path", path}, {"content", "x"}}).contains("error"))
        << path;
  }
  EXPECT_EQ(host_.files.size(), 1U);
}

TEST_F(AcpSessionTest, WhatCannotBeServedIsAnErrorOfThatRequestAlone) {
  std::ignore = prompted();
  host_.files["binary"] = "\xff\xfe";
  EXPECT_THAT(ask("fs/read_text_file", {{"path", "nope"}}).dump(), HasSubstr("there is no nope"));
  EXPECT_THAT(ask("fs/read_text_file", {{"path", "binary"}}).dump(), HasSubstr("is no text"));
  EXPECT_THAT(ask("fs/write_text_file", {{"path", "a"}}).dump(),
              HasSubstr("content must be a text"));
  EXPECT_THAT(ask("fs/write_text_file", {{"path", "locked"}, {"content", ""}}).dump(),
              HasSubstr("read-only"));
  EXPECT_EQ(ask("terminal/create", {})["error"]["code"], -32601);
  EXPECT_TRUE(
      hear({{"id", 9}, {"method", "fs/read_text_file"}, {"params", {{"sessionId", "t"}}}}).ok());
  EXPECT_THAT(sent().dump(), HasSubstr("no such session"));
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

TEST_F(AcpSessionTest, WhoMustLogInFirstIsTold) {
  answer(sent(), {{"protocolVersion", 1}});
  const auto heard =
      hear({{"id", sent()["id"]}, {"error", {{"code", -32000}, {"message", "Log in"}}}});
  EXPECT_THAT(heard.error().message(),
              HasSubstr("refused session/new: Log in; log in to it yourself"));
}

TEST_F(AcpSessionTest, ASessionWithoutANameIsRefused) {
  answer(sent(), {{"protocolVersion", 1}});
  EXPECT_FALSE(hear({{"id", sent()["id"]}, {"result", Json::object()}}).ok());
}

TEST_F(AcpSessionTest, NoiseIsPassedOverAndTooMuchOfItIsTheEnd) {
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
  host_.files["big"] = std::string(std::size_t{1} << 20U, 'x');
  const Json request{{"id", 1},
                     {"method", "fs/read_text_file"},
                     {"params", {{"sessionId", "s"}, {"path", "big"}}}};
  base::Result<void> heard;
  for (int i = 0; i < 100 && heard.ok(); ++i) heard = hear(request);
  EXPECT_THAT(heard.error().message(), HasSubstr("does not read the answers"));
}

TEST_F(AcpSessionTest, EveryBeginningOfAMessageIsTakenOrPassedOver) {
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
