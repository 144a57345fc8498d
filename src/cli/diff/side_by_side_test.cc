#include "cli/diff/side_by_side.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/words.h"
#include "service/text.h"
#include "support/file_diffs.h"

namespace clever::cli {
namespace {

using test::file_diff;
using ::testing::HasSubstr;

TEST(SideBySide, OldIsLeftAndNewIsRight) {
  const std::string shown = side_by_side({file_diff("f", "a\nold\nz\n", "a\nnew\nz\n")}, 60, {});
  EXPECT_EQ(shown,
            "f\n"
            "@@ line 1\n"
            "1  a                         | 1  a\n"
            "2 -old                       | 2 +new\n"
            "3  z                         | 3  z\n");
}

TEST(SideBySide, WhatOneSideLacksIsBlank) {
  const std::string shown = side_by_side({file_diff("f", "a\n", "a\nmore\n")}, 60, {});
  EXPECT_THAT(shown, HasSubstr("\n                             | 2 +more\n"));
}

TEST(SideBySide, LongLinesContinueBelow) {
  const std::string line(40, 'x');
  const std::string shown = side_by_side({file_diff("f", "a\n", "a\n" + line + "\n")}, 60, {});
  EXPECT_THAT(shown, HasSubstr("| 2 +" + std::string(25, 'x') + "\n"));
  EXPECT_THAT(shown, HasSubstr("|    " + std::string(15, 'x') + "\n"));
}

TEST(SideBySide, NoLineIsWiderThanTheTerminal) {
  std::string shown = side_by_side(
      {file_diff("f", "漢字漢字漢字漢字漢字漢字漢字漢字漢字\n\tx\n", "e\u0301 漢 \x1b[2J\n")}, 61,
      {});
  for (std::size_t end = 0; !shown.empty(); shown.erase(0, end + 1)) {
    end = shown.find('\n');
    EXPECT_LE(columns(shown.substr(0, end)), 61U) << shown.substr(0, end);
  }
}

TEST(SideBySide, ANarrowTerminalStillGetsBoth) {
  EXPECT_THAT(side_by_side({file_diff("f", "a\n", "b\n")}, 3, {}), HasSubstr("1 -a"));
}

TEST(SideBySide, HunksThatTouchAreOneBlock) {
  const std::string before = "1\n2\n3\n4\n5\n";
  const std::string after = "one\n2\n3\n4\nfive\n";
  const std::string shown = side_by_side({file_diff("f", before, after)}, 60, {});
  EXPECT_EQ(shown.find("@@"), shown.rfind("@@"));
}

TEST(SideBySide, FilesAreTitledWithWhatElseChanged) {
  diff::FileDiff file = file_diff("to", "a\n", "a\n");
  file.from = "from";
  file.similarity = 100;
  diff::FileDiff mode = file_diff("run.sh", "a\n", "a\n");
  mode.after->mode = git::FileMode::kExecutable;
  const std::string shown = side_by_side({file, mode}, 60, {});
  EXPECT_EQ(shown, "from → to  (renamed from from)\n\nrun.sh  (mode 100644 → 100755)\n");
}

TEST(SideBySide, ColoursTheSides) {
  const std::string shown = side_by_side({file_diff("f", "return old;\n", "return new;\n")}, 60,
                                         {.color = true, .unicode = true});
  EXPECT_THAT(shown, HasSubstr("\x1b[31m-return \x1b[7mold\x1b[27m;\x1b[0m"));
  EXPECT_THAT(shown, HasSubstr(" │ "));
}

}  // namespace
}  // namespace clever::cli
