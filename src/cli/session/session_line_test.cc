#include "cli/session/session_line.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace clever::cli {
namespace {

using LineKind = SessionLine::Kind;

void check_line(std::string_view text, const SessionLine& expected) {
  const auto line = session_line(text);
  ASSERT_TRUE(line.ok()) << text;
  EXPECT_EQ(*line, expected) << text;
}

TEST(SessionLineTest, WordsAreForTheModel) {
  check_line("  fix it\nplease ", {LineKind::kPrompt, "", "fix it\nplease"});
  check_line("//etc is a folder", {LineKind::kPrompt, "", "/etc is a folder"});
}

TEST(SessionLineTest, NothingIsNothing) {
  check_line("", {});
  check_line(" \n\t", {});
  check_line("! ", {});
}

TEST(SessionLineTest, Commands) {
  check_line("/diff", {LineKind::kCommand, "diff", ""});
  check_line("/model  fast ", {LineKind::kCommand, "model", "fast"});
  check_line("/plan one\ntwo", {LineKind::kCommand, "plan", "one\ntwo"});
}

TEST(SessionLineTest, ShellCommands) {
  check_line("! make test", {LineKind::kShell, "", "make test"});
}

TEST(SessionLineTest, AnUnknownCommandNamesTheNearest) {
  EXPECT_THAT(session_line("/dif").error().message(), testing::HasSubstr("did you mean /diff?"));
  EXPECT_THAT(session_line("/frobnicate").error().message(), testing::HasSubstr("/help"));
}

}  // namespace
}  // namespace clever::cli
