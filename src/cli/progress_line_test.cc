#include "cli/progress_line.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace clever::cli {
namespace {

using testing::EndsWith;
using testing::IsEmpty;
using testing::Not;

class ProgressLineTest : public testing::Test {
 protected:
  std::string written_;
  base::SimulatedClock clock_;
  ProgressLine line_{[this](std::string_view text) -> base::Result<void> {
                       written_.append(text);
                       return {};
                     },
                     clock_, 40};
};

TEST_F(ProgressLineTest, SaysHowFarItIs) {
  EXPECT_EQ(ProgressLine::text_of("checking", 0, 0), "checking");
  EXPECT_EQ(ProgressLine::text_of("removing", 1200, 0), "removing: 1200");
  EXPECT_EQ(ProgressLine::text_of("checking", 1, 3), "checking: 33 % (1 of 3)");
  EXPECT_EQ(ProgressLine::text_of("checking", 3, 3), "checking: 100 % (3 of 3)");
  EXPECT_EQ(ProgressLine::text_of("checking", 9, 3), "checking: 100 % (9 of 3)");
}

TEST_F(ProgressLineTest, WritesOverItselfAndLeavesNothing) {
  line_.show("a long piece of work", 0, 0);
  line_.show("short", 0, 0);
  EXPECT_EQ(written_, "\ra long piece of work\rshort               ");
  written_.clear();
  line_.clear();
  EXPECT_EQ(written_, "\r     \r");
}

TEST_F(ProgressLineTest, ShowsNoMoreThanTheEyeTakesIn) {
  for (std::uint64_t i = 0; i < 1000; ++i) line_.show("counting", i, 1000);
  EXPECT_EQ(written_, "\rcounting: 0 % (0 of 1000)");
  clock_.advance(std::chrono::milliseconds{100});
  line_.show("counting", 1000, 1000);
  EXPECT_THAT(written_, EndsWith("\rcounting: 100 % (1000 of 1000)"));
}

TEST_F(ProgressLineTest, StaysWithinTheWidth) {
  line_.show(std::string(200, 'x'), 1, 2);
  EXPECT_EQ(written_, "\r" + std::string(39, 'x'));
}

TEST_F(ProgressLineTest, CannotSteerTheTerminal) {
  line_.show("table \x1b[2J\n", 1, 2);
  EXPECT_THAT(written_, Not(testing::HasSubstr("\x1b")));
  EXPECT_THAT(written_, Not(testing::HasSubstr("\n")));
}

TEST_F(ProgressLineTest, NothingShownIsNothingToClear) {
  line_.clear();
  EXPECT_THAT(written_, IsEmpty());
}

}  // namespace
}  // namespace clever::cli
