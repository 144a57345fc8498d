#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "provider/google/gemini.h"
#include "provider/testing/wire_random_transcript.h"
#include "provider/testing/wire_reading.h"

namespace clever::provider::google {
namespace {

using model::Image;
using model::Reasoning;
using model::Role;
using model::Text;
using model::ToolCall;
using model::ToolResult;
using nlohmann::json;

json gemini_body(const ModelRequest& request, const std::string& model = "gemini-3-pro") {
  return json::parse(encode_gemini(model, request));
}

ModelRequest gemini_conversation() {
  ModelRequest request;
  request.system = "Be brief.";
  request.messages = {{Role::kUser, {Text{"look"}, Image{"image/png", "PNG"}}},
                      {Role::kAssistant,
                       {Reasoning{"x", "", "google"}, ToolCall{"c1", "look", "{\"a\":1}", "c2ln"},
                        ToolCall{"c2", "9lives", "nonsense", ""}}},
                      {Role::kUser,
                       {ToolResult{"c1", {Text{"seen"}, Image{"image/png", "PNG"}}, false},
                        ToolResult{"c2", {Text{"no"}}, true}, Text{"go on"}}}};
  request.tools = {{"look", "looks", "{}"}};
  request.tool_choice = ToolChoice::kRequired;
  request.temperature = 0.5;
  request.stop = {"END"};
  request.reasoning_effort = "low";
  request.answer_schema = R"({"type":"object"})";
  return request;
}

TEST(GeminiEncode, WritesAConversation) {
  EXPECT_EQ(gemini_body(gemini_conversation()), json::parse(R"({
    "systemInstruction": {"parts": [{"text": "Be brief."}]},
    "contents": [
      {"role": "user", "parts": [{"text": "look"}, {"inlineData": {"mimeType": "image/png", "data": "UE5H"}}]},
      {"role": "model", "parts": [
        {"functionCall": {"id": "c1", "name": "look", "args": {"a": 1}}, "thoughtSignature": "c2ln"},
        {"functionCall": {"id": "c2", "name": "_9lives", "args": {"unreadable_arguments": "nonsense"}}}]},
      {"role": "user", "parts": [
        {"functionResponse": {"id": "c1", "name": "look", "response": {"output": "seen"}}},
        {"functionResponse": {"id": "c2", "name": "_9lives", "response": {"error": "Error: no"}}},
        {"text": "go on"},
        {"inlineData": {"mimeType": "image/png", "data": "UE5H"}}]}],
    "tools": [{"functionDeclarations": [{"name": "look", "description": "looks",
      "parametersJsonSchema": {"type": "object", "properties": {}}}]}],
    "toolConfig": {"functionCallingConfig": {"mode": "ANY"}},
    "generationConfig": {"maxOutputTokens": 4096, "temperature": 0.5, "stopSequences": ["END"],
      "responseMimeType": "application/json", "responseJsonSchema": {"type": "object"},
      "thinkingConfig": {"thinkingLevel": "low"}}})"));
}

TEST(GeminiEncode, CallsOfOtherModelsGetASignatureThatStandsForOne) {
  ModelRequest request = gemini_conversation();
  std::get<ToolCall>(request.messages[1].parts[1]).opaque.clear();
  const json parts = gemini_body(request)["contents"][1]["parts"];
  EXPECT_EQ(parts[0]["thoughtSignature"], "skip_thought_signature_validator");
  EXPECT_FALSE(parts[1].contains("thoughtSignature"));
  EXPECT_FALSE(gemini_body(request, "gemini-2.5-flash")["contents"][1]["parts"][0].contains(
      "thoughtSignature"));
}

TEST(GeminiEncode, ThinkingIsAskedForAsTheModelKnowsIt) {
  EXPECT_EQ(gemini_body(gemini_conversation(),
                        "gemini-2.5-flash")["generationConfig"]["thinkingConfig"]["thinkingBudget"],
            1024);
  EXPECT_FALSE(gemini_body(gemini_conversation(), "gemini-2.0-flash")["generationConfig"].contains(
      "thinkingConfig"));
}

TEST(GeminiEncode, ToolsMayBeForbidden) {
  ModelRequest request = gemini_conversation();
  request.tool_choice = ToolChoice::kNone;
  EXPECT_EQ(gemini_body(request)["toolConfig"]["functionCallingConfig"]["mode"], "NONE");
  request.tool_choice = ToolChoice::kAuto;
  EXPECT_FALSE(gemini_body(request).contains("toolConfig"));
}

TEST(GeminiAddress, NamesModelAndMethodAndHasNoKey) {
  Endpoint endpoint = internal::test_endpoint(Wire::kGoogle);
  endpoint.base_url = "https://generativelanguage.googleapis.com";
  ModelRequest request;
  const auto url = [&](const std::string& model) {
    return gemini_adapter().encode(endpoint, model, request).url;
  };
  EXPECT_EQ(url("gemini-3-pro"),
            "https://generativelanguage.googleapis.com/v1beta/models/"
            "gemini-3-pro:streamGenerateContent?alt=sse");
  request.stream = false;
  EXPECT_EQ(url("tunedModels/a b"),
            "https://generativelanguage.googleapis.com/v1beta/tunedModels/a%20b:generateContent");
  endpoint.base_url = "https://proxy.example/v1";
  EXPECT_EQ(gemini_adapter().list_models(endpoint).url,
            "https://proxy.example/v1/models?pageSize=1000");
  EXPECT_EQ(gemini_adapter().list_models(endpoint).headers[0],
            (io::HttpHeader{"x-goog-api-key", "key-of-the-test-0123456789"}));
}

// ---- what the API demands, checked by another reader -------------------------------------------

std::vector<std::string> named(const json& parts, const char* kind) {
  std::vector<std::string> names;
  for (const json& part : parts) {
    if (part.contains(kind))
      names.push_back(part[kind]["id"].get<std::string>() + " " +
                      part[kind]["name"].get<std::string>());
  }
  return names;
}

void check_demands(const json& sent) {
  const json& contents = sent["contents"];
  RC_ASSERT(contents.size() % 2 == 1U);
  std::vector<std::string> waiting;
  for (std::size_t i = 0; i < contents.size(); ++i) {
    RC_ASSERT(contents[i]["role"] == (i % 2 == 0 ? "user" : "model"));
    const json& parts = contents[i]["parts"];
    RC_ASSERT(!parts.empty());
    RC_ASSERT(named(parts, "functionResponse") == waiting);
    waiting = named(parts, "functionCall");
    for (const json& part : parts) {
      RC_ASSERT(part.size() == (part.contains("thoughtSignature") ? 2U : 1U));
      if (part.contains("text")) RC_ASSERT(!part["text"].get<std::string>().empty());
      if (part.contains("functionCall")) RC_ASSERT(part["functionCall"]["args"].is_object());
      if (part.contains("inlineData"))
        RC_ASSERT(!part["inlineData"]["data"].get<std::string>().empty());
    }
  }
  RC_ASSERT(waiting.empty());
  for (const json& stop : sent["generationConfig"].value("stopSequences", json::array())) {
    RC_ASSERT(!stop.get<std::string>().empty());
  }
}

TEST(GeminiDemands, AreMetByAnyTranscript) {
  EXPECT_TRUE(rc::check([] {
    check_demands(
        gemini_body(*internal::random_request(),
                    *rc::gen::element<std::string>("gemini-3-pro", "gemini-2.5-pro", "x")));
  }));
}

}  // namespace
}  // namespace clever::provider::google
