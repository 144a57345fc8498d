#include "mcp/internal/message.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace clever::mcp::internal {
namespace {

using MessageKind = Message::Kind;
using testing::HasSubstr;

void check_kind(std::string_view text, MessageKind kind) {
  const auto message = read_message(text);
  ASSERT_TRUE(message.ok()) << text << ": " << message.error().to_string();
  EXPECT_EQ(message->kind, kind) << text;
}

void check_message_refused(std::string_view text, std::string_view why) {
  const auto message = read_message(text);
  ASSERT_FALSE(message.ok()) << text;
  EXPECT_EQ(message.error().code(), base::ErrorCode::kCorruption);
  EXPECT_THAT(message.error().message(), HasSubstr(why));
}

TEST(Message, TellsTheFourKindsApart) {
  check_kind(R"({"jsonrpc":"2.0","id":1,"method":"ping"})", MessageKind::kRequest);
  check_kind(R"({"jsonrpc":"2.0","id":"a","method":"ping","params":{}})", MessageKind::kRequest);
  check_kind(R"({"jsonrpc":"2.0","method":"notifications/x"})", MessageKind::kNotification);
  check_kind(R"({"jsonrpc":"2.0","id":1,"result":{}})", MessageKind::kResult);
  check_kind(R"({"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"m"}})", MessageKind::kError);
  check_kind(R"({"jsonrpc":"2.0","id":null,"error":{"code":1}})", MessageKind::kError);
  check_kind(R"({"jsonrpc":"2.0","error":{"code":1}})", MessageKind::kError);
}

TEST(Message, RefusesInvalidInput) {
  check_message_refused("", "not JSON");
  check_message_refused("Server ready", "not JSON: Server ready");
  check_message_refused("[1]", "not an object");
  check_message_refused(R"({"id":1,"result":{}})", "jsonrpc");
  check_message_refused(R"({"jsonrpc":"1.0","id":1,"result":{}})", "jsonrpc");
  check_message_refused(R"({"jsonrpc":"2.0","id":1})", "neither");
  check_message_refused(R"({"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1}})",
                        "exactly one");
  check_message_refused(R"({"jsonrpc":"2.0","method":7})", "method is not a string");
  check_message_refused(R"({"jsonrpc":"2.0","id":null,"method":"x"})", "id of a request");
  check_message_refused(R"({"jsonrpc":"2.0","id":1.5,"method":"x"})", "id of a request");
  check_message_refused(R"({"jsonrpc":"2.0","method":"x","params":[1]})", "params");
  check_message_refused(R"({"jsonrpc":"2.0","result":{}})", "without an id");
  check_message_refused(R"({"jsonrpc":"2.0","id":{},"error":{"code":1}})",
                        "neither a string nor an integer");
  check_message_refused(R"({"jsonrpc":"2.0","id":1,"error":"x"})", "without a code");
  check_message_refused(R"({"jsonrpc":"2.0","id":1,"error":{"code":"x"}})", "without a code");
  check_message_refused("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"a\":\"\xFF\"}}", "not JSON");
}

TEST(Message, RefusesWhatIsNestedTooDeeply) {
  const std::string deep = R"({"jsonrpc":"2.0","id":1,"result":{"a":)" + std::string(500, '[') +
                           std::string(500, ']') + "}}";
  check_message_refused(deep, "levels deep");
}

TEST(Message, BracketsInTextsAreNotNested) {
  check_kind(R"({"jsonrpc":"2.0","id":1,"result":{"a":")" + std::string(500, '[') + R"(\"]"}})",
             MessageKind::kResult);
}

TEST(Message, OnlyIntegersAreNumbersOfOurs) {
  const auto number = [](std::string_view id) {
    return read_message(R"({"jsonrpc":"2.0","id":)" + std::string(id) + R"(,"result":{}})")
        .value()
        .number();
  };
  EXPECT_EQ(number("7"), 7);
  EXPECT_EQ(number("-7"), -7);
  EXPECT_EQ(number("\"7\""), std::nullopt);
  EXPECT_EQ(number("18446744073709551615"), std::nullopt);
}

TEST(Message, OursAreOneLine) {
  EXPECT_EQ(request_text(3, "m", {{"a", "b\nc"}}),
            R"({"id":3,"jsonrpc":"2.0","method":"m","params":{"a":"b\nc"}})");
  EXPECT_EQ(notification_text("n", Json::object()), R"({"jsonrpc":"2.0","method":"n"})");
  EXPECT_EQ(notification_text("n", {{"a", 1}}),
            R"({"jsonrpc":"2.0","method":"n","params":{"a":1}})");
  EXPECT_EQ(result_text("x", Json::object()), R"({"id":"x","jsonrpc":"2.0","result":{}})");
  EXPECT_EQ(error_text(1, -32601, "no"),
            R"({"error":{"code":-32601,"message":"no"},"id":1,"jsonrpc":"2.0"})");
}

TEST(Message, ArgumentsMustBeAnObject) {
  EXPECT_EQ(read_object(R"({"a":1})", "it").value(), Json({{"a", 1}}));
  EXPECT_EQ(read_object("[]", "the arguments").error().message(),
            "the arguments must be a JSON object, not []");
  EXPECT_EQ(read_object("{", "it").error().code(), base::ErrorCode::kInvalidArgument);
}

TEST(Message, ReadsMembersOfAnything) {
  EXPECT_TRUE(member(Json(3), "a").is_null());
  EXPECT_TRUE(member(Json::object(), "a").is_null());
  EXPECT_EQ(text_of(Json(3)), "");
  EXPECT_TRUE(truth_of(Json("x"), true));
  EXPECT_FALSE(truth_of(Json(false), true));
}

TEST(Message, ShowsOneShortLine) {
  EXPECT_EQ(shown("a\nb\x1B[1m", 100), "a b [1m");
  EXPECT_EQ(shown("abcdef", 3), "abc…");
  EXPECT_EQ(shown("aä", 2), "a…");
}

}  // namespace
}  // namespace clever::mcp::internal
