#include "provider/replay/cassette.h"

#include <gtest/gtest.h>

#include "support/collected_attempt.h"
#include "support/temporary_directory.h"

namespace clever::provider {
namespace {

using model::Image;
using model::Reasoning;
using model::Role;
using model::Text;
using model::ToolCall;
using model::ToolResult;
using test::user_says;

// A conversation with everything, in which the call has this id.
ModelRequest conversation(const std::string& id) {
  ModelRequest request = user_says("look");
  request.system = "Be brief.";
  request.tools = {{.name = "read", .description = "Reads.", .parameters = R"({"b":1,"a":2})"}};
  request.tool_choice = ToolChoice::kRequired;
  request.temperature = 0.5;
  request.stop = {"END"};
  request.reasoning_effort = "low";
  request.answer_schema = R"({"type":"object"})";
  request.messages[0].parts.push_back(Image{"image/png", "bytes"});
  request.messages.push_back({Role::kAssistant,
                              {Reasoning{"hm", "signature-" + id, "anthropic"},
                               ToolCall{id, "read", R"({ "z": 1, "a": [true] })", "sig-" + id}}});
  request.messages.push_back(
      {Role::kUser, {ToolResult{id, {Text{"content"}, Image{"image/png", "b"}}, true}}});
  return request;
}

std::string canonical(const ModelRequest& request) {
  const base::Redactor redactor;
  return canonical_request("openai", "gpt", request, redactor);
}

TEST(CanonicalRequest, DoesNotDependOnIdsAndSignatures) {
  EXPECT_EQ(canonical(conversation("a")), canonical(conversation("b")));
}

TEST(CanonicalRequest, DoesNotDependOnStreamingAndCaching) {
  ModelRequest other = conversation("a");
  other.stream = false;
  other.cache_prompt = false;
  EXPECT_EQ(canonical(conversation("a")), canonical(other));
}

TEST(CanonicalRequest, ShowsWhatMatters) {
  EXPECT_EQ(
      canonical(conversation("a")),
      R"({"answer_schema":{"type":"object"},"max_output_tokens":4096,"messages":[{"parts":[{"text":"look"},)"
      R"({"bytes":5,"image":"image/png","sha256":"277089d91c0bdf4f2e6862ba7e4a07605119431f5d13f726dd352b06f1b206a9"}],"role":"user"},)"
      R"({"parts":[{"reasoning":"hm"},{"arguments":{"a":[true],"z":1},"call":"call_1","name":"read"}],"role":"assistant"},)"
      R"({"parts":[{"content":[{"text":"content"},{"bytes":1,"image":"image/png","sha256":"3e23e8160039594a33894f6564e1b1348bbd7a0088d42c4acb73eeaed59c009d"}],"failed":true,"result_of":"call_1"}],"role":"user"}],)"
      R"("model":"openai/gpt","reasoning_effort":"low","stop":["END"],"system":"Be brief.","temperature":0.5,"tool_choice":"required",)"
      R"("tools":[{"description":"Reads.","name":"read","parameters":{"a":2,"b":1}}]})");
}

TEST(CanonicalRequest, EveryDifferenceThatMattersIsSeen) {
  const std::string one = canonical(user_says("x"));
  EXPECT_NE(one, canonical(user_says("y")));
  ModelRequest other = user_says("x");
  other.system = "s";
  EXPECT_NE(one, canonical(other));
  other = user_says("x");
  other.max_output_tokens = 1;
  EXPECT_NE(one, canonical(other));
}

TEST(CanonicalRequest, ArgumentsThatAreNoJsonAreText) {
  ModelRequest request = user_says("x");
  const std::string deep = std::string(100'000, '[');
  request.messages.push_back(
      {Role::kAssistant, {ToolCall{"1", "f", "{no"}, ToolCall{"2", "f", deep}}});
  const std::string text = canonical(request);
  EXPECT_NE(text.find(R"("arguments":"{no")"), std::string::npos);
  EXPECT_NE(text.find("\"arguments\":\"[[["), std::string::npos);
}

TEST(CanonicalRequest, HoldsNoSecret) {
  base::Redactor redactor;
  redactor.add("correct-horse-battery");
  ModelRequest request = user_says(
      "key sk-abcdefghijklmnopqrstuvwxyz0123456789ABCD and "
      "correct-horse-battery");
  request.messages.push_back(
      {Role::kAssistant, {ToolCall{"1", "login", R"({"password":"hunter2hunter2"})"}}});
  const std::string text = canonical_request("openai", "gpt", request, redactor);
  EXPECT_EQ(text.find("sk-abc"), std::string::npos);
  EXPECT_EQ(text.find("correct-horse"), std::string::npos);
  EXPECT_EQ(text.find("hunter2"), std::string::npos);
}

CassetteEntry entry_of(const std::string& said, std::variant<ModelAnswer, Failure> result) {
  const std::string request = canonical(user_says(said));
  return {request, base::sha256(request), std::move(result)};
}
ModelAnswer full_answer() {
  ModelAnswer answer;
  answer.message.parts = {Reasoning{"hm", "opaque", "anthropic"}, Text{"Ä line\n\"quoted\""},
                          ToolCall{"id1", "read", "{\"path\":\"a\"}", "sig"}};
  answer.stop = StopReason::kToolCalls;
  answer.stop_detail = "tool_use";
  answer.refusal = "r";
  answer.usage = {1, 2, 3, 4, 5, true};
  answer.model = "gpt-5";
  answer.id = "resp_1";
  return answer;
}
std::string tape(const std::vector<CassetteEntry>& entries) {
  const base::Redactor redactor;
  std::string text = cassette_header();
  for (const CassetteEntry& entry : entries) text += to_line(entry, redactor);
  return text;
}

// An index that was not ready, a decision that another plan has made since.
TEST(CanonicalRequest, ContextDoesNotChangeTheRequest) {
  const auto asked = [](std::string found, std::string task) {
    ModelRequest request;
    request.messages = {{model::Role::kUser, {Text{std::move(found)}, Text{std::move(task)}}}};
    request.found_parts = 1;
    return canonical(request);
  };
  EXPECT_EQ(asked("these files", "the task"), asked("those files", "the task"));
  EXPECT_NE(asked("these files", "the task"), asked("these files", "another"));
}

TEST(Cassette, KnowsWhomItAnswersFor) {
  const auto cassette =
      Cassette::parse(tape({entry_of("x", full_answer()), entry_of("y", full_answer())}), "c")
          .value();
  const auto name = cassette.models();
  ASSERT_EQ(name.size(), 1U);
  EXPECT_TRUE(canonical(user_says("x")).contains("\"model\":\"" + name[0] + "\"")) << name[0];
  EXPECT_TRUE(Cassette{}.models().empty());
}

TEST(Cassette, AnswersComeBackAsTheyWere) {
  const auto cassette = Cassette::parse(tape({entry_of("x", full_answer())}), "c").value();
  ASSERT_EQ(cassette.entries.size(), 1U);
  EXPECT_EQ(std::get<ModelAnswer>(cassette.entries[0].result), full_answer());
  EXPECT_EQ(cassette.entries[0].request, canonical(user_says("x")));
  EXPECT_EQ(cassette.entries[0].digest, base::sha256(cassette.entries[0].request));
  EXPECT_FALSE(cassette.cut_off);
}

TEST(Cassette, FailuresComeBackAsTheyWere) {
  const Failure failure{.kind = FailureKind::kQuota,
                        .message = "openai: no credit",
                        .status = 429,
                        .retry_after = std::chrono::milliseconds(5),
                        .request_id = "req"};
  const auto cassette = Cassette::parse(tape({entry_of("x", failure)}), "c").value();
  EXPECT_EQ(std::get<Failure>(cassette.entries[0].result), failure);
}

TEST(Cassette, AnswersHoldNoSecret) {
  base::Redactor redactor;
  redactor.add("correct-horse-battery");
  ModelAnswer answer;
  answer.message.parts = {Text{"it is correct-horse-battery"}};
  const std::string line = to_line(entry_of("x", answer), redactor);
  EXPECT_EQ(line.find("correct-horse"), std::string::npos);
}

TEST(Cassette, ReplaysTextThatLooksLikeASecret) {
  ModelAnswer answer;
  answer.message.parts = {
      Text{"password: str, api_key = settings.key"},
      ToolCall{"1", "write_file",
               R"({"path":"a.py","content":"def f(password: str, token: str"})"}};
  const base::Redactor redactor;
  const std::string line = to_line(entry_of("x", answer), redactor);
  const auto cassette = Cassette::parse(cassette_header() + line, "c").value();
  EXPECT_EQ(std::get<ModelAnswer>(cassette.entries.at(0).result), answer);
}

TEST(Cassette, ACallWithAKnownSecretCannotRunAgain) {
  base::Redactor redactor;
  redactor.add("correct-horse-battery");
  ModelAnswer answer;
  answer.message.parts = {
      ToolCall{"1", "write_file", R"({"path":"a","content":"correct-horse-battery"})"}};
  const std::string line = to_line(entry_of("x", answer), redactor);
  const auto cassette = Cassette::parse(cassette_header() + line, "c").value();
  const auto& replayed = std::get<ModelAnswer>(cassette.entries.at(0).result);
  EXPECT_EQ(std::get<ToolCall>(replayed.message.parts.at(0)).arguments, "\"[secret-withheld]\"");
}

TEST(Cassette, EveryBeginningOfOneIsOne) {
  const std::string whole = tape({entry_of("x", full_answer()), entry_of("y", Failure{})});
  const std::string first = tape({entry_of("x", full_answer())});
  for (std::size_t size = 1; size < whole.size(); ++size) {
    const auto cassette = Cassette::parse(whole.substr(0, size), "c");
    ASSERT_TRUE(cassette.ok()) << size << ": " << cassette.error().to_string();
    EXPECT_EQ(cassette->entries.size(), size < first.size() ? 0U : 1U);
    const bool at_line_end = size == cassette_header().size() || size == first.size();
    EXPECT_EQ(cassette->cut_off, !at_line_end);
  }
}

void check_cassette_wrong(const std::string& text, std::string_view expected) {
  const auto cassette = Cassette::parse(text, "c");
  ASSERT_FALSE(cassette.ok()) << text;
  EXPECT_EQ(cassette.error().code(), base::ErrorCode::kInvalidArgument);
  EXPECT_NE(cassette.error().sentence().find(expected), std::string::npos)
      << cassette.error().sentence();
}

// A cassette whose only entry has this in place of the answer.
std::string with_result(const std::string& result) {
  const std::string request = canonical(user_says("x"));
  return cassette_header() + "{\"request\":" + request + ",\"sha256\":\"" +
         base::sha256(request).to_hex() + "\"," + result + "}\n";
}
std::string with_answer(std::string_view key, std::string_view value) {
  std::string answer =
      R"("answer":{"parts":[],"stop":"end","usage":{"input":1,"output":1,"cache_read":0,"cache_write":0,"reasoning":0,"known":true}})";
  const std::size_t at = answer.find("\"" + std::string(key) + "\":");
  const std::size_t begin = at + key.size() + 3;
  answer.replace(begin, answer.find_first_of(",}", begin) - begin, value);
  return with_result(answer);
}

TEST(Cassette, MistakesNameLineAndKey) {
  check_cassette_wrong("", "c: is empty");
  check_cassette_wrong("hello\n", "c:1: must be one JSON object");
  check_cassette_wrong("{}\n", "c:1: not a cassette");
  check_cassette_wrong("{\"cassette\":2}\n", "c:1: \"cassette\": version 2 is not supported");
  check_cassette_wrong(cassette_header() + "[]\n", "c:2: must be one JSON object");
  check_cassette_wrong(cassette_header() + std::string(1000, '[') + "\n",
                       "c:2: must be one JSON object");
  check_cassette_wrong(cassette_header() + "{}\n", "c:2: \"request\" must be an object");
  check_cassette_wrong(cassette_header() + "{\"request\":{},\"sha256\":3}\n",
                       "c:2: \"sha256\" does not match");
  check_cassette_wrong(with_result("\"x\":1"), "c:2: \"answer\" or \"failure\" is missing");
  check_cassette_wrong(with_result("\"answer\":3"),
                       "c:2: \"answer\": the key \"parts\" is missing");
  check_cassette_wrong(with_answer("parts", "3"), "c:2: \"answer\": \"parts\" must be a list");
  check_cassette_wrong(with_answer("parts", "[3]"), "\"parts\" must be a list of objects");
  check_cassette_wrong(with_answer("parts", "[{}]"), "objects with text, reasoning or call");
  check_cassette_wrong(with_answer("parts", "[{\"text\":3}]"), "\"text\" must be a text");
  check_cassette_wrong(with_answer("parts", "[{\"call\":\"x\"}]"), "the key \"name\" is missing");
  check_cassette_wrong(with_answer("stop", "\"now\""), "\"stop\" must be one of");
  check_cassette_wrong(with_answer("input", "\"1\""), "\"input\" must be a whole number");
  check_cassette_wrong(with_answer("known", "1"), "\"known\" must be true or false");
  check_cassette_wrong(with_result(R"("failure":{"kind":"x"})"),
                       "\"kind\" must be the name of a kind");
  check_cassette_wrong(with_result(R"("failure":{"kind":"quota","message":"m","status":9999})"),
                       "\"status\" must be an HTTP status");
}

TEST(Cassette, AFailureNeedsOnlyItsEssentials) {
  EXPECT_TRUE(Cassette::parse(with_answer("input", "7"), "c").ok());
  EXPECT_TRUE(
      Cassette::parse(with_result(R"("failure":{"kind":"quota","message":"m","status":0})"), "c")
          .ok());
}

TEST(Cassette, IsLoadedFromAFile) {
  const test::TemporaryDirectory folder;
  EXPECT_EQ(Cassette::load(folder.write("c", cassette_header()))->entries.size(), 0U);
  EXPECT_EQ(Cassette::load(folder / "none").error().code(), base::ErrorCode::kNotFound);
}

TEST(RequestDifference, ShowsTheLinesThatDiffer) {
  const std::string difference =
      request_difference(canonical(user_says("look at a")), canonical(user_says("look at b")));
  EXPECT_NE(difference.find("-           \"text\": \"look at a\"\n"), std::string::npos)
      << difference;
  EXPECT_NE(difference.find("+           \"text\": \"look at b\"\n"), std::string::npos);
  EXPECT_EQ(difference.find("max_output_tokens"), std::string::npos);
}

TEST(RequestDifference, ShowsThePlaceInALongLine) {
  const std::string same(1000, 'x');
  const std::string difference =
      request_difference(canonical(user_says(same + "ä1")), canonical(user_says(same + "ä2")));
  EXPECT_NE(difference.find("ä1\""), std::string::npos) << difference;
  EXPECT_NE(difference.find("ä2\""), std::string::npos);
  EXPECT_LT(difference.size(), 1000U);
}

TEST(RequestDifference, IsBounded) {
  ModelRequest other = user_says("x");
  for (int i = 0; i < 1000; ++i) other.messages.push_back(user_says(std::to_string(i)).messages[0]);
  const std::string difference = request_difference(canonical(user_says("y")), canonical(other));
  EXPECT_NE(difference.find("… and more"), std::string::npos);
  EXPECT_LT(difference.size(), 10'000U);
}

TEST(RequestDifference, OfTextThatIsNotJsonIsTotal) {
  EXPECT_EQ(request_difference("a", "b"), "- a\n+ b\n");
}

}  // namespace
}  // namespace clever::provider
