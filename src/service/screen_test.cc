#include "service/screen.h"

#include <gtest/gtest.h>

#include <deque>

namespace clever::service {
namespace {

// Asks a person who types these lines.
base::Result<bool> answered(std::deque<std::string> lines, std::string& shown) {
  Screen screen;
  screen.prompt = [&shown](const Line& line) {
    for (const Span& span : line) shown.append(span.text);
    return base::Result<void>();
  };
  screen.read_line =
      [&lines](const base::StopToken& stop) -> base::Result<std::optional<std::string>> {
    if (stop.stop_requested()) return base::cancelled("stopped");
    if (lines.empty()) return std::optional<std::string>();
    std::string line = lines.front();
    lines.pop_front();
    return std::optional(std::move(line));
  };
  EXPECT_TRUE(screen.can_ask());
  return screen.confirm("Really?", {});
}

TEST(ScreenTest, AsksUntilTheAnswerIsClear) {
  std::string shown;
  EXPECT_TRUE(answered({"y"}, shown).value());
  EXPECT_EQ(shown, "Really? [y/N] ");
  EXPECT_TRUE(answered({"YES"}, shown).value());
  EXPECT_FALSE(answered({"no"}, shown).value());
  EXPECT_FALSE(answered({""}, shown).value());
  shown.clear();
  EXPECT_TRUE(answered({"what?", "yes"}, shown).value());
  EXPECT_EQ(shown, "Really? [y/N] Really? [y/N] ");
}

TEST(ScreenTest, TheEndOfTheInputIsNo) {
  std::string shown;
  EXPECT_FALSE(answered({}, shown).value());
}

TEST(ScreenTest, WithoutAPersonNothingIsAsked) { EXPECT_FALSE(Screen().can_ask()); }

}  // namespace
}  // namespace clever::service
