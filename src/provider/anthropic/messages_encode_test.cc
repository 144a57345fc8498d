#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "provider/anthropic/messages.h"
#include "provider/testing/wire_random_transcript.h"
#include "provider/testing/wire_reading.h"

namespace clever::provider::anthropic {
namespace {

using model::Image;
using model::Reasoning;
using model::Role;
using model::Text;
using model::ToolCall;
using model::ToolResult;
using nlohmann::json;
using testing::HasSubstr;

constexpr const char* kModel = "claude-sonnet-4-5";

json messages_body(const ModelRequest& request, const std::string& model = kModel) {
  return json::parse(encode_messages(model, request));
}

ModelRequest messages_conversation() {
  ModelRequest request;
  request.system = "Be brief.";
  request.messages = {
      {Role::kUser, {Text{"look"}, Image{"image/png", "PNG"}}},
      {Role::kAssistant,
       {Reasoning{"plan", "sig", "anthropic"}, Reasoning{"", "redacted:ZGF0YQ==", "anthropic"},
        Reasoning{"foreign", "x", "google"}, Text{"Looking."},
        ToolCall{"call_1", "look", "{\"a\":1}", ""}}},
      {Role::kUser, {ToolResult{"call_1", {Text{"seen"}, Image{"image/png", "PNG"}}, true}}}};
  request.tools = {{"look", "looks", R"({"type":"object","properties":{}})"}};
  request.tool_choice = ToolChoice::kRequired;
  request.temperature = 1.7;
  request.stop = {"END"};
  return request;
}

TEST(MessagesEncode, WritesAConversationWithMarksForTheCache) {
  EXPECT_EQ(messages_body(messages_conversation()), json::parse(R"({
    "model": "claude-sonnet-4-5",
    "max_tokens": 4096,
    "system": [{"type": "text", "text": "Be brief.", "cache_control": {"type": "ephemeral"}}],
    "tools": [{"name": "look", "description": "looks", "input_schema": {"type": "object", "properties": {}},
      "cache_control": {"type": "ephemeral"}}],
    "tool_choice": {"type": "any"},
    "messages": [
      {"role": "user", "content": [
        {"type": "text", "text": "look"},
        {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "UE5H"},
         "cache_control": {"type": "ephemeral"}}]},
      {"role": "assistant", "content": [
        {"type": "thinking", "thinking": "plan", "signature": "sig"},
        {"type": "redacted_thinking", "data": "ZGF0YQ=="},
        {"type": "text", "text": "Looking."},
        {"type": "tool_use", "id": "call_1", "name": "look", "input": {"a": 1}}]},
      {"role": "user", "content": [
        {"type": "tool_result", "tool_use_id": "call_1", "is_error": true, "content": [
          {"type": "text", "text": "seen"},
          {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "UE5H"}}],
         "cache_control": {"type": "ephemeral"}}]}],
    "temperature": 1.0,
    "stop_sequences": ["END"],
    "stream": true})"));
}

TEST(MessagesEncode, MarksNothingIfNothingMayBeCached) {
  ModelRequest request = messages_conversation();
  request.cache_prompt = false;
  EXPECT_EQ(messages_body(request).dump().find("cache_control"), std::string::npos);
}

TEST(MessagesEncode, CallsWithoutToolsBringTheirOwn) {
  ModelRequest request = messages_conversation();
  request.tools.clear();
  const json sent = messages_body(request);
  EXPECT_EQ(sent["tools"][0]["name"], "look");
  EXPECT_EQ(sent["tool_choice"]["type"], "none");
}

TEST(MessagesEncode, DescribesAWantedFormInWords) {
  ModelRequest request = messages_conversation();
  request.answer_schema = R"({"type":"object"})";
  EXPECT_THAT(messages_body(request)["system"][0]["text"].get<std::string>(),
              HasSubstr("JSON Schema"));
}

// ---- thinking ----------------------------------------------------------------------------------

