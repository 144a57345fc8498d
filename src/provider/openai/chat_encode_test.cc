#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "provider/openai/chat.h"
#include "provider/openai/dialect.h"
#include "provider/testing/wire_random_transcript.h"
#include "provider/testing/wire_reading.h"

namespace clever::provider::openai {
namespace {

using internal::test_endpoint;
using model::Image;
using model::Reasoning;
using model::Role;
using model::Text;
using model::ToolCall;
using model::ToolResult;
using nlohmann::json;
using testing::HasSubstr;

Endpoint official() {
  Endpoint endpoint = test_endpoint(Wire::kOpenAiChat);
  endpoint.base_url = "https://api.openai.com/v1";
  return endpoint;
}
Endpoint endpoint_of(Dialect dialect) { return test_endpoint(Wire::kOpenAiChat, dialect); }

json chat_body(const Endpoint& endpoint, const ModelRequest& request,
               const std::string& model = "m") {
  return json::parse(encode_chat(endpoint, model, request));
}

ModelRequest chat_question() {
  ModelRequest request;
  request.messages = {{Role::kUser, {Text{"hi"}}}};
  return request;
}

ModelRequest chat_conversation() {
  ModelRequest request;
  request.system = "Be brief.";
  request.messages = {
      {Role::kUser, {Text{"look"}, Image{"image/png", "PNG"}}},
      {Role::kAssistant,
       {Reasoning{"hm", "", "openai-chat"}, Text{"Looking."},
        ToolCall{"call_1", "look", "{\"a\":1}", ""}}},
      {Role::kUser,
       {ToolResult{"call_1", {Text{"seen"}, Image{"image/png", "PNG"}}, true}, Text{"go on"}}}};
  request.tools = {{"look", "looks", R"({"type":"object","properties":{}})"}};
  request.tool_choice = ToolChoice::kRequired;
  request.max_output_tokens = 100;
  request.temperature = 0.5;
  request.stop = {"END", " "};
  return request;
}

TEST(ChatEncode, WritesAConversation) {
  EXPECT_EQ(chat_body(endpoint_of(Dialect::kNone), chat_conversation()), json::parse(R"({
    "model": "m",
    "messages": [
      {"role": "system", "content": "Be brief."},
      {"role": "user", "content": [
        {"type": "text", "text": "look"},
        {"type": "image_url", "image_url": {"url": "data:image/png;base64,UE5H"}}]},
      {"role": "assistant", "content": "Looking.", "tool_calls": [
        {"id": "call_1", "type": "function", "function": {"name": "look", "arguments": "{\"a\":1}"}}]},
      {"role": "tool", "tool_call_id": "call_1", "content": "Error: seen"},
      {"role": "user", "content": [
        {"type": "text", "text": "Images in the result of the call call_1:"},
        {"type": "image_url", "image_url": {"url": "data:image/png;base64,UE5H"}},
        {"type": "text", "text": "go on"}]}],
    "tools": [{"type": "function", "function": {"name": "look", "description": "looks",
      "parameters": {"type": "object", "properties": {}}}}],
    "tool_choice": "required",
    "max_tokens": 100,
    "temperature": 0.5,
    "stop": ["END"],
    "stream": true,
    "stream_options": {"include_usage": true}})"));
}

TEST(ChatEncode, OpenAiHasItsNewerNameForTheLimit) {
  EXPECT_EQ(chat_body(official(), chat_question())["max_completion_tokens"], 4096);
  EXPECT_FALSE(chat_body(official(), chat_question()).contains("max_tokens"));
}

TEST(ChatEncode, ModelsThatThinkGetNoTemperature) {
  ModelRequest request = chat_question();
  request.temperature = 0.1;
  request.stop = {"x"};
  request.reasoning_effort = "low";
  const json thinking = chat_body(official(), request, "gpt-5-mini");
  EXPECT_FALSE(thinking.contains("temperature"));
  EXPECT_FALSE(thinking.contains("stop"));
  EXPECT_EQ(thinking["reasoning_effort"], "low");
  const json plain = chat_body(official(), request, "gpt-4o");
  EXPECT_EQ(plain["temperature"], 0.1);
  EXPECT_FALSE(plain.contains("reasoning_effort"));
}

TEST(ChatEncode, AWantedFormIsAskedFor) {
  ModelRequest request = chat_question();
  request.answer_schema = R"({"type":"object"})";
  EXPECT_EQ(
      chat_body(official(), request)["response_format"],
      json::parse(
          R"({"type":"json_schema","json_schema":{"name":"answer","schema":{"type":"object"}}})"));
}

TEST(ChatEncode, WithoutStreamingNothingIsSaidOfIt) {
  ModelRequest request = chat_question();
  request.stream = false;
  EXPECT_FALSE(chat_body(official(), request).contains("stream"));
  EXPECT_FALSE(chat_body(official(), request).contains("stream_options"));
}

TEST(ChatEncode, ToolsMayBeForbidden) {
  ModelRequest request = chat_conversation();
  request.tool_choice = ToolChoice::kNone;
  EXPECT_EQ(chat_body(official(), request)["tool_choice"], "none");
  request.tool_choice = ToolChoice::kAuto;
  EXPECT_FALSE(chat_body(official(), request).contains("tool_choice"));
}

TEST(ChatEncode, MistralDiffers) {
  const json sent = chat_body(endpoint_of(Dialect::kMistral), chat_conversation());
  EXPECT_EQ(sent["tool_choice"], "any");
  EXPECT_FALSE(sent.contains("stream_options"));
  EXPECT_EQ(sent["messages"][2]["tool_calls"][0]["id"].get<std::string>().size(), 9U);
  EXPECT_EQ(sent["messages"][2]["tool_calls"][0]["id"], sent["messages"][3]["tool_call_id"]);
  EXPECT_EQ(sent["messages"][4]["role"], "assistant");
  EXPECT_EQ(sent["messages"][5]["role"], "user");
}

TEST(ChatEncode, MistralKeepsIdsThatFit) {
  EXPECT_EQ(call_id(endpoint_of(Dialect::kMistral), "Ab3456789"), "Ab3456789");
  EXPECT_NE(call_id(endpoint_of(Dialect::kMistral), "call_1"), "call_1");
  EXPECT_EQ(call_id(endpoint_of(Dialect::kNone), "call_1"), "call_1");
}

TEST(ChatEncode, DeepSeekGetsItsReasoningBackWithCalls) {
  EXPECT_EQ(chat_body(endpoint_of(Dialect::kDeepSeek),
                      chat_conversation())["messages"][2]["reasoning_content"],
            "hm");
  ModelRequest foreign = chat_conversation();
  foreign.messages[1].parts.erase(foreign.messages[1].parts.begin());
  EXPECT_EQ(chat_body(endpoint_of(Dialect::kDeepSeek), foreign)["messages"][2]["reasoning_content"],
            "");
  EXPECT_FALSE(
      chat_body(official(), chat_conversation())["messages"][2].contains("reasoning_content"));
}

TEST(ChatEncode, DescribesTheSchemaToDeepSeekInWords) {
  ModelRequest request = chat_question();
  request.answer_schema = R"({"type":"object"})";
  const json sent = chat_body(endpoint_of(Dialect::kDeepSeek), request);
  EXPECT_EQ(sent["response_format"], json::parse(R"({"type":"json_object"})"));
  EXPECT_THAT(sent["messages"][0]["content"].get<std::string>(), HasSubstr("JSON Schema"));
}

TEST(ChatEncode, OpenRouterGetsItsDetailsBack) {
  ModelRequest request = chat_question();
  request.reasoning_effort = "high";
  request.messages.push_back(
      {Role::kAssistant,
       {Reasoning{"x", R"([{"type":"reasoning.text"}])", "openrouter"}, Text{"y"}}});
  const json sent = chat_body(endpoint_of(Dialect::kOpenRouter), request);
  EXPECT_EQ(sent["reasoning"]["effort"], "high");
  EXPECT_EQ(sent["messages"][1]["reasoning_details"][0]["type"], "reasoning.text");
  EXPECT_FALSE(chat_body(official(), request)["messages"][1].contains("reasoning_details"));
}

// ---- addresses and credentials -----------------------------------------------------------------

std::string url(const Endpoint& endpoint) {
  return chat_adapter().encode(endpoint, "my model", chat_question()).url;
}

TEST(ChatAddress, IsUnderTheBase) {
  EXPECT_EQ(url(official()), "https://api.openai.com/v1/chat/completions");
}

TEST(ChatAddress, AzureHasTheDeploymentInIt) {
  Endpoint azure = endpoint_of(Dialect::kAzure);
  azure.base_url = "https://x.openai.azure.com";
  azure.api_version = "2024-10-21";
  EXPECT_EQ(url(azure),
            "https://x.openai.azure.com/openai/deployments/my%20model/chat/"
            "completions?api-version=2024-10-21");
  EXPECT_EQ(models_address(azure),
            "https://x.openai.azure.com/openai/models?api-version=2024-10-21");
  azure.base_url = "https://x.openai.azure.com/openai";
  EXPECT_EQ(models_address(azure),
            "https://x.openai.azure.com/openai/models?api-version=2024-10-21");
  EXPECT_EQ(address(azure, "m", "/responses"),
            "https://x.openai.azure.com/openai/responses?api-version=2024-10-21");
}

TEST(ChatAddress, AzuresNewerApiHasNot) {
  for (const std::string_view base :
       {"https://x.openai.azure.com", "https://x.openai.azure.com/openai",
        "https://x.openai.azure.com/openai/v1"}) {
    Endpoint azure = endpoint_of(Dialect::kAzure);
    azure.base_url = base;
    EXPECT_EQ(url(azure), "https://x.openai.azure.com/openai/v1/chat/completions");
    EXPECT_EQ(models_address(azure), "https://x.openai.azure.com/openai/v1/models");
  }
}

TEST(ChatAddress, CoheresListIsBesideItsCompatiblePart) {
  Endpoint cohere = endpoint_of(Dialect::kCohere);
  cohere.base_url = "https://api.cohere.ai/compatibility/v1";
  EXPECT_EQ(url(cohere), "https://api.cohere.ai/compatibility/v1/chat/completions");
  EXPECT_EQ(models_address(cohere), "https://api.cohere.ai/v1/models?endpoint=chat");
}

TEST(ChatAddress, TheKeyIsInAHeader) {
  const auto has = [](const io::HttpRequest& request, const io::HttpHeader& header) {
    return std::ranges::find(request.headers, header) != request.headers.end();
  };
  EXPECT_TRUE(has(chat_adapter().list_models(official()),
                  {"authorization", "Bearer key-of-the-test-0123456789"}));
  EXPECT_TRUE(has(chat_adapter().list_models(endpoint_of(Dialect::kAzure)),
                  {"api-key", "key-of-the-test-0123456789"}));
  Endpoint keyless = official();
  keyless.key.clear();
  EXPECT_TRUE(chat_adapter().list_models(keyless).headers.empty());
}

// ---- what every server demands, checked by another reader --------------------------------------

/// Follows the messages as the API's own validation does.
class Demands {
 public:
  explicit Demands(bool mistral) : mistral_(mistral) {}

