#include "cli/session/session_line.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace clever::cli {
namespace {

using Kind = SessionLine::Kind;

void check(std::string_view text, const SessionLine& expected) {
  const auto line = session_line(text);
  ASSERT_TRUE(line.ok()) << text;
  EXPECT_EQ(*line, expected) << text;
}

TEST(SessionLineTest, WordsAreForTheModel) {
  check("  fix it\nplease ", {Kind::kPrompt, "", "fix it\nplease"});
  check("//etc is a folder", {Kind::kPrompt, "", "/etc is a folder"});
}

TEST(SessionLineTest, NothingIsNothing) {
  check("", {});
  check(" \n\t", {});
  check("! ", {});
}

TEST(SessionLineTest, Commands) {
  check("/diff", {Kind::kCommand, "diff", ""});
  check("/model  fast ", {Kind::kCommand, "model", "fast"});
  check("/plan one\ntwo", {Kind::kCommand, "plan", "one\ntwo"});
}

TEST(SessionLineTest, ShellCommands) { check("! make test", {Kind::kShell, "", "make test"}); }

TEST(SessionLineTest, AnUnknownCommandNamesTheNearest) {
  EXPECT_THAT(session_line("/dif").error().message(), testing::HasSubstr("did you mean /diff?"));
  EXPECT_THAT(session_line("/frobnicate").error().message(), testing::HasSubstr("/help"));
}

}  // namespace
}  // namespace clever::cli
