#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "e2e/agents.h"

namespace clever::e2e {
namespace {

using testing::HasSubstr;
using testing::Not;

// What a person sees who types the command at a terminal 70 columns wide.
std::string at_seventy_columns(const User& user, const std::string& command) {
  return at_a_terminal(user, "stty cols 70; " + command);
}

TEST(TerminalTest, GetsColoursAndBoxes) {
  const User user;
  const std::string seen = at_seventy_columns(user, "\"$AGENTS\" config list");
  EXPECT_THAT(seen, HasSubstr("\x1b[1mkey\x1b[0m"));
  EXPECT_THAT(seen, HasSubstr("╭──"));
}

TEST(TerminalTest, HonoursNoColorAndColorNever) {
  const User user;
  EXPECT_THAT(at_seventy_columns(user, "NO_COLOR=1 \"$AGENTS\" config list"),
              Not(HasSubstr("\x1b[")));
  EXPECT_THAT(at_seventy_columns(user, "\"$AGENTS\" --color never config list"),
              Not(HasSubstr("\x1b[")));
}

TEST(TerminalTest, WithoutUtf8BoxesAreAscii) {
  const User user;
  EXPECT_THAT(at_seventy_columns(user, "LC_ALL=C \"$AGENTS\" config list"), HasSubstr("+----"));
}

TEST(TerminalTest, WrapsToItsWidth) {
  const User user;
  std::string seen = at_seventy_columns(user, "\"$AGENTS\" --color never --help");
  std::size_t longest = 0;
  for (std::size_t end = 0; !seen.empty(); seen.erase(0, end + 1)) {
    end = std::min(seen.find('\n'), seen.size() - 1);
    longest = std::max(longest, end);
  }
  EXPECT_LE(longest, 71U);  // and the carriage return
  EXPECT_GE(longest, 50U);
}

TEST(TerminalTest, APipeGetsNeither) {
  const User user;
  const std::string seen = at_seventy_columns(user, "\"$AGENTS\" config list | cat");
  EXPECT_THAT(seen, Not(HasSubstr("\x1b[")));
  EXPECT_THAT(seen, Not(HasSubstr("╭")));
}

}  // namespace
}  // namespace clever::e2e
