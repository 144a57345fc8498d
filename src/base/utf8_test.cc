#include "base/utf8.h"

#include <gtest/gtest.h>

#include "base/random.h"

namespace clever::base {
namespace {

TEST(Utf8, LeavesValidTextAlone) {
  for (const std::string_view text :
       {"", "plain", "\x7f", "\xc2\x80", "ä€😀", "\xdf\xbf", "\xe0\xa0\x80", "\xed\x9f\xbf",
        "\xee\x80\x80", "\xef\xbf\xbf", "\xf0\x90\x80\x80", "\xf4\x8f\xbf\xbf"}) {
    EXPECT_EQ(to_valid_utf8(text), text);
    EXPECT_TRUE(is_utf8(text));
  }
}

TEST(Utf8, TellsWhatIsNot) {
  for (const std::string_view text : {"a\xff", "\x80", "\xc0\xaf", "\xed\xa0\x80", "\xe2\x82"}) {
    EXPECT_FALSE(is_utf8(text));
  }
}

TEST(Utf8, ReplacesWhatIsNot) {
  EXPECT_EQ(to_valid_utf8("a\xff"
                          "b"),
            "a\uFFFDb");
  EXPECT_EQ(to_valid_utf8("\x80\x80"), "\uFFFD\uFFFD");
  EXPECT_EQ(to_valid_utf8("\xc0\xaf"), "\uFFFD\uFFFD");            // overlong
  EXPECT_EQ(to_valid_utf8("\xe0\x80\x80"), "\uFFFD\uFFFD\uFFFD");  // overlong
  EXPECT_EQ(to_valid_utf8("\xed\xa0\x80"), "\uFFFD\uFFFD\uFFFD");  // surrogate
  EXPECT_EQ(to_valid_utf8("\xf5\x80\x80\x80"), "\uFFFD\uFFFD\uFFFD\uFFFD");
  EXPECT_EQ(to_valid_utf8("\xf4\x90\x80\x80"), "\uFFFD\uFFFD\uFFFD\uFFFD");
}

TEST(Utf8, ACutCharacterIsOneReplacement) {
  EXPECT_EQ(to_valid_utf8("\xe2\x82"), "\uFFFD");
  EXPECT_EQ(to_valid_utf8("\xf0\x9f\x98"), "\uFFFD");
  EXPECT_EQ(to_valid_utf8("\xe2\x82x"), "\uFFFDx");
}

TEST(Utf8, WritesWhatItReads) {
  for (char32_t c :
       {0U, 0x41U, 0x7fU, 0x80U, 0x7ffU, 0x800U, 0xfffdU, 0xffffU, 0x10000U, 0x10ffffU}) {
    std::string text;
    append_utf8(text, c);
    const CodePoint read = decode_utf8(text, 0);
    EXPECT_TRUE(read.valid);
    EXPECT_EQ(read.value, c);
    EXPECT_EQ(read.size, text.size());
  }
}

TEST(Utf8, APrefixDoesNotCutACharacter) {
  EXPECT_EQ(utf8_prefix("abc", 5), "abc");
  EXPECT_EQ(utf8_prefix("abc", 2), "ab");
  EXPECT_EQ(utf8_prefix("a€b", 1), "a");
  EXPECT_EQ(utf8_prefix("a€b", 2), "a");
  EXPECT_EQ(utf8_prefix("a€b", 3), "a");
  EXPECT_EQ(utf8_prefix("a€b", 4), "a€");
  EXPECT_EQ(utf8_prefix("€", 0), "");
  EXPECT_EQ(utf8_prefix("€", 2), "");
  EXPECT_EQ(utf8_prefix("😀", 3), "");
}

TEST(Utf8, APrefixOfRubbishKeepsItsSize) {
  EXPECT_EQ(utf8_prefix(std::string(10, '\x80'), 6).size(), 6U);
}

TEST(Utf8, KnowsWhatWouldMoveACursor) {
  for (const char32_t c : {0U, 0x0aU, 0x1bU, 0x7fU, 0x9bU, 0x2028U, 0x202eU, 0x2066U, 0xfeffU}) {
    EXPECT_TRUE(is_invisible_control(c)) << static_cast<unsigned>(c);
  }
  for (const char32_t c : {0x20U, 0x41U, 0xa0U, 0xe4U, 0x20acU, 0x1f600U}) {
    EXPECT_FALSE(is_invisible_control(c)) << static_cast<unsigned>(c);
  }
}

TEST(Utf8, RubbishBecomesValidAndStaysSo) {
  SeededRandom random(8);
  for (int i = 0; i < 20'000; ++i) {
    std::string text(random.below(24), '\0');
    random.fill(std::as_writable_bytes(std::span(text)));
    const std::string valid = to_valid_utf8(text);
    ASSERT_EQ(to_valid_utf8(valid), valid);
    for (std::size_t at = 0; at < valid.size();) {
      const CodePoint next = decode_utf8(valid, at);
      ASSERT_TRUE(next.valid);
      at += next.size;
    }
  }
}

}  // namespace
}  // namespace clever::base
