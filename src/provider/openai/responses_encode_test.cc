#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "provider/openai/responses.h"
#include "provider/testing/wire_random_transcript.h"
#include "provider/testing/wire_reading.h"

namespace clever::provider::openai {
namespace {

using model::Image;
using model::Reasoning;
using model::Role;
using model::Text;
using model::ToolCall;
using model::ToolResult;
using nlohmann::json;

json responses_body(const ModelRequest& request, const std::string& model) {
  return json::parse(encode_responses(model, request));
}

ModelRequest responses_conversation() {
  ModelRequest request;
  request.system = "Be brief.";
  request.messages = {
      {Role::kUser, {Text{"look"}, Image{"image/png", "PNG"}}},
      {Role::kAssistant,
       {Reasoning{"plan", R"({"id":"rs_1","encrypted_content":"gAAA"})", "openai-responses"},
        Reasoning{"other", "sig", "anthropic"}, Text{"Looking."},
        ToolCall{"call_1", "look", "{}", ""}, ToolCall{"call_2", "look", "{}", ""}}},
      {Role::kUser,
       {ToolResult{"call_1", {Text{"seen"}}, false},
        ToolResult{"call_2", {Image{"image/png", "PNG"}}, false}}}};
  request.tools = {{"look", "looks", "{}"}};
  request.tool_choice = ToolChoice::kRequired;
  request.reasoning_effort = "high";
  request.temperature = 0.3;
  request.answer_schema = R"({"type":"object"})";
  return request;
}

TEST(ResponsesEncode, WritesAConversation) {
  EXPECT_EQ(responses_body(responses_conversation(), "gpt-5"), json::parse(R"json({
    "model": "gpt-5",
    "instructions": "Be brief.",
    "input": [
      {"role": "user", "content": [
        {"type": "input_text", "text": "look"},
        {"type": "input_image", "image_url": "data:image/png;base64,UE5H", "detail": "auto"}]},
      {"type": "reasoning", "id": "rs_1", "summary": [{"type": "summary_text", "text": "plan"}],
       "encrypted_content": "gAAA"},
      {"role": "assistant", "content": "Looking."},
      {"type": "function_call", "call_id": "call_1", "name": "look", "arguments": "{}"},
      {"type": "function_call", "call_id": "call_2", "name": "look", "arguments": "{}"},
      {"type": "function_call_output", "call_id": "call_1", "output": "seen"},
      {"type": "function_call_output", "call_id": "call_2", "output": [
        {"type": "input_text", "text": "(an image)"},
        {"type": "input_image", "image_url": "data:image/png;base64,UE5H", "detail": "auto"}]}],
    "tools": [{"type": "function", "name": "look", "description": "looks",
      "parameters": {"type": "object", "properties": {}}, "strict": false}],
    "tool_choice": "required",
    "max_output_tokens": 4096,
    "reasoning": {"effort": "high"},
    "include": ["reasoning.encrypted_content"],
    "text": {"format": {"type": "json_schema", "name": "answer", "schema": {"type": "object"}, "strict": false}},
    "store": false,
    "stream": true})json"));
}

TEST(ResponsesEncode, ModelsWithoutReasoningGetNone) {
  const json sent = responses_body(responses_conversation(), "gpt-4o");
  EXPECT_FALSE(sent.contains("reasoning"));
  EXPECT_FALSE(sent.contains("include"));
  EXPECT_EQ(sent["temperature"], 0.3);
  EXPECT_EQ(sent["input"][1]["role"], "assistant");
}

TEST(ResponsesEncode, GoesToItsAddress) {
  Endpoint endpoint = internal::test_endpoint(Wire::kOpenAiResponses);
  EXPECT_EQ(responses_adapter().encode(endpoint, "m", {}).url, "https://acme.example/v1/responses");
  EXPECT_EQ(responses_adapter().list_models(endpoint).url, "https://acme.example/v1/models");
}

TEST(ResponsesEncode, ToolsMayBeForbidden) {
  ModelRequest request = responses_conversation();
  request.tool_choice = ToolChoice::kNone;
  EXPECT_EQ(responses_body(request, "gpt-5")["tool_choice"], "none");
}

// Every call is followed by its output before any other item; reasoning by what it led to.
void check_demands(const json& sent) {
  std::set<std::string> waiting;
  std::set<std::string> ids;
  std::string last;
  RC_ASSERT(!sent["input"].empty());
  for (const json& item : sent["input"]) {
    const std::string type = item.value("type", "message " + item.value("role", ""));
    if (type == "function_call") {
      RC_ASSERT(ids.insert(item["call_id"]).second);
      RC_ASSERT(json::parse(item["arguments"].get<std::string>()).is_object());
      waiting.insert(item["call_id"]);
    } else if (type == "function_call_output") {
      RC_ASSERT(waiting.erase(item["call_id"].get<std::string>()) == 1U);
      RC_ASSERT(!item["output"].empty());
    } else if (type == "message user") {
      RC_ASSERT(waiting.empty());
      RC_ASSERT(!item["content"].empty());
    } else if (type == "message assistant") {
      RC_ASSERT(!item["content"].get<std::string>().empty());
    } else {
      RC_ASSERT(type == "reasoning");
    }
    if (last == "reasoning") {
      RC_ASSERT(type == "function_call" || type == "message assistant" || type == "reasoning");
    }
    last = type;
  }
  RC_ASSERT(waiting.empty());
  RC_ASSERT(last == "message user" || last == "function_call_output");
  RC_ASSERT(sent["max_output_tokens"].get<int>() >= 16);
  RC_ASSERT(sent["store"] == false);
}

TEST(ResponsesDemands, AreMetByAnyTranscript) {
  EXPECT_TRUE(rc::check([] {
    check_demands(responses_body(*internal::random_request(),
                                 *rc::gen::element<std::string>("gpt-5", "gpt-4o")));
  }));
}

}  // namespace
}  // namespace clever::provider::openai
