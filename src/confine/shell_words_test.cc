#include "confine/shell_words.h"

#include <gtest/gtest.h>

namespace clever::confine {
namespace {

/// "git push | rm [?]": commands with their words, [?] for those that are not known.
std::string words_in(std::string_view text) {
  const auto commands = shell_commands(text);
  if (!commands) return "not understood";
  std::string shown;
  for (const ShellCommand& command : *commands) {
    if (!shown.empty()) shown += " | ";
    for (std::size_t i = 0; i < command.size(); ++i) {
      shown += i == 0 ? "" : " ";
      shown += command[i].unknown ? "[?]" : command[i].text;
    }
  }
  return shown;
}

TEST(ShellWords, WordsAndQuotes) {
  EXPECT_EQ(words_in("git  push\torigin"), "git push origin");
  EXPECT_EQ(words_in("g'i't \"pu\"sh"), "git push");
  EXPECT_EQ(words_in("g\\it pu\\\nsh"), "git push");
  EXPECT_EQ(words_in("echo \"a \\\"b\\\" \\n\" ''"), "echo a \"b\" \\n ");
  EXPECT_EQ(words_in(""), "");
  EXPECT_EQ(words_in("# git push"), "");
  EXPECT_EQ(words_in("echo a#b"), "echo a#b");
}

TEST(ShellWords, EveryPartOfACompound) {
  EXPECT_EQ(words_in("true; git push"), "true | git push");
  EXPECT_EQ(words_in("a && b || c & d | e\nf"), "a | b | c | d | e | f");
  EXPECT_EQ(words_in("(cd x; git push)"), "cd x | git push");
  EXPECT_EQ(words_in("{ a; b; }"), "{ a | b | }");
  EXPECT_EQ(words_in("if a; then git push; fi"), "if a | then git push | fi");
  EXPECT_EQ(words_in("case $x in a) git push;; esac"), "git push | esac");
}

TEST(ShellWords, IncludeCommandsInsideWords) {
  EXPECT_EQ(words_in("echo $(git push)"), "git push | echo [?]");
  EXPECT_EQ(words_in("echo \"$(git push)\""), "git push | echo [?]");
  EXPECT_EQ(words_in("echo `git push`"), "git push | echo [?]");
  EXPECT_EQ(words_in("sh -c 'true; git push'"), "true | git push | sh -c true; git push");
  EXPECT_EQ(words_in("eval \"git push\""), "git push | eval git push");
}

TEST(ShellWords, RedirectionsAreNoWords) {
  EXPECT_EQ(words_in("a > out 2>&1 < in"), "a");
  EXPECT_EQ(words_in("a >>out b"), "a b");
  EXPECT_EQ(words_in("a &>out"), "a");
  EXPECT_EQ(words_in("a 2>/dev/null b"), "a b");
}

TEST(ShellWords, TreatExpansionsAsUnknown) {
  EXPECT_EQ(words_in("git $x"), "git [?]");
  EXPECT_EQ(words_in("${x} y"), "[?] y");
  EXPECT_EQ(words_in("rm *.c [ab] {a,b} ?"), "rm [?] [?] [?] [?]");
  EXPECT_EQ(words_in("echo ~ '*' \"?\" a$"), "echo [?] * ? a$");
}

TEST(ShellWords, ReportUnreadableText) {
  for (const char* text : {"echo 'a", "echo \"a", "cat <<EOF\na\nEOF", "f() { git push; }",
                           "a <(b)", "echo $(a", "echo `a", "a >", "(a", "echo \\", "${x", "$'a'",
                           "for ((i=0;;)); do a; done", "echo ${x:-$(a)}", "echo `a \\`b\\``"}) {
    EXPECT_EQ(words_in(text), "not understood") << text;
  }
  EXPECT_EQ(words_in(std::string_view("a\0b", 3)), "not understood");
}

TEST(ShellWords, OneInsideAnotherHasAnEnd) {
  std::string text = "a";
  for (int i = 0; i < 20; ++i) text = "$(" + text + ")";
  EXPECT_EQ(words_in(text), "not understood");
}

TEST(ShellWords, TreatTooLongTextAsUnreadable) {
  std::string words = "echo";
  for (int i = 0; i < 300; ++i) words += " a";
  EXPECT_EQ(words_in(words), "not understood");
  std::string commands;
  for (int i = 0; i < 600; ++i) commands += "a;";
  EXPECT_EQ(words_in(commands), "not understood");
}

TEST(ShellWords, NamesOfPrograms) {
  EXPECT_EQ(program_name("/usr/bin/git"), "git");
  EXPECT_EQ(program_name("git"), "git");
  EXPECT_TRUE(is_wrapper("sudo"));
  EXPECT_FALSE(is_wrapper("git"));
  EXPECT_TRUE(is_shell("bash"));
  EXPECT_FALSE(is_shell("cat"));
}

}  // namespace
}  // namespace clever::confine
