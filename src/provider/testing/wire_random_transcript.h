#pragma once
#include <rapidcheck.h>

#include <string>
#include <vector>

#include "provider/request.h"

// For property tests: transcripts of every shape, most of which no API would accept.
namespace clever::provider::internal {

/// Often one of a few, so that ids collide.
inline rc::Gen<std::string> random_id() {
  return rc::gen::weightedOneOf<std::string>(
      {{8, rc::gen::element<std::string>("a", "b", "toolu_01", "call 1", "call_1", "")},
       {1, rc::gen::element(std::string(80, 'x'), std::string("\xFF\xFE"), std::string("ünïcode"))},
       {1, rc::gen::arbitrary<std::string>()}});
}

inline rc::Gen<std::string> random_text() {
  return rc::gen::weightedOneOf<std::string>(
      {{4, rc::gen::element<std::string>("hello", "two\nlines", "quote \" and \\ slash", "ü€😀")},
       {2, rc::gen::element<std::string>("", " ", "\n\t ", "\xC2\xA0", "\xE3\x80\x80")},
       {1, rc::gen::element<std::string>("cut \xE2\x82", "\xC0\x80", "a\x01z")},
       {1, rc::gen::arbitrary<std::string>()}});
}

inline rc::Gen<std::string> random_arguments() {
  return rc::gen::oneOf(rc::gen::element<std::string>(
                            "{}", R"({"path":"a.txt"})", R"({"deep":{"list":[1,2.5,null]}})", "",
                            "null", "[1]", "7", "{\"cut", "{'a':1}", "{} {}"),
                        random_text());
}

inline rc::Gen<model::Text> random_text_part() {
  return rc::gen::construct<model::Text>(random_text());
}

inline rc::Gen<model::Image> random_image() {
  return rc::gen::construct<model::Image>(
      rc::gen::element<std::string>("image/png", "image/jpeg", "image/webp", "image/gif",
                                    "image/bmp", "", "text/html\""),
      rc::gen::arbitrary<std::string>());
}

inline rc::Gen<model::Reasoning> random_reasoning() {
  return rc::gen::construct<model::Reasoning>(
      random_text(),
      rc::gen::oneOf(rc::gen::element<std::string>(
                         "", "c2lnbmF0dXJl", "redacted:ZGF0YQ==", "[]",
                         R"([{"type":"reasoning.text","text":"x","index":0}])",
                         R"({"id":"rs_1","encrypted_content":"gAAAA"})", R"({"id":7})"),
                     random_text()),
      rc::gen::element<std::string>("anthropic", "openai-responses", "openai-chat", "openrouter",
                                    "google", "ollama", ""));
}

inline rc::Gen<model::ToolCall> random_call() {
  return rc::gen::construct<model::ToolCall>(
      random_id(),
      rc::gen::element<std::string>("read_file", "9lives", "-dash", "with space", "", "ü",
                                    std::string(70, 'n')),
      random_arguments(), rc::gen::element<std::string>("", "", "c2ln"));
}

inline rc::Gen<model::ToolResult> random_result() {
  using Content = std::variant<model::Text, model::Image>;
  return rc::gen::construct<model::ToolResult>(
      random_id(),
      rc::gen::resize(4, rc::gen::container<std::vector<Content>>(
                             rc::gen::oneOf(rc::gen::cast<Content>(random_text_part()),
                                            rc::gen::cast<Content>(random_image())))),
      rc::gen::arbitrary<bool>());
}

inline rc::Gen<model::Part> random_part() {
  return rc::gen::oneOf(
      rc::gen::cast<model::Part>(random_text_part()), rc::gen::cast<model::Part>(random_image()),
      rc::gen::cast<model::Part>(random_reasoning()), rc::gen::cast<model::Part>(random_call()),
      rc::gen::cast<model::Part>(random_call()), rc::gen::cast<model::Part>(random_result()),
      rc::gen::cast<model::Part>(random_result()));
}

inline rc::Gen<model::Message> random_message() {
  return rc::gen::construct<model::Message>(
      rc::gen::element(model::Role::kUser, model::Role::kAssistant),
      rc::gen::resize(6, rc::gen::container<std::vector<model::Part>>(random_part())));
}

inline rc::Gen<std::vector<model::Message>> random_transcript() {
  return rc::gen::resize(12, rc::gen::container<std::vector<model::Message>>(random_message()));
}

inline rc::Gen<ToolSpec> random_tool() {
  return rc::gen::construct<ToolSpec>(
      rc::gen::element<std::string>("read_file", "9lives", "", "a b"), random_text(),
      rc::gen::oneOf(rc::gen::element<std::string>(
                         R"({"type":"object","properties":{"path":{"type":"string"}}})",
                         R"({"properties":{"n":{"type":"integer"}}})", "{}", R"({"type":"string"})",
                         R"({"type":"object"})", "nonsense", R"({"type":null,"properties":3})"),
                     random_text()));
}

inline rc::Gen<ModelRequest> random_request() {
  return rc::gen::build<ModelRequest>(
      rc::gen::set(&ModelRequest::system, random_text()),
      rc::gen::set(&ModelRequest::messages, random_transcript()),
      rc::gen::set(&ModelRequest::tools,
                   rc::gen::resize(3, rc::gen::container<std::vector<ToolSpec>>(random_tool()))),
      rc::gen::set(&ModelRequest::tool_choice,
                   rc::gen::element(ToolChoice::kAuto, ToolChoice::kNone, ToolChoice::kRequired)),
      rc::gen::set(&ModelRequest::max_output_tokens,
                   rc::gen::element<std::int64_t>(0, -5, 1, 1000, 4096, 64'000)),
      rc::gen::set(&ModelRequest::temperature,
                   rc::gen::element<std::optional<double>>(std::nullopt, 0.0, 0.7, 1.5)),
      rc::gen::set(&ModelRequest::stop,
                   rc::gen::container<std::vector<std::string>>(random_text())),
      rc::gen::set(&ModelRequest::reasoning_effort,
                   rc::gen::element<std::string>("", "low", "medium", "high")),
      rc::gen::set(&ModelRequest::answer_schema,
                   rc::gen::element<std::string>("", "nonsense", R"({"type":"object"})")),
      rc::gen::set(&ModelRequest::cache_prompt, rc::gen::arbitrary<bool>()),
      rc::gen::set(&ModelRequest::stream, rc::gen::arbitrary<bool>()));
}

}  // namespace clever::provider::internal
