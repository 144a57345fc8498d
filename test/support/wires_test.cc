// Every wire, over real sockets, against what the script says by itself: the adapters, the HTTP
// client and the model server are three accounts of the same APIs, and must agree.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/thread_pool.h"
#include "io/http_client.h"
#include "provider/http_backend.h"
#include "provider/scripted/scripted_backend.h"
#include "support/collected_attempt.h"
#include "support/model_server.h"

namespace clever::provider {
namespace {

using model::Image;
using model::Reasoning;
using model::Role;
using model::Text;
using model::ToolCall;
using model::ToolResult;
using nlohmann::json;
using test::CollectedAttempt;
using test::ModelServer;
using test::user_says;

constexpr std::string_view kScript = R"(
defaults: {chunk: 6}
rules:
- {match: {result: weather}, reply: It is sunny., usage: {input: 40, output: 6}}
- match: {user: weather}
  reply: Let me look.
  reasoning: I must look that up.
  tool_calls:
  - {name: weather, arguments: {city: Zürich, days: 2, exact: true, list: [1, "2", null]}}
  - {name: weather, arguments: {city: "with \"quotes\" and \\ and \n"}}
  - {name: clock}
- {match: {result: clock}, reply: It is noon.}
- {match: {user: one call}, tool_calls: {name: clock}}
- {match: {user: twins}, tool_calls: [{name: clock, id: same}, {name: clock, id: same}]}
- {match: {user: refuse}, refusal: I cannot help with that.}
- {match: {user: long}, reply: and so on and so, stop: length}
- {match: {user: nothing}, reply: ""}
- {match: {user: used}, reply: yes, usage: {input: 100, output: 50, cache_read: 20}}
- {match: {user: think}, reasoning: First this. Then that., reply: So., usage: {input: 9, output: 8, reasoning: 5}}
- {match: {user: slower}, error: {kind: rate_limited, retry_after: 7s, message: slow down}}
- {match: {user: cut after 0}, reply: this will never be whole, cut: 0}
- {match: {user: cut after 2}, reply: this will never be whole, cut: 2}
- {match: {user: cut at the end}, reply: this will never be whole, cut: 100}
- {match: {user: cut call}, tool_calls: [{name: clock}, {name: weather, arguments: {city: Rome}}], cut: 1}
- {match: {user: half json}, reply: this makes no sense, malformed: json}
- {match: {user: no events}, reply: this makes no sense, malformed: sse}
- {match: {user: page}, malformed: html}
- {match: {user: length}, reply: fewer bytes than announced, malformed: length}
- {match: {user: picture}, reply: A cat.}
- {match: {user: hello}, reply: "Hello, Wörld 👋! How are you?"}
)";

struct Case {
  Wire wire;
  bool stream;
};
std::string name_of(const Case& test_case) {
  std::string name(to_string(test_case.wire));
  std::erase(name, '-');
  return name + (test_case.stream ? "_stream" : "_whole");
}

class WiresTest : public ::testing::TestWithParam<Case> {
 protected:
  explicit WiresTest(std::string_view script = kScript)
      : script_(Script::parse(script, "wires.yaml").value()),
        server_(script_),
        scripted_("test", script_, timers_, pool_) {}

  [[nodiscard]] Wire wire() const { return GetParam().wire; }
  [[nodiscard]] Endpoint endpoint() const {
    Endpoint endpoint{.provider = "test", .wire = wire(), .key = "secret-key-1234"};
    endpoint.base_url = server_.url();
    if (wire() == Wire::kOpenAiChat || wire() == Wire::kOpenAiResponses) endpoint.base_url += "/v1";
    if (wire() == Wire::kGoogle) endpoint.base_url += "/v1beta";
    return endpoint;
  }
  AttemptEnd over_the_wire(ModelRequest request) {
    request.stream = GetParam().stream;
    HttpBackend backend(*adapter(wire()), endpoint(), http_);
    sink_ = std::make_shared<CollectedAttempt>();
    const auto attempt = backend.start("m", request, sink_);
    return sink_->end();
  }
  AttemptEnd by_the_script(ModelRequest request) {
    request.stream = GetParam().stream;
    const auto sink = std::make_shared<CollectedAttempt>();
    const auto attempt = scripted_.start("m", request, sink);
    return sink->end();
  }

