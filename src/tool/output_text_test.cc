#include "tool/output_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "base/utf8.h"

namespace clever::tool {
namespace {

TEST(OutputText, KeepsTextThatFits) { EXPECT_EQ(cut_middle("short", 5), "short"); }

TEST(OutputText, TheMiddleIsCutAndCounted) {
  const std::string text = std::string(20'000, 'a') + std::string(20'000, 'z');
  const std::string cut = cut_middle(text, 1000);
  EXPECT_LE(cut.size(), 1000U);
  EXPECT_GE(cut.size(), 990U);
  EXPECT_TRUE(cut.starts_with("aaaa"));
  EXPECT_TRUE(cut.ends_with("zzzz"));
  EXPECT_NE(cut.find("\n[… 39,0"), std::string::npos) << cut;
  EXPECT_NE(cut.find(" bytes cut …]\n"), std::string::npos);
}

TEST(OutputText, TheMarkSaysExactlyWhatIsMissing) {
  const std::string cut = cut_middle(std::string(500, 'x'), 100);
  const auto kept = static_cast<std::size_t>(std::ranges::count(cut, 'x'));
  EXPECT_NE(cut.find("[… " + std::to_string(500 - kept) + " bytes"), std::string::npos) << cut;
}

TEST(OutputText, NoCharacterIsCut) {
  std::string text;
  for (int i = 0; i < 200; ++i) text += "€";
  for (std::size_t limit = 0; limit < 120; ++limit) {
    EXPECT_TRUE(base::is_utf8(cut_middle(text, limit))) << limit;
  }
}

TEST(OutputText, WithoutRoomTheMarkRemains) {
  EXPECT_EQ(cut_middle("0123456789", 0), "\n[… 10 bytes cut …]\n");
}

TEST(OutputText, MarksAreFound) {
  const std::string text = "a " + cut_mark(12) + "[… x bytes cut …][…  bytes cut …]" +
                           cut_middle(std::string(5000, 'x'), 100) + "[… 7";
  EXPECT_THAT(cut_marks_in(text),
              testing::ElementsAre("[… 12 bytes cut …]", testing::StartsWith("[… 4,9")));
  EXPECT_THAT(cut_marks_in(""), testing::IsEmpty());
}

TEST(OutputText, NumbersAreGrouped) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1000), "1,000");
  EXPECT_EQ(grouped(1234567), "1,234,567");
}

TEST(OutputText, ThingsAreCounted) {
  EXPECT_EQ(counted(1, "file"), "1 file");
  EXPECT_EQ(counted(0, "file"), "0 files");
  EXPECT_EQ(counted(12'345, "byte"), "12,345 bytes");
}

}  // namespace
}  // namespace clever::tool
