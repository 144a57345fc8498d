#include "sandbox/workspace/internal/replace_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <string>

#include "sandbox/workspace/internal/line_ends.h"
#include "sandbox/workspace/internal/nearest_lines.h"

namespace clever::sandbox::internal {
namespace {

using base::ErrorCode;
using testing::HasSubstr;
using testing::Not;

constexpr std::size_t kLargest = 1U << 20U;

void check_replaced(std::string_view content, std::string_view old_text, std::string_view new_text,
                    std::string_view expected) {
  const auto replaced = replace_text(content, old_text, new_text, false, kLargest);
  ASSERT_TRUE(replaced.ok()) << replaced.error().message();
  EXPECT_EQ(replaced->content, expected);
  EXPECT_EQ(replaced->count, 1U);
}

std::string refusal(std::string_view content, std::string_view old_text, std::string_view new_text,
                    ErrorCode code) {
  const auto replaced = replace_text(content, old_text, new_text, false, kLargest);
  if (replaced.ok()) return "was replaced";
  EXPECT_EQ(replaced.error().code(), code);
  return replaced.error().message();
}

TEST(ReplaceText, ReplacesTheOnePlace) { check_replaced("a b c", "b", "x", "a x c"); }

TEST(ReplaceText, ANewTextMayBeEmpty) { check_replaced("a b c", " b", "", "a c"); }

TEST(ReplaceText, BinaryContentIsReplacedByteForByte) {
  check_replaced({"a\0b\xFF", 4}, {"\0b", 2}, "x", "ax\xFF");
}

TEST(ReplaceText, ReplaceAllSaysHowOften) {
  const auto replaced = replace_text("aXbXc", "X", "--", true, kLargest);
  EXPECT_EQ(replaced->content, "a--b--c");
  EXPECT_EQ(replaced->count, 2U);
}

TEST(ReplaceText, WhatIsReplacedIsNotSearchedAgain) {
  EXPECT_EQ(replace_text("aaa", "a", "aa", true, kLargest)->content, "aaaaaa");
}

TEST(ReplaceText, UnixTextMatchesWindowsFileAndGetsItsEnds) {
  check_replaced("one\r\ntwo\r\nthree\r\n", "one\ntwo\n", "1\n2\n", "1\r\n2\r\nthree\r\n");
}

TEST(ReplaceText, WindowsTextMatchesUnixFile) {
  check_replaced("one\ntwo\n", "one\r\ntwo", "x", "x\n");
}

TEST(ReplaceText, WithinALineTheFileDecidesTheEnds) {
  check_replaced("one\r\ntwo\r\n", "two", "2\n3", "one\r\n2\r\n3\r\n");
  check_replaced("one\ntwo\n", "two", "2\n3", "one\n2\n3\n");
}

TEST(ReplaceText, InAMixedFileThePlaceDecidesTheEnds) {
  check_replaced("a\r\nb\r\nc\nd\n", "c\nd\n", "x\ny\n", "a\r\nb\r\nx\ny\n");
  check_replaced("a\r\nb\nc\nd\n", "a\n", "x\ny\n", "x\r\ny\r\nb\nc\nd\n");
}

TEST(ReplaceText, ALoneCarriageReturnIsFoundAsItStands) {
  check_replaced("a\r\nb", "a\r", "x\r", "x\r\nb");
}

TEST(ReplaceText, AnEmptyOldTextIsRefused) {
  EXPECT_THAT(refusal("a", "", "b", ErrorCode::kInvalidArgument), HasSubstr("empty"));
}

TEST(ReplaceText, AChangeOfNothingIsRefused) {
  EXPECT_THAT(refusal("a", "a", "a", ErrorCode::kInvalidArgument), HasSubstr("the same"));
}

TEST(ReplaceText, AmbiguityNamesTheLines) {
  EXPECT_THAT(refusal("x\na\nx\n", "x", "y", ErrorCode::kConflict),
              HasSubstr("2 times, at lines 1, 3:"));
}

TEST(ReplaceText, ManyPlacesAreNamedInPart) {
  std::string content;
  for (int i = 0; i < 50; ++i) content += "x\n";
  EXPECT_THAT(refusal(content, "x", "y", ErrorCode::kConflict), HasSubstr("20, …"));
}

TEST(ReplaceText, MissingTextShowsTheNearestLines) {
  const std::string message = refusal("int main() {\n  return compute(1);\n}\n",
                                      "return compute(2);", "x", ErrorCode::kNotFound);
  EXPECT_THAT(message, HasSubstr("\n2:   return compute(1);"));
}

TEST(ReplaceText, OtherWhiteSpaceIsSaid) {
  const std::string message =
      refusal("if (a) {\n\tb();\n}\n", "if (a) {\n    b();\n}", "x", ErrorCode::kNotFound);
  EXPECT_THAT(message, HasSubstr("white space"));
  EXPECT_THAT(message, HasSubstr("\n2: \tb();"));
}

TEST(ReplaceText, AChangeThatWasMadeBeforeIsSaid) {
  EXPECT_THAT(
      refusal("one\nnew_value = 2\n", "old_value = 1", "new_value = 2", ErrorCode::kNotFound),
      HasSubstr("the file has new_text already, at line 2"));
}

TEST(ReplaceText, WhatHasNothingAlikeShowsNoLine) {
  EXPECT_THAT(refusal("abc\ndef\n", "zzzzzzzz", "x", ErrorCode::kNotFound),
              HasSubstr("no line of the file is similar"));
}

TEST(ReplaceText, MissingInAnEmptyOrBinaryFileSaysSo) {
  EXPECT_THAT(refusal("", "a", "b", ErrorCode::kNotFound), HasSubstr("empty"));
  EXPECT_THAT(refusal({"\0", 1}, "a", "b", ErrorCode::kNotFound), HasSubstr("binary"));
}

TEST(ReplaceText, LongLinesAreCut) {
  const std::string message =
      refusal(std::string(900, 'a'), std::string(899, 'a') + "b", "x", ErrorCode::kNotFound);
  EXPECT_THAT(message, HasSubstr("aaa…"));
  EXPECT_LT(message.size(), 400U);
}

TEST(ReplaceText, MissingBlankLinesAreExplainedToo) {
  EXPECT_THAT(refusal("a\nb\n", "\n\n\n", "x", ErrorCode::kNotFound), Not(HasSubstr("white")));
}

TEST(ReplaceText, AResultThatIsTooLargeIsRefused) {
  const auto many =
      replace_text(std::string(2000, 'a'), "a", std::string(2000, 'b'), true, 100'000);
  EXPECT_EQ(many.error().code(), ErrorCode::kResourceExhausted);
  const auto one = replace_text("a", "a", std::string(2000, 'b'), true, 1000);
  EXPECT_EQ(one.error().code(), ErrorCode::kResourceExhausted);
}

TEST(ReplaceText, RepeatedBeginningsCostNoSquare) {
  std::string content;
  for (int i = 0; i < 20'000; ++i) content += "  a\n";
  std::string wanted;
  for (int i = 0; i < 15'000; ++i) wanted += "a\n";
  EXPECT_EQ(replace_text(content, wanted + "b\n", "x", false, kLargest).error().code(),
            ErrorCode::kNotFound);
}

TEST(ReplaceText, WithoutCarriageReturnsItIsPlainReplacement) {
  rc::check([] {
    const auto content = *rc::gen::container<std::string>(rc::gen::elementOf(std::string("ab\n")));
    const auto old_text = *rc::gen::nonEmpty(
        rc::gen::container<std::string>(rc::gen::elementOf(std::string("ab\n"))));
    const auto replaced = replace_text(content, old_text, "new", true, kLargest);
    RC_ASSERT(replaced.ok() == content.contains(old_text));
    if (!replaced.ok()) return;
    std::string expected = content;
    for (std::size_t at = expected.find(old_text); at != std::string::npos;
         at = expected.find(old_text, at + 3)) {
      expected.replace(at, old_text.size(), "new");
    }
    RC_ASSERT(replaced->content == expected);
  });
}

TEST(LineEnds, OffsetsLeadBackToTheOriginal) {
  const UnixText text("a\r\nb\nc\r\n");
  EXPECT_EQ(text.text(), "a\nb\nc\n");
  EXPECT_EQ(text.original_offset(1), 1U);
  EXPECT_EQ(text.original_offset(2), 3U);
  EXPECT_EQ(text.original_offset(6), 8U);
  EXPECT_TRUE(text.mostly_windows());
}

TEST(LineEnds, LinesHaveNoEnds) {
  EXPECT_THAT(lines_of("a\r\n\nb"), testing::ElementsAre("a", "", "b"));
  EXPECT_TRUE(lines_of("").empty());
}

}  // namespace
}  // namespace clever::sandbox::internal
