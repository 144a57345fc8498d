#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "provider/ollama/chat.h"
#include "provider/testing/wire_random_transcript.h"
#include "provider/testing/wire_reading.h"

namespace clever::provider::ollama {
namespace {

using model::Image;
using model::Reasoning;
using model::Role;
using model::Text;
using model::ToolCall;
using model::ToolResult;
using nlohmann::json;

json ollama_body(const ModelRequest& request, const std::string& model = "qwen3") {
  return json::parse(encode_chat(model, request));
}

ModelRequest ollama_conversation() {
  ModelRequest request;
  request.system = "Be brief.";
  request.messages = {
      {Role::kUser, {Text{"look"}, Image{"image/png", "PNG"}}},
      {Role::kAssistant, {Reasoning{"hm", "", "ollama"}, ToolCall{"c1", "look", "{\"a\":1}", ""}}},
      {Role::kUser, {ToolResult{"c1", {Image{"image/png", "PNG"}}, false}}}};
  request.tools = {{"look", "looks", "{}"}};
  request.temperature = 0.5;
  request.stop = {"END"};
  request.reasoning_effort = "low";
  request.answer_schema = R"({"type":"object"})";
  return request;
}

TEST(OllamaEncode, WritesAConversation) {
  EXPECT_EQ(ollama_body(ollama_conversation()), json::parse(R"json({
    "model": "qwen3",
    "messages": [
      {"role": "system", "content": "Be brief."},
      {"role": "user", "content": "look", "images": ["UE5H"]},
      {"role": "assistant", "content": "", "thinking": "hm",
       "tool_calls": [{"function": {"name": "look", "arguments": {"a": 1}}}]},
      {"role": "tool", "tool_name": "look", "content": "(an image)"},
      {"role": "user", "content": "(images)", "images": ["UE5H"]}],
    "tools": [{"type": "function", "function": {"name": "look", "description": "looks",
      "parameters": {"type": "object", "properties": {}}}}],
    "format": {"type": "object"},
    "options": {"num_predict": 4096, "temperature": 0.5, "stop": ["END"]},
    "truncate": false,
    "shift": false,
    "stream": true})json"));
}

TEST(OllamaEncode, OnlySomeModelsTakeALevelOfThinking) {
  EXPECT_EQ(ollama_body(ollama_conversation(), "gpt-oss:20b")["think"], "low");
  EXPECT_FALSE(ollama_body(ollama_conversation()).contains("think"));
}

TEST(OllamaEncode, ForbiddenToolsAreNotOffered) {
  ModelRequest request = ollama_conversation();
  request.tool_choice = ToolChoice::kNone;
  EXPECT_FALSE(ollama_body(request).contains("tools"));
}

TEST(OllamaAddress, IsUnderApi) {
  Endpoint endpoint = internal::test_endpoint(Wire::kOllama);
  for (const std::string_view base :
       {"http://127.0.0.1:11434", "http://127.0.0.1:11434/v1", "http://127.0.0.1:11434/api"}) {
    endpoint.base_url = base;
    EXPECT_EQ(chat_adapter().encode(endpoint, "m", {}).url, "http://127.0.0.1:11434/api/chat");
    EXPECT_EQ(chat_adapter().list_models(endpoint).url, "http://127.0.0.1:11434/api/tags");
  }
  endpoint.key.clear();
  EXPECT_TRUE(chat_adapter().list_models(endpoint).headers.empty());
}

void check_demands(const json& sent) {
  std::size_t waiting = 0;
  std::string last;
  for (const json& message : sent["messages"]) {
    const std::string role = message["role"];
    RC_ASSERT(message["content"].is_string());
    if (role == "tool") {
      RC_ASSERT(waiting > 0U);
      --waiting;
      RC_ASSERT(!message["tool_name"].get<std::string>().empty());
    } else {
      RC_ASSERT(waiting == 0U);
      RC_ASSERT(role != last);
    }
    if (role != "assistant") RC_ASSERT(!message["content"].get<std::string>().empty());
    for (const json& call : message.value("tool_calls", json::array())) {
      RC_ASSERT(call["function"]["arguments"].is_object());
      ++waiting;
    }
    last = role;
  }
  RC_ASSERT(last == "user" || last == "tool");
}

TEST(OllamaDemands, AreMetByAnyTranscript) {
  EXPECT_TRUE(rc::check([] { check_demands(ollama_body(*internal::random_request())); }));
}

}  // namespace
}  // namespace clever::provider::ollama