  // What all wires can say of an answer.
  [[nodiscard]] json shown(const AttemptEnd& end) const {
    if (const auto* failure = std::get_if<Failure>(&end.result)) {
      return {{"failure", to_string(failure->kind)}};
    }
    const auto& answer = std::get<ModelAnswer>(end.result);
    json value{{"text", ""}, {"reasoning", ""}, {"calls", json::array()}};
    for (const model::Part& part : answer.message.parts) add_part(part, value);
    value["stop"] = to_string(answer.stop);
    value["refusal"] = answer.refusal;
    value["input"] = answer.usage.input;
    value["output"] = answer.usage.output;
    return value;
  }
  static void add_part(const model::Part& part, json& value) {
    if (const auto* text = std::get_if<Text>(&part)) {
      value["text"] = value["text"].get<std::string>() + text->text;
    } else if (const auto* reasoning = std::get_if<Reasoning>(&part)) {
      value["reasoning"] = value["reasoning"].get<std::string>() + reasoning->text;
    } else if (const auto* call = std::get_if<ToolCall>(&part)) {
      value["calls"].push_back({call->name, json::parse(call->arguments)});
    }
  }

  // Asks both; they must agree.
  AttemptEnd check(const ModelRequest& request) {
    const AttemptEnd got = over_the_wire(request);
    const auto* failure = std::get_if<Failure>(&got.result);
    EXPECT_EQ(shown(got), shown(by_the_script(request)))
        << (failure != nullptr ? failure->message : "") << "\n"
        << server_.counts().last_rejection;
    EXPECT_EQ(server_.counts().rejected, 0U) << server_.counts().last_rejection;
    return got;
  }
  Failure check_failure(const std::string& text) {
    const AttemptEnd got = check(user_says(text));
    const auto* failure = std::get_if<Failure>(&got.result);
    if (failure == nullptr) return {};
    EXPECT_EQ(failure->message.find("secret-key"), std::string::npos);
    EXPECT_TRUE(failure->message.starts_with("test")) << failure->message;
    return *failure;
  }

