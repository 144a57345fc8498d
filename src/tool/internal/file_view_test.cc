#include "tool/internal/file_view.h"

#include <gtest/gtest.h>

#include "base/utf8.h"

namespace clever::tool::internal {
namespace {

std::string view(std::string_view content, LineRange range = {}, std::size_t limit = 65'536) {
  return view_lines(content, range, limit).value().text;
}

TEST(FileView, LinesAreNumbered) { EXPECT_EQ(view("one\ntwo\n"), "     1\tone\n     2\ttwo\n"); }

TEST(FileView, AnEmptyFileSaysSo) { EXPECT_EQ(view(""), "[the file is empty]\n"); }

TEST(FileView, AMissingNewlineIsNoted) {
  EXPECT_EQ(view("one"), "     1\tone\n[no newline at the end of the file]\n");
}

TEST(FileView, LineEndsAreNoted) {
  EXPECT_EQ(view("a\r\nb\r\n"), "     1\ta\n     2\tb\n[lines end in CRLF]\n");
  EXPECT_EQ(view("a\r\nb"),
            "     1\ta\n     2\tb\n[lines end in CRLF]\n[no newline at the end of the file]\n");
  EXPECT_EQ(view("a\r\nb\n"),
            "     1\ta\r\n     2\tb\n[some lines end in CRLF, others in LF: the carriage returns "
            "are shown with their lines]\n");
}

TEST(FileView, ARangeIsShownAsOne) {
  EXPECT_EQ(view("1\n2\n3\n4\n", {2, 3}), "     2\t2\n     3\t3\n[lines 2 to 3 of 4]\n");
  EXPECT_EQ(view("1\n2\n3\n", {3, {}}), "     3\t3\n[lines 3 to 3 of 3]\n");
  EXPECT_EQ(view("1\n2\n", {{}, 99}), "     1\t1\n     2\t2\n");
}

TEST(FileView, ARangeWithoutLinesIsAnError) {
  EXPECT_EQ(view_lines("1\n2\n", {3, {}}, 1000).error().message(),
            "start_line is 3, but the file has only 2 lines");
  EXPECT_EQ(
      view_lines("1\n2\n", {2, 1}, 1000).error().message(),
      "lines 2 to 1 are not a range: start_line counts from 1, and end_line must not be before it");
  EXPECT_FALSE(check_range({0, {}}).ok());
  EXPECT_FALSE(check_range({{}, 0}).ok());
}

TEST(FileView, ALargeFileIsWindowed) {
  std::string content;
  for (int i = 0; i < 5000; ++i) content += "x\n";
  const auto first = view_lines(content, {}, 1 << 20).value();
  EXPECT_TRUE(first.truncated);
  EXPECT_TRUE(
      first.text.ends_with("[lines 1 to 2000 of 5,000 are shown; read on with start_line=2001]\n"));
  const auto last = view_lines(content, {4001, {}}, 1 << 20).value();
  EXPECT_FALSE(last.truncated);
  EXPECT_TRUE(last.text.ends_with("  5000\tx\n[lines 4001 to 5000 of 5,000]\n"));
}

TEST(FileView, OnlyWholeLinesThatFitAreShown) {
  std::string content;
  for (int i = 0; i < 100; ++i) content += std::string(100, 'x') + "\n";
  const auto shown = view_lines(content, {}, 2000).value();
  EXPECT_LE(shown.text.size(), 2000U);
  EXPECT_TRUE(shown.truncated);
  EXPECT_TRUE(shown.text.ends_with("read on with start_line=14]\n")) << shown.text;
}

TEST(FileView, AtLeastOneLineIsShown) {
  EXPECT_TRUE(view("abc\ndef\n", {}, 0).starts_with("     1\tabc\n[lines 1 to 1 of 2"));
}

TEST(FileView, LongLinesAreCut) {
  EXPECT_TRUE(view(std::string(5000, 'x') + "\n").ends_with("x [… 3,000 bytes cut …]\n"));
}

TEST(FileView, BytesThatAreNoTextAreShownSafely) {
  const std::string shown = view(
      "a\xFF"
      "b\n");
  EXPECT_TRUE(base::is_utf8(shown));
  EXPECT_EQ(shown,
            "     1\ta\xEF\xBF\xBD"
            "b\n[bytes that are not UTF-8 are shown as \xEF\xBF\xBD; edit_file keeps them]\n");
}

TEST(FileView, BinaryFilesAreDescribed) {
  using namespace std::string_view_literals;
  EXPECT_TRUE(describe_binary("\x89PNG\r\n\x1A\n\0"sv)
                  .starts_with("binary file (PNG image), 9 bytes, SHA-256 "));
  EXPECT_TRUE(describe_binary("\0\1"sv).starts_with("binary file, 2 bytes, SHA-256 "));
  EXPECT_TRUE(describe_binary("\0asm"sv).starts_with("binary file (WebAssembly module)"));
}

}  // namespace
}  // namespace clever::tool::internal