ModelRequest thinking_request() {
  ModelRequest request;
  request.messages = {{Role::kUser, {Text{"hi"}}}};
  request.reasoning_effort = "medium";
  request.temperature = 0.5;
  return request;
}

TEST(MessagesThinking, NewModelsDecideThemselves) {
  for (const std::string model :
       {"claude-opus-4-6", "claude-opus-4-7", "claude-sonnet-5", "claude-novel"}) {
    const json sent = messages_body(thinking_request(), model);
    EXPECT_EQ(sent["thinking"], json::parse(R"({"type":"adaptive"})")) << model;
    EXPECT_EQ(sent["output_config"]["effort"], "medium");
    EXPECT_FALSE(sent.contains("temperature"));
  }
}

TEST(MessagesThinking, OlderModelsHaveABudget) {
  for (const std::string model :
       {"claude-3-7-sonnet-20250219", "claude-sonnet-4-20250514", kModel}) {
    const json sent = messages_body(thinking_request(), model);
    EXPECT_EQ(sent["thinking"], json::parse(R"({"type":"enabled","budget_tokens":2048})")) << model;
    EXPECT_FALSE(sent.contains("temperature"));
  }
}

TEST(MessagesThinking, TheOldestDoNotThink) {
  const json sent = messages_body(thinking_request(), "claude-3-5-haiku-20241022");
  EXPECT_FALSE(sent.contains("thinking"));
  EXPECT_EQ(sent["temperature"], 0.5);
}

TEST(MessagesThinking, TheBudgetGrowsWithTheEffort) {
  ModelRequest request = thinking_request();
  request.max_output_tokens = 8192;
  request.reasoning_effort = "low";
  EXPECT_EQ(messages_body(request)["thinking"]["budget_tokens"], 2048);
  request.reasoning_effort = "high";
  EXPECT_EQ(messages_body(request)["thinking"]["budget_tokens"], 6144);
}

TEST(MessagesThinking, NeedsRoomInTheAnswer) {
  ModelRequest request = thinking_request();
  request.max_output_tokens = 1000;
  EXPECT_FALSE(messages_body(request).contains("thinking"));
}

TEST(MessagesThinking, AForcedCallExcludesABudget) {
  ModelRequest request = thinking_request();
  request.tools = {{"f", "", "{}"}};
  request.tool_choice = ToolChoice::kRequired;
  EXPECT_FALSE(messages_body(request).contains("thinking"));
}

TEST(MessagesThinking, ATurnThatBeganWithoutItEndsWithoutIt) {
  ModelRequest request = thinking_request();
  request.messages.push_back({Role::kAssistant, {ToolCall{"a", "f", "{}", ""}}});
  EXPECT_FALSE(messages_body(request).contains("thinking"));
  auto& turn = request.messages.back().parts;
  turn.insert(turn.begin(), Reasoning{"x", "sig", "anthropic"});
  EXPECT_TRUE(messages_body(request).contains("thinking"));
}

TEST(MessagesThinking, NewestModelsTakeNoTemperature) {
  ModelRequest request = thinking_request();
  request.reasoning_effort.clear();
  EXPECT_FALSE(messages_body(request, "claude-opus-4-7").contains("temperature"));
  EXPECT_TRUE(messages_body(request, "claude-opus-4-6").contains("temperature"));
}

// ---- addresses ---------------------------------------------------------------------------------

TEST(MessagesAddress, AddsTheVersionOnce) {
  Endpoint endpoint = internal::test_endpoint(Wire::kAnthropic);
  endpoint.base_url = "https://api.anthropic.com";
  EXPECT_EQ(messages_adapter().encode(endpoint, kModel, {}).url,
            "https://api.anthropic.com/v1/messages");
  endpoint.base_url = "https://api.anthropic.com/v1";
  EXPECT_EQ(messages_adapter().list_models(endpoint).url,
            "https://api.anthropic.com/v1/models?limit=1000");
}

