#include "cli/json.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace clever::cli {
namespace {

void check(const Document& document, std::string_view expected) {
  EXPECT_EQ(to_json(document), expected);
}

TEST(JsonTest, WritesScalars) {
  check({}, "null");
  check(true, "true");
  check(false, "false");
  check(std::numeric_limits<std::int64_t>::min(), "-9223372036854775808");
  check(0.25, "0.25");
  check("text", "\"text\"");
}

TEST(JsonTest, NumbersThatJsonCannotHoldAreNull) {
  check(std::numeric_limits<double>::infinity(), "null");
  check(std::nan(""), "null");
}

TEST(JsonTest, EscapesWhatMustBeEscaped) {
  check("a\"b\\c\nd\te\rf", R"("a\"b\\c\nd\te\rf")");
  check(std::string_view("\x01\0\x1f", 3), R"("\u0001\u0000\u001f")");
  check("\x7f\u0085\u2028\u2029\uFEFF", R"("\u007f\u0085\u2028\u2029\ufeff")");
}

TEST(JsonTest, KeepsUtf8AndReplacesWhatIsNone) {
  check("é😀", "\"é😀\"");
  check(
      "a\xFF"
      "b",
      "\"a\uFFFDb\"");
}

TEST(JsonTest, WritesNestedListsAndMapsInOrder) {
  Document list = Document::list();
  list.push(1).push(Document::map()).push(Document::list());
  check(Document::map().set("z", list).set("a", "x"), R"({"z":[1,{},[]],"a":"x"})");
}

}  // namespace
}  // namespace clever::cli