  Script script_;
  base::SystemClock clock_;
  base::ThreadPool pool_{{.threads = 1}};
  base::TimerQueue timers_{clock_};
  ModelServer server_;
  ScriptedBackend scripted_;
  std::shared_ptr<CollectedAttempt> sink_;
  io::HttpClient http_;
};

INSTANTIATE_TEST_SUITE_P(
    All, WiresTest,
    ::testing::Values(Case{Wire::kOpenAiChat, true}, Case{Wire::kOpenAiChat, false},
                      Case{Wire::kOpenAiResponses, true}, Case{Wire::kOpenAiResponses, false},
                      Case{Wire::kAnthropic, true}, Case{Wire::kAnthropic, false},
                      Case{Wire::kGoogle, true}, Case{Wire::kGoogle, false},
                      Case{Wire::kOllama, true}, Case{Wire::kOllama, false}),
    [](const auto& one) { return name_of(one.param); });

ModelRequest with_tools(std::string text) {
  ModelRequest request = user_says(std::move(text));
  request.system = "Be brief.";
  request.tools = {
      {"weather", "The weather.",
       R"({"type":"object","properties":{"city":{"type":"string"}},"required":["city"],"additionalProperties":false})"},
      {"clock", "The time.", R"({"type":"object","properties":{}})"}};
  return request;
}

TEST_P(WiresTest, Text) {
  check(user_says("hello"));
  const std::string streamed = GetParam().stream ? "Hello, Wörld 👋! How are you?" : "";
  EXPECT_EQ(sink_->text(), streamed);
}

TEST_P(WiresTest, TheServerUnderstandsWhatWasMeant) {
  ModelRequest request = with_tools("hello");
  request.temperature = 0.5;
  request.stop = {"END"};
  check(request);
  const ModelRequest seen = server_.understood().at(0);
  EXPECT_EQ(seen.system, "Be brief.");
  EXPECT_EQ(seen.messages, request.messages);
  ASSERT_EQ(seen.tools.size(), 2U);
  EXPECT_EQ(seen.tools[0].name, "weather");
  EXPECT_EQ(seen.tools[0].description, "The weather.");
  EXPECT_EQ(seen.stream, GetParam().stream);
}

TEST_P(WiresTest, ParallelToolCalls) { check(with_tools("the weather?")); }
TEST_P(WiresTest, ACallWithoutText) { check(with_tools("one call")); }

TEST_P(WiresTest, ResultsOfTools) {
  ModelRequest request = with_tools("the weather?");
  const AttemptEnd first = check(request);
  ASSERT_TRUE(first.answered());
  request.messages.push_back(std::get<ModelAnswer>(first.result).message);
  model::Message results{Role::kUser, {}};
  for (const model::Part& part : request.messages.back().parts) {
    const auto* call = std::get_if<ToolCall>(&part);
    if (call == nullptr) continue;
    EXPECT_FALSE(call->id.empty());
    const bool failed = results.parts.size() == 1;
    results.parts.emplace_back(ToolResult{call->id, {Text{"sunny"}}, failed});
  }
  EXPECT_EQ(results.parts.size(), 3U);
  request.messages.push_back(results);
  check(request);
}

TEST_P(WiresTest, CallsWithTheSameIdStillGetTheirResults) {
  ModelRequest request = with_tools("twins");
  const AttemptEnd first = check(request);
  ASSERT_TRUE(first.answered());
  request.messages.push_back(std::get<ModelAnswer>(first.result).message);
  model::Message results{Role::kUser, {}};
  for (const model::Part& part : request.messages.back().parts) {
    const auto* call = std::get_if<ToolCall>(&part);
    if (call != nullptr) results.parts.emplace_back(ToolResult{call->id, {Text{"noon"}}});
  }
  EXPECT_EQ(results.parts.size(), 2U);
  request.messages.push_back(results);
  EXPECT_TRUE(over_the_wire(request).answered()) << server_.counts().last_rejection;
}

TEST_P(WiresTest, ATranscriptThatEndedInTheMiddle) {
  ModelRequest request = with_tools("hello");
  request.messages.push_back({Role::kAssistant, {ToolCall{"a b/c", "weather", "not json"}}});
  request.messages.push_back({Role::kUser, {Text{"hello again"}}});
  request.messages.push_back({Role::kAssistant, {Text{""}}});
  request.messages.push_back({Role::kAssistant, {Text{"  "}}});
  request.messages.push_back({Role::kUser, {ToolResult{"unknown", {Text{"x"}}}, Text{"hello"}}});
  const AttemptEnd got = over_the_wire(request);
  EXPECT_TRUE(got.answered()) << server_.counts().last_rejection;
  EXPECT_EQ(server_.counts().rejected, 0U) << server_.counts().last_rejection;
}

TEST_P(WiresTest, AnEmptyTranscript) {
  const AttemptEnd got = over_the_wire({});
  EXPECT_EQ(server_.counts().rejected, 0U) << server_.counts().last_rejection;
  (void)got;
}

TEST_P(WiresTest, Refusal) {
  // Ollama has no word for it.
  if (wire() != Wire::kOllama) check(user_says("refuse"));
}

TEST_P(WiresTest, Length) { check(user_says("long")); }
TEST_P(WiresTest, AnEmptyAnswer) { check(user_says("nothing")); }

TEST_P(WiresTest, Usage) {
  const AttemptEnd got = check(user_says("used"));
  ASSERT_TRUE(got.answered());
  const Usage usage = std::get<ModelAnswer>(got.result).usage;
  EXPECT_TRUE(usage.known);
  EXPECT_EQ(usage.input, 100);
  EXPECT_EQ(usage.cache_read, wire() == Wire::kOllama ? 0 : 20);
}

TEST_P(WiresTest, Reasoning) { check(user_says("think")); }

TEST_P(WiresTest, AnImage) {
  ModelRequest request = user_says("picture");
  request.messages[0].parts.emplace_back(Image{"image/png", std::string("\x89PNG\0\xff", 6)});
  check(request);
  const auto seen = server_.understood().at(0).messages.at(0);
  EXPECT_EQ(seen.parts, request.messages[0].parts);
}

TEST_P(WiresTest, CutAnswers) {
  for (const char* text : {"cut after 0", "cut after 2", "cut at the end", "cut call", "length"}) {
    EXPECT_EQ(check_failure(text).kind, FailureKind::kCut) << text;
  }
}

TEST_P(WiresTest, AnswersThatMakeNoSense) {
  EXPECT_EQ(check_failure("half json").kind, FailureKind::kMalformed);
  EXPECT_EQ(check_failure("no events").kind, FailureKind::kMalformed);
  EXPECT_EQ(check_failure("page").kind, FailureKind::kMisconfigured);
}

TEST_P(WiresTest, RetryAfter) {
  const Failure failure = check_failure("slower");
  EXPECT_EQ(failure.retry_after, std::chrono::seconds(7));
  EXPECT_EQ(failure.status, 429);
}

// A script with an answer of more than half a megabyte in one piece.
std::string huge_script() {
  std::string text;
  while (text.size() < 600'000) text += R"(0123456789 \"äöü\" \\ \n)";
  return "rules:\n- {match: {user: huge}, chunk: 1000000, reply: \"" + text + "\"}\n";
}

class HugeTest : public WiresTest {
 protected:
  HugeTest() : WiresTest(huge_script()) {}
};
INSTANTIATE_TEST_SUITE_P(All, HugeTest,
                         ::testing::Values(Case{Wire::kOpenAiChat, true},
                                           Case{Wire::kOpenAiResponses, true},
                                           Case{Wire::kAnthropic, true}, Case{Wire::kGoogle, true},
                                           Case{Wire::kOllama, true},
                                           Case{Wire::kAnthropic, false}),
                         [](const auto& one) { return name_of(one.param); });

TEST_P(HugeTest, AHugeDelta) {
  const AttemptEnd got = check(user_says("huge"));
  EXPECT_GT(shown(got).dump().size(), 600'000U);
}

class WireErrorsTest : public WiresTest {
 protected:
  WireErrorsTest() : WiresTest(errors()) {}
  static std::string errors() {
    std::string script = "rules:\n";
    for (const char* kind : kKinds) {
      script += std::string("- {match: {user: ") + kind + "}, error: " + kind + "}\n";
    }
    return script;
  }
  static constexpr const char* kKinds[] = {
      "rate_limited", "overloaded",    "connection",       "cut",         "malformed",    "quota",
      "bad_key",      "unknown_model", "context_too_long", "bad_request", "misconfigured"};
};
INSTANTIATE_TEST_SUITE_P(All, WireErrorsTest,
                         ::testing::Values(Case{Wire::kOpenAiChat, true},
                                           Case{Wire::kOpenAiResponses, false},
                                           Case{Wire::kAnthropic, true}, Case{Wire::kGoogle, false},
                                           Case{Wire::kOllama, true}),
                         [](const auto& one) { return name_of(one.param); });

TEST_P(WireErrorsTest, EveryKindIsRecognised) {
  for (const std::string kind : kKinds) {
    // A server on this machine knows neither credit nor windows.
    if (wire() == Wire::kOllama && (kind == "quota" || kind == "context_too_long")) continue;
    EXPECT_EQ(to_string(check_failure(kind).kind), kind);
  }
}

}  // namespace
}  // namespace clever::provider