  void check(const json& sent) {
    RC_ASSERT(sent["model"].is_string());
    RC_ASSERT(!sent["messages"].empty());
    for (const json& message : sent["messages"]) take(message);
    RC_ASSERT(waiting_.empty());
    RC_ASSERT(last_ == "user" || last_ == "tool");
    if (!sent.contains("tools")) RC_ASSERT(!sent.contains("tool_choice"));
    for (const json& tool : sent.value("tools", json::array())) {
      RC_ASSERT(tool["function"]["parameters"]["type"] == "object");
      RC_ASSERT(tool["function"]["parameters"]["properties"].is_object());
    }
    const json limit =
        sent.contains("max_tokens") ? sent["max_tokens"] : sent["max_completion_tokens"];
    RC_ASSERT(limit.get<int>() >= 1);
  }

 private:
  void take(const json& message) {
    const std::string role = message["role"];
    if (role == "tool") {
      // In the order of the calls, each once, right after them.
      RC_ASSERT(!waiting_.empty());
      RC_ASSERT(message["tool_call_id"] == waiting_.front());
      waiting_.erase(waiting_.begin());
      RC_ASSERT(!message["content"].get<std::string>().empty());
    } else {
      RC_ASSERT(waiting_.empty());
      RC_ASSERT(role != last_);
      if (mistral_) RC_ASSERT(!(role == "user" && last_ == "tool"));
    }
    if (role == "system") RC_ASSERT(last_.empty());
    if (role == "user") check_content(message["content"]);
    if (role == "assistant") take_assistants(message);
    last_ = role;
  }

