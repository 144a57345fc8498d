#include "cli/theme.h"

#include <gtest/gtest.h>

#include "cli/render.h"

namespace clever::cli {
namespace {

TEST(Themes, AreFoundByTheirNames) {
  EXPECT_EQ(theme_from_string("light"), Theme::kLight);
  EXPECT_EQ(theme_from_string("high-contrast"), Theme::kHighContrast);
  EXPECT_EQ(theme_from_string("none"), Theme::kNone);
  EXPECT_EQ(theme_from_string("default"), Theme::kDefault);
  EXPECT_EQ(theme_from_string("solarized"), Theme::kDefault);
}

TEST(Themes, PaintWhatTheyShow) {
  Look look{.color = true};
  EXPECT_EQ(painted("x", Tone::kWarn, look), "\x1b[33mx\x1b[0m");
  look.theme = Theme::kLight;
  EXPECT_EQ(painted("x", Tone::kWarn, look), "\x1b[35mx\x1b[0m");
  look.theme = Theme::kHighContrast;
  EXPECT_EQ(painted("x", Tone::kDim, look), "x");
  EXPECT_EQ(painted("x", Tone::kBad, look), "\x1b[1;91mx\x1b[0m");
  look.theme = Theme::kNone;
  EXPECT_EQ(painted("x", Tone::kGood, look), "x");
  EXPECT_EQ(painted("x", Tone::kStrong, look), "\x1b[1mx\x1b[0m");
  look = {.color = false, .theme = Theme::kHighContrast};
  EXPECT_EQ(painted("x", Tone::kBad, look), "x");
}

}  // namespace
}  // namespace clever::cli
