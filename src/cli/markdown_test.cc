#include "cli/markdown.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace clever::cli {
namespace {

using ::testing::ElementsAre;

std::string shown(const Line& line) {
  std::string text;
  for (const Span& span : line) {
    const char mark = span.tone == Tone::kStrong   ? '!'
                      : span.tone == Tone::kAccent ? '@'
                      : span.tone == Tone::kDim    ? '~'
                      : span.tone == Tone::kGood   ? '"'
                      : span.tone == Tone::kWarn   ? '#'
                                                   : 0;
    if (mark != 0) text += mark;
    text += span.text;
    if (mark != 0) text += mark;
  }
  return text;
}

void check_markdown_line(std::string_view markdown, std::string_view expected) {
  EXPECT_EQ(shown(MarkdownLines().line(markdown)), expected);
}

TEST(Markdown, ShowsHeadingsListsAndQuotes) {
  check_markdown_line("## What to do", "!What to do!");
  check_markdown_line("- one", "@• @one");
  check_markdown_line("  * two", "  @• @two");
  check_markdown_line("12. twelve", "@12. @twelve");
  check_markdown_line("> said", "~│ ~~said~");
  check_markdown_line("#hash", "#hash");
}

TEST(Markdown, ShowsEmphasisAndCodeWithoutTheirMarks) {
  check_markdown_line("a **b c** and `d_e`", "a !b c! and @d_e@");
  check_markdown_line("snake__case__name", "snake__case__name");
  check_markdown_line("2 ** 3 ** 4", "2 ** 3 ** 4");
  check_markdown_line("an open `mark", "an open `mark");
  check_markdown_line("\\*\\*plain\\*\\*", "**plain**");
}

TEST(Markdown, RemembersTheCodeBlock) {
  MarkdownLines lines;
  EXPECT_EQ(shown(lines.line("```python")), "~```python~");
  EXPECT_EQ(shown(lines.line("# a comment")), "~# a comment~");
  EXPECT_EQ(shown(lines.line("return 12 + \"x\"")), "@return@ #12# + \"\"x\"\"");
  EXPECT_EQ(shown(lines.line("~~~")), "~~~");
  EXPECT_EQ(shown(lines.line("```")), "~```~");
  EXPECT_EQ(shown(lines.line("# Heading")), "!Heading!");
}

TEST(Markdown, ColoursCodeByItsLanguage) {
  EXPECT_EQ(shown(code_line("if (x) return 'c'; // why", "cpp")),
            "@if@ (x) @return@ \"'c'\"; ~// why~");
  EXPECT_EQ(shown(code_line("it's a returned value", "")), "it's a returned value");
}

std::vector<std::string> rows(std::string_view text, std::size_t width) {
  std::vector<std::string> all;
  for (const Line& row : broken({{std::string(text)}}, width)) all.push_back(shown(row));
  return all;
}

TEST(Markdown, BreaksRowsBetweenWords) {
  EXPECT_THAT(rows("one two three", 8), ElementsAre("one two", "three"));
  EXPECT_THAT(rows("abcdefghij", 4), ElementsAre("abcd", "efgh", "ij"));
  EXPECT_THAT(rows("", 4), ElementsAre(""));
  EXPECT_THAT(rows("one two three", 0), ElementsAre("one two three"));
}

TEST(Markdown, NoRowIsWiderThanTheTerminal) {
  for (std::size_t width = 1; width < 30; ++width) {
    for (const std::string_view text : {"  a list item that is long", "x 日本語テキスト and more",
                                        "averyveryverylongword at once"}) {
      for (const Line& row : broken(MarkdownLines().line(text), width)) {
        std::size_t used = 0;
        for (const Span& span : row) used += columns(span.text);
        EXPECT_LE(used, std::max<std::size_t>(width, 2)) << text << " in " << width;
      }
    }
  }
}

TEST(Markdown, CannotSteerTheTerminal) {
  const auto painted = markdown_rows({"a \x1b[31mred\x07", 2}, {.color = true, .unicode = true});
  ASSERT_EQ(painted.size(), 1U);
  EXPECT_EQ(painted[0].find('\x1b'), std::string::npos);
}

}  // namespace
}  // namespace clever::cli
