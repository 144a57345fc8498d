#include "model/message.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>

#include "base/utf8.h"

namespace clever::model {
namespace {

using testing::HasSubstr;

std::vector<Message> one_of_each() {
  return {{Role::kUser, {Text{"hi"}, Image{"image/png", std::string("\x89PNG\0", 5)}}},
          {Role::kAssistant,
           {Reasoning{"hm", "sig", "anthropic"}, ToolCall{"a", "read", "{\"p\":1}", "opaque"}}},
          {Role::kUser, {ToolResult{"a", {Text{"x"}, Image{"image/gif", "G"}}, true}}}};
}

TEST(MessageJson, IsPlain) {
  EXPECT_EQ(
      to_json(one_of_each()),
      R"([{"parts":[{"text":"hi","type":"text"},{"data":"iVBORwA=","media_type":"image/png","type":"image"}],"role":"user"},)"
      R"({"parts":[{"opaque":"sig","text":"hm","type":"reasoning","wire":"anthropic"},)"
      R"({"arguments":"{\"p\":1}","id":"a","name":"read","opaque":"opaque","type":"tool_call"}],"role":"assistant"},)"
      R"({"parts":[{"call":"a","content":[{"text":"x","type":"text"},{"data":"Rw==","media_type":"image/gif","type":"image"}],"failed":true,"type":"tool_result"}],"role":"user"}])");
}

TEST(MessageJson, IsReadBack) {
  EXPECT_EQ(messages_from_json(to_json(one_of_each())).value(), one_of_each());
  EXPECT_EQ(messages_from_json("[]").value(), std::vector<Message>());
}

TEST(MessageJson, ReplacesInvalidText) {
  const std::vector<Message> strange = {{Role::kUser, {Text{std::string("a\0b\xFF", 4)}}}};
  EXPECT_EQ(messages_from_json(to_json(strange)).value()[0].parts[0], Part(Text{"a\xEF\xBF\xBD"
                                                                                "b\xEF\xBF\xBD"}));
}

TEST(MessageJson, KeysThatAreNotKnownAreIgnored) {
  EXPECT_TRUE(messages_from_json(
                  R"([{"role":"user","parts":[{"type":"text","text":"x","new":1}],"new":2}])")
                  .ok());
}

std::string error(std::string_view text) {
  const auto read = messages_from_json(text);
  return read.ok() ? "read" : read.error().sentence();
}

TEST(MessageJson, MistakesAreNamedWithTheirPlace) {
  EXPECT_EQ(error("nonsense"), "messages: not valid JSON");
  EXPECT_EQ(error("{}"), "messages must be an array, not object");
  EXPECT_EQ(error("[1]"), "messages[0] must be an object, not number");
  EXPECT_EQ(error("[{}]"), "messages[0].role must be a string, not null");
  EXPECT_EQ(error(R"([{"role":"system","parts":[]}])"),
            "messages[0].role is \"system\"; it is \"user\" or \"assistant\"");
  EXPECT_EQ(error(R"([{"role":"user"}])"), "messages[0].parts must be an array, not null");
  EXPECT_EQ(error(R"([{"role":"user","parts":[{"type":"text"}]}])"),
            "messages[0].parts[0].text must be a string, not null");
  EXPECT_THAT(error(R"([{"role":"user","parts":[{"type":"video"}]}])"),
              HasSubstr("messages[0].parts[0].type is \"video\"; it is one of text, image"));
  EXPECT_EQ(
      error(R"([{"role":"user","parts":[{"type":"image","media_type":"image/png","data":"?"}]}])"),
      "messages[0].parts[0].data: character 1 is not base64");
  EXPECT_THAT(
      error(
          R"([{"role":"user","parts":[{"type":"tool_result","call":"a","content":[{"type":"tool_call"}]}]}])"),
      HasSubstr("messages[0].parts[0].content[0].type is \"tool_call\"; a result holds"));
  EXPECT_EQ(
      error(
          R"([{"role":"user","parts":[{"type":"tool_result","call":"a","content":[],"failed":1}]}])"),
      "messages[0].parts[0].failed must be true or false, not number");
  EXPECT_EQ(
      error(
          R"([{"role":"assistant","parts":[{"type":"tool_call","id":"a","name":"f","arguments":{}}]}])"),
      "messages[0].parts[0].arguments must be a string, not object");
  EXPECT_EQ(error(R"([{"role":"assistant","parts":[{"type":"reasoning","text":1}]}])"),
            "messages[0].parts[0].text must be a string, not number");
}

std::string storable(std::string text) {
  text = base::to_valid_utf8(text);
  std::erase(text, '\0');
  return text;
}

rc::Gen<std::string> text() { return rc::gen::map(rc::gen::arbitrary<std::string>(), storable); }

Part random_part() {
  switch (*rc::gen::inRange(0, 5)) {
    case 0:
      return Text{*text()};
    case 1:
      return Image{*text(), *rc::gen::arbitrary<std::string>()};
    case 2:
      return Reasoning{*text(), *text(), *text()};
    case 3:
      return ToolCall{*text(), *text(), *text(), *text()};
    default:
      return ToolResult{*text(),
                        {Text{*text()}, Image{*text(), *rc::gen::arbitrary<std::string>()}},
                        *rc::gen::arbitrary<bool>()};
  }
}

TEST(MessageJsonProperties, AnyMessagesAreReadBack) {
  EXPECT_TRUE(rc::check([] {
    std::vector<Message> messages(*rc::gen::inRange<std::size_t>(0, 5));
    for (Message& message : messages) {
      message.role = *rc::gen::element(Role::kUser, Role::kAssistant);
      for (int i = *rc::gen::inRange(0, 5); i > 0; --i) message.parts.push_back(random_part());
    }
    RC_ASSERT(messages_from_json(to_json(messages)).value() == messages);
  }));
}

TEST(MessageJsonProperties, AnyTextIsReadOrRefused) {
  EXPECT_TRUE(rc::check([](const std::string& noise) {
    std::string written = to_json(one_of_each());
    const std::size_t at = *rc::gen::inRange<std::size_t>(0, written.size());
    written.replace(at, 1, noise);
    const auto read = messages_from_json(written);
    const bool named = read.ok() || read.error().code() == base::ErrorCode::kInvalidArgument;
    RC_ASSERT(named);
  }));
}

}  // namespace
}  // namespace clever::model