TEST(MessagesAddress, KeyAndVersionAreInHeaders) {
  Endpoint endpoint = internal::test_endpoint(Wire::kAnthropic);
  endpoint.headers = {{"Anthropic-Version", "2099-01-01"}, {"anthropic-beta", "x"}};
  EXPECT_THAT(messages_adapter().encode(endpoint, kModel, {}).headers,
              testing::ElementsAre(io::HttpHeader{"Anthropic-Version", "2099-01-01"},
                                   io::HttpHeader{"anthropic-beta", "x"},
                                   io::HttpHeader{"x-api-key", "key-of-the-test-0123456789"},
                                   io::HttpHeader{"content-type", "application/json"}));
}

// ---- what the API demands, checked by another reader -------------------------------------------

/// Follows the messages as the API's own validation does.
class Demands {
 public:
  void check(const json& sent) {
    RC_ASSERT(sent["max_tokens"].get<int>() >= 1);
    RC_ASSERT(!sent["messages"].empty());
    RC_ASSERT(sent["messages"][0]["role"] == "user");
    RC_ASSERT(sent["messages"].back()["role"] == "user");
    for (const json& message : sent["messages"]) take(message);
    RC_ASSERT(waiting_.empty());
    RC_ASSERT(marks(sent) <= 4U);
    if (!ids_.empty()) RC_ASSERT(!sent["tools"].empty());
    for (const json& tool : sent.value("tools", json::array())) {
      RC_ASSERT(tool["input_schema"]["type"] == "object");
    }
    for (const json& block : sent.value("system", json::array())) check_text(block);
    if (sent.contains("thinking") && sent["thinking"]["type"] == "enabled") {
      RC_ASSERT(sent["thinking"]["budget_tokens"].get<int>() >= 1024);
      RC_ASSERT(sent["thinking"]["budget_tokens"] < sent["max_tokens"]);
      RC_ASSERT(!sent.contains("temperature"));
    }
  }

 private:
  static std::size_t marks(const json& value) {
    if (!value.is_structured()) return 0;
    std::size_t count = value.contains("cache_control") ? 1 : 0;
    for (const json& inside : value) count += marks(inside);
    return count;
  }

  static void check_text(const json& block) {
    const std::string text = block["text"];
    RC_ASSERT(text.find_first_not_of(" \t\r\n") != std::string::npos);
  }

  void take(const json& message) {
    RC_ASSERT(message["role"] != last_);
    last_ = message["role"];
    RC_ASSERT(!message["content"].empty());
    std::vector<std::string> answered;
    bool others = false;
    for (const json& block : message["content"]) {
      const std::string type = block["type"];
      if (type == "tool_result") {
        RC_ASSERT(!others);
        answered.push_back(block["tool_use_id"]);
        for (const json& part : block["content"]) {
          if (part["type"] == "text") check_text(part);
        }
      } else {
        others = true;
      }
      if (type == "text") check_text(block);
      if (type == "tool_use") take_call(block);
      if (type == "thinking" || type == "redacted_thinking") {
        RC_ASSERT(last_ == "assistant");
        RC_ASSERT(!block.contains("cache_control"));
        RC_ASSERT(block != message["content"].back());
      }
    }
    if (last_ == "user") {
      RC_ASSERT(answered == waiting_);
      waiting_.clear();
    }
  }

  void take_call(const json& block) {
    RC_ASSERT(last_ == "assistant");
    const std::string id = block["id"];
    RC_ASSERT(!id.empty());
    RC_ASSERT(std::ranges::all_of(id, [](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-';
    }));
    RC_ASSERT(ids_.insert(id).second);
    RC_ASSERT(block["input"].is_object());
    waiting_.push_back(id);
  }

  std::string last_{};
  std::vector<std::string> waiting_{};
  std::set<std::string> ids_{};
};

TEST(MessagesDemands, AreMetByAnyTranscript) {
  EXPECT_TRUE(rc::check([] {
    Demands().check(
        messages_body(*internal::random_request(),
                      *rc::gen::element<std::string>(kModel, "claude-opus-4-7", "claude-3-opus")));
  }));
}

}  // namespace
}  // namespace clever::provider::anthropic
