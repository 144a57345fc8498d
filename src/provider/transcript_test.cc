#include "provider/transcript.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "base/utf8.h"
#include "provider/testing/wire_random_transcript.h"
#include "support/messages.h"

namespace clever::provider {
namespace {

using model::Image;
using model::Message;
using model::Part;
using model::Reasoning;
using model::Role;
using model::Text;
using model::ToolCall;
using model::ToolResult;
using testing::HasSubstr;

using test::assistant_message;
using test::read_call;
using test::read_result;
using test::user_message;

using Messages = std::vector<Message>;

TEST(Transcript, LeavesAGoodOneAlone) {
  const Messages good = {
      user_message({Text{"read it"}}),
      assistant_message(
          {Reasoning{"hm", "sig", "anthropic"}, Text{"Reading."}, read_call("a"), read_call("b")}),
      user_message({read_result("a", "1"), read_result("b", "2"), Text{"and now?"}}),
      assistant_message({Text{"Done."}}), user_message({Text{"thanks"}})};
  EXPECT_EQ(acceptable(good), good);
}

TEST(Transcript, AnEmptyOneBecomesTheUsersOpening) {
  EXPECT_EQ(acceptable({}), Messages({user_message({Text{"Begin."}})}));
}

TEST(Transcript, TheUserSpeaksFirstAndLast) {
  EXPECT_EQ(acceptable({assistant_message({Text{"hello"}})}),
            Messages({user_message({Text{"Begin."}}), assistant_message({Text{"hello"}}),
                      user_message({Text{"Continue."}})}));
}

TEST(Transcript, NeighboursOfOneRoleAreOneMessage) {
  EXPECT_EQ(acceptable({user_message({Text{"a"}}), user_message({Text{"b"}})}),
            Messages({user_message({Text{"a"}, Text{"b"}})}));
}

TEST(Transcript, ACallWithoutAResultGetsAFailedOne) {
  const Messages fixed = acceptable(
      {user_message({Text{"x"}}), assistant_message({read_call("a")}), user_message({Text{"y"}})});
  ASSERT_EQ(fixed.size(), 3U);
  const auto& made = std::get<ToolResult>(fixed[2].parts[0]);
  EXPECT_EQ(made.call, "a");
  EXPECT_TRUE(made.failed);
  EXPECT_THAT(std::get<Text>(made.content[0]).text, HasSubstr("interrupted"));
  EXPECT_EQ(fixed[2].parts[1], Part(Text{"y"}));
}

TEST(Transcript, ACallAtTheEndGetsItsResultInAMessageOfItsOwn) {
  const Messages fixed =
      acceptable({user_message({Text{"x"}}), assistant_message({read_call("a")})});
  ASSERT_EQ(fixed.size(), 3U);
  EXPECT_EQ(fixed[2].parts.size(), 1U);
}

TEST(Transcript, ResultsComeFirstAndInTheOrderOfTheCalls) {
  EXPECT_EQ(
      acceptable({user_message({Text{"x"}}), assistant_message({read_call("a"), read_call("b")}),
                  user_message({Text{"y"}, read_result("b", "2"), read_result("a", "1")})})[2],
      user_message({read_result("a", "1"), read_result("b", "2"), Text{"y"}}));
}

TEST(Transcript, OfSeveralResultsTheFirstCounts) {
  EXPECT_EQ(acceptable({user_message({Text{"x"}}), assistant_message({read_call("a")}),
                        user_message({read_result("a", "1"), read_result("a", "2")})})[2],
            user_message({read_result("a", "1")}));
}

TEST(Transcript, ALateResultIsBroughtBackToItsCall) {
  const Messages fixed =
      acceptable({user_message({Text{"x"}}), assistant_message({read_call("a"), read_call("b")}),
                  user_message({read_result("a", "1")}), assistant_message({Text{"wait"}}),
                  user_message({read_result("b", "2")})});
  EXPECT_EQ(fixed[2], user_message({read_result("a", "1"), read_result("b", "2")}));
  EXPECT_EQ(fixed[4], user_message({Text{"Continue."}}));
}

TEST(Transcript, AResultWithoutACallBecomesTextOfTheUser) {
  const Messages fixed = acceptable({user_message({read_result("gone", "42")})});
  ASSERT_EQ(fixed.size(), 1U);
  EXPECT_THAT(std::get<Text>(fixed[0].parts[0]).text, HasSubstr("not part of this conversation"));
  EXPECT_EQ(fixed[0].parts[1], Part(Text{"42"}));
}

TEST(Transcript, EqualIdsBecomeUniqueAndTheirResultsFollowInOrder) {
  const Messages fixed = acceptable(
      {user_message({Text{"x"}}),
       assistant_message({read_call("a"), read_call("a"), read_call("")}),
       user_message({read_result("a", "1"), read_result("a", "2"), read_result("", "3")})});
  EXPECT_EQ(fixed[1], assistant_message({read_call("a"), read_call("a_2"), read_call("call_1")}));
  EXPECT_EQ(fixed[2], user_message({read_result("a", "1"), read_result("a_2", "2"),
                                    read_result("call_1", "3")}));
}

TEST(Transcript, AnIdUsedInTwoTurnsBelongsToTheLatestCall) {
  const Messages fixed = acceptable(
      {user_message({Text{"x"}}), assistant_message({read_call("a")}), user_message({Text{"stop"}}),
       assistant_message({read_call("a")}), user_message({read_result("a", "second")})});
  EXPECT_TRUE(std::get<ToolResult>(fixed[2].parts[0]).failed);
  EXPECT_EQ(fixed[4], user_message({read_result("a_2", "second")}));
}

TEST(Transcript, IdsAndNamesGetOnlyCharactersThatAllTake) {
  const Messages fixed =
      acceptable({user_message({Text{"x"}}),
                  assistant_message({ToolCall{"c.1/ü", "fs.read file", "{}", ""}})});
  const auto& made = std::get<ToolCall>(fixed[1].parts[0]);
  EXPECT_EQ(made.id, "c_1___");
  EXPECT_EQ(made.name, "fs_read_file");
}

TEST(Transcript, PartsOfTheOtherRoleAreDropped) {
  EXPECT_EQ(acceptable({user_message({read_call("a"), Reasoning{"r", "", ""}, Text{"x"}}),
                        assistant_message({Image{"image/png", "p"}, Text{"y"}}),
                        user_message({Text{"z"}})}),
            Messages({user_message({Text{"x"}}), assistant_message({Text{"y"}}),
                      user_message({Text{"z"}})}));
}

TEST(Transcript, BlankTextIsDropped) {
  EXPECT_EQ(acceptable({user_message({Text{" \n"}, Text{"x"}, Text{"\xC2\xA0"}})}),
            Messages({user_message({Text{"x"}})}));
}

TEST(Transcript, ReasoningAloneIsDropped) {
  EXPECT_EQ(
      acceptable({user_message({Text{"x"}}), assistant_message({Reasoning{"hm", "s", "anthropic"}}),
                  user_message({Text{"y"}})}),
      Messages({user_message({Text{"x"}, Text{"y"}})}));
}

TEST(Transcript, AResultWithoutContentSaysSo) {
  EXPECT_EQ(acceptable({user_message({Text{"x"}}), assistant_message({read_call("a")}),
                        user_message({ToolResult{"a", {}, false}})})[2],
            user_message({read_result("a", "(no output)")}));
}

TEST(Transcript, AnImageThatCannotBeSentIsANote) {
  EXPECT_EQ(
      acceptable({user_message({Image{"image/bmp", "x"}, Image{"image/png", ""}})}),
      Messages({user_message({Text{"[an image of the kind \"image/bmp\", which cannot be shown]"},
                              Text{"[an image without content]"}})}));
}

TEST(Transcript, BytesThatAreNoTextAreReplaced) {
  EXPECT_EQ(acceptable({user_message({Text{"a\xFF"}})}),
            Messages({user_message({Text{"a\xEF\xBF\xBD"}})}));
}

TEST(Transcript, AThousandEqualIdsAreNoTrouble) {
  std::vector<Part> calls;
  for (int i = 0; i < 1000; ++i) calls.emplace_back(read_call("same"));
  const Messages fixed = acceptable({user_message({Text{"x"}}), assistant_message(calls)});
  EXPECT_EQ(std::get<ToolCall>(fixed[1].parts[999]).id, "same_1000");
}

TEST(ArgumentsObject, KeepsAnObjectAndWrapsAnythingElse) {
  EXPECT_EQ(arguments_object(R"({"a": 1})"), R"({"a": 1})");
  EXPECT_EQ(arguments_object("  "), "{}");
  EXPECT_EQ(arguments_object("[1]"), R"({"unreadable_arguments":"[1]"})");
  EXPECT_EQ(arguments_object("{\"a"), R"({"unreadable_arguments":"{\"a"})");
}

TEST(ArgumentsObject, WrapsWhatIsNestedTooDeeply) {
  const std::string deep = std::string(5000, '[') + std::string(5000, ']');
  EXPECT_THAT(arguments_object("{\"a\":" + deep + "}"), HasSubstr("unreadable_arguments"));
}

// ---- properties --------------------------------------------------------------------------------

bool is_word(const std::string& text) {
  return !text.empty() && text.size() <= 64 && std::ranges::all_of(text, [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-';
  });
}

void check_text(const std::string& text) {
  RC_ASSERT(base::is_utf8(text));
  RC_ASSERT(text.find_first_not_of(" \t\r\n") != std::string::npos);
}

void check_image(const Image& image) {
  RC_ASSERT(!image.bytes.empty());
  RC_ASSERT(image.media_type == "image/png" || image.media_type == "image/jpeg" ||
            image.media_type == "image/gif" || image.media_type == "image/webp");
}

void check_content(const ToolResult& one) {
  RC_ASSERT(!one.content.empty());
  for (const auto& part : one.content) {
    if (const auto* text = std::get_if<Text>(&part)) check_text(text->text);
    if (const auto* image = std::get_if<Image>(&part)) check_image(*image);
  }
}

std::vector<std::string> calls_of(const Message& message) {
  std::vector<std::string> ids;
  for (const Part& part : message.parts) {
    if (const auto* one = std::get_if<ToolCall>(&part)) ids.push_back(one->id);
  }
  return ids;
}

// The results must lead the message: those after another part are reported as a strange id.
std::vector<std::string> results_of(const Message& message) {
  std::vector<std::string> ids;
  bool others = false;
  for (const Part& part : message.parts) {
    const auto* one = std::get_if<ToolResult>(&part);
    others = others || one == nullptr;
    if (one != nullptr) ids.push_back(others ? "(not at the front)" : one->call);
  }
  return ids;
}

void check_part(Role role, const Part& part) {
  if (const auto* text = std::get_if<Text>(&part)) return check_text(text->text);
  if (const auto* image = std::get_if<Image>(&part)) {
    RC_ASSERT(role == Role::kUser);
    return check_image(*image);
  }
  if (const auto* one = std::get_if<ToolResult>(&part)) {
    RC_ASSERT(role == Role::kUser);
    return check_content(*one);
  }
  RC_ASSERT(role == Role::kAssistant);
  if (const auto* one = std::get_if<ToolCall>(&part)) {
    RC_ASSERT(is_word(one->id));
    RC_ASSERT(is_word(one->name));
    RC_ASSERT(base::is_utf8(one->arguments));
  }
}

void check_transcript(const Messages& messages) {
  RC_ASSERT(!messages.empty());
  RC_ASSERT(messages.size() % 2 == 1U);
  std::set<std::string> ids;
  std::vector<std::string> waiting;
  for (std::size_t i = 0; i < messages.size(); ++i) {
    const Message& message = messages[i];
    RC_ASSERT(message.role == (i % 2 == 0 ? Role::kUser : Role::kAssistant));
    RC_ASSERT(!message.parts.empty());
    RC_ASSERT(!std::holds_alternative<Reasoning>(message.parts.back()));
    RC_ASSERT(results_of(message) == waiting);
    for (const Part& part : message.parts) check_part(message.role, part);
    waiting = calls_of(message);
    for (const std::string& id : waiting) RC_ASSERT(ids.insert(id).second);
  }
}

TEST(TranscriptProperties, AnyTranscriptBecomesAcceptable) {
  EXPECT_TRUE(rc::check([] { check_transcript(acceptable(*internal::random_transcript())); }));
}

TEST(TranscriptProperties, DoingItTwiceIsDoingItOnce) {
  EXPECT_TRUE(rc::check([] {
    const Messages once = acceptable(*internal::random_transcript());
    RC_ASSERT(acceptable(once) == once);
  }));
}

TEST(TranscriptProperties, ArgumentsAreAlwaysAnObject) {
  EXPECT_TRUE(rc::check([] {
    const std::string object = arguments_object(*internal::random_arguments());
    RC_ASSERT(nlohmann::json::parse(object, nullptr, false).is_object());
  }));
}

}  // namespace
}  // namespace clever::provider
