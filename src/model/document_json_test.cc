#include "model/document_json.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace clever::model {
namespace {

void check_json(const Document& document, std::string_view expected) {
  EXPECT_EQ(to_json(document), expected);
}

TEST(JsonTest, WritesScalars) {
  check_json({}, "null");
  check_json(true, "true");
  check_json(false, "false");
  check_json(std::numeric_limits<std::int64_t>::min(), "-9223372036854775808");
  check_json(0.25, "0.25");
  check_json("text", "\"text\"");
}

TEST(JsonTest, NumbersThatJsonCannotHoldAreNull) {
  check_json(std::numeric_limits<double>::infinity(), "null");
  check_json(std::nan(""), "null");
}

TEST(JsonTest, EscapesWhatMustBeEscaped) {
  check_json("a\"b\\c\nd\te\rf", R"("a\"b\\c\nd\te\rf")");
  check_json(std::string_view("\x01\0\x1f", 3), R"("\u0001\u0000\u001f")");
  check_json("\x7f\u0085\u2028\u2029\uFEFF", R"("\u007f\u0085\u2028\u2029\ufeff")");
}

TEST(JsonTest, KeepsUtf8AndReplacesInvalidBytes) {
  check_json("é😀", "\"é😀\"");
  check_json(
      "a\xFF"
      "b",
      "\"a\uFFFDb\"");
}

TEST(JsonTest, WritesNestedListsAndMapsInOrder) {
  Document list = Document::list();
  list.push(1).push(Document::map()).push(Document::list());
  check_json(Document::map().set("z", list).set("a", "x"), R"({"z":[1,{},[]],"a":"x"})");
}

void check_read(std::string_view json, const Document& expected) {
  const auto read = parse_document(json);
  ASSERT_TRUE(read.ok()) << read.error().sentence();
  EXPECT_EQ(*read, expected);
}

void check_refused(std::string_view json, std::string_view why) {
  const auto read = parse_document(json);
  ASSERT_FALSE(read.ok()) << json;
  EXPECT_EQ(read.error().code(), base::ErrorCode::kInvalidArgument);
  EXPECT_NE(read.error().sentence().find(why), std::string::npos) << read.error().sentence();
}

TEST(ParseDocument, ReadsEveryKind) {
  check_read(R"( {"a":[1,-2.5,"x",true,null],"b":{}} )",
             Document::map()
                 .set("a", Document(Document::List{1, -2.5, "x", true, Document()}))
                 .set("b", Document::map()));
  check_read("18446744073709551615", 18446744073709551615.0);
}

TEST(ParseDocument, ReadsWhatToJsonWrites) {
  const Document document = Document::map()
                                .set("text", "\u0085 \"q\" \n")
                                .set("number", std::int64_t{-5})
                                .set("list", Document::list());
  check_read(to_json(document), document);
}

TEST(ParseDocument, RefusesInvalidJson) {
  check_refused("", "not JSON");
  check_refused("{\"a\":}", "from byte");
  check_refused("[1] [2]", "not JSON");
}

TEST(ParseDocument, RefusesAKeyThatComesTwice) {
  check_refused(R"({"a":1,"b":{"c":1,"c":2}})", "\"c\" comes twice");
}

TEST(ParseDocument, RefusesDeepNesting) {
  check_refused(std::string(100'000, '['), "nested deeper");
}

}  // namespace
}  // namespace clever::model
