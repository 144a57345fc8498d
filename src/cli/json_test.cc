#include "cli/json.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace clever::cli {
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

TEST(JsonTest, KeepsUtf8AndReplacesWhatIsNone) {
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

}  // namespace
}  // namespace clever::cli