  static void check_content(const json& content) {
    if (content.is_string()) {
      RC_ASSERT(!content.get<std::string>().empty());
      return;
    }
    RC_ASSERT(!content.empty());
    for (const json& part : content) {
      if (part["type"] == "text") {
        RC_ASSERT(!part["text"].get<std::string>().empty());
      } else {
        RC_ASSERT(part["image_url"]["url"].get<std::string>().starts_with("data:image/"));
      }
    }
  }

  void take_assistants(const json& message) {
    const bool calls = message.contains("tool_calls");
    const bool text =
        message["content"].is_string() && !message["content"].get<std::string>().empty();
    RC_ASSERT(calls || text);
    for (const json& call : message.value("tool_calls", json::array())) {
      const std::string id = call["id"];
      RC_ASSERT(ids_.insert(id).second);
      RC_ASSERT(!id.empty() && id.size() <= 64U);
      if (mistral_) RC_ASSERT(id.size() == 9U);
      RC_ASSERT(json::parse(call["function"]["arguments"].get<std::string>()).is_object());
      waiting_.push_back(id);
    }
  }

  bool mistral_;
  std::string last_{};
  std::vector<std::string> waiting_{};
  std::set<std::string> ids_{};
};

TEST(ChatDemands, AreMetByAnyTranscriptInEveryDialect) {
  EXPECT_TRUE(rc::check([] {
    const auto dialect = *rc::gen::element(
        Dialect::kNone, Dialect::kAzure, Dialect::kOpenRouter, Dialect::kGroq, Dialect::kTogether,
        Dialect::kCohere, Dialect::kDeepSeek, Dialect::kMistral, Dialect::kLlamaServer);
    const std::string model = *rc::gen::element<std::string>("gpt-4o", "gpt-5", "x");
    Demands(dialect == Dialect::kMistral)
        .check(chat_body(endpoint_of(dialect), *internal::random_request(), model));
  }));
}

}  // namespace
}  // namespace clever::provider::openai
