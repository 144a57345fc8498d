#include "confine/internal/kept_output.h"

#include <gtest/gtest.h>

namespace clever::confine::internal {
namespace {

TEST(KeptOutput, KeepsAllWithinTheLimit) {
  KeptOutput kept(10);
  for (const char* piece : {"01", "234", "56789"}) kept.add(piece);
  EXPECT_FALSE(kept.truncated());
  EXPECT_EQ(kept.text(), "0123456789");
}

TEST(KeptOutput, LeavesOutTheMiddle) {
  KeptOutput kept(4);
  kept.add("0123456789");
  EXPECT_TRUE(kept.truncated());
  EXPECT_EQ(kept.text(), "01\n[6 bytes left out]\n89");
}

TEST(KeptOutput, CountsWhateverThePieces) {
  for (std::size_t piece = 1; piece < 30; ++piece) {
    KeptOutput kept(7);
    const std::string whole = "abcdefghijklmnopqrstuvwxyz";
    for (std::size_t at = 0; at < whole.size(); at += piece) {
      kept.add(std::string_view(whole).substr(at, piece));
    }
    EXPECT_EQ(kept.text(), "abcd\n[19 bytes left out]\nxyz") << piece;
  }
}

TEST(KeptOutput, KeepsNothingWithoutRoom) {
  KeptOutput kept(0);
  kept.add("abc");
  EXPECT_EQ(kept.text(), "\n[3 bytes left out]\n");
}

TEST(KeptOutput, ShowsWholeLastLines) {
  KeptOutput kept(100);
  kept.add("first\nsecond\nthird\n");
  EXPECT_EQ(kept.last_lines(100), "first\nsecond\nthird\n");
  EXPECT_EQ(kept.last_lines(10), "third\n");
  EXPECT_EQ(kept.last_lines(3), "rd\n");
}

}  // namespace
}  // namespace clever::confine::internal
