#include "engine/permission_rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/random.h"

namespace clever::engine {
namespace {

using model::parse_permission;
using model::PermissionPattern;
using model::Verdict;
using nlohmann::json;
using ::testing::HasSubstr;

model::ToolCall call_of(const std::string& tool, const json& arguments) {
  return {.id = "c", .name = tool, .arguments = arguments.dump()};
}
model::ToolCall running(const std::string& text) {
  return call_of("run_command", {{"command", text}});
}
model::ToolCall writing(const std::string& path) { return call_of("write_file", {{"path", path}}); }

Fit fit(const std::string& pattern, const model::ToolCall& one) {
  return concerns(parse_permission(pattern).value(), one, "/home/me/project");
}
Fit push(const std::string& text) { return fit("run_command(git push *)", running(text)); }

bool covered(const std::vector<std::string>& patterns, const model::ToolCall& one) {
  std::vector<PermissionPattern> parsed;
  for (const std::string& pattern : patterns) parsed.push_back(parse_permission(pattern).value());
  return is_covered(parsed, one, "/home/me/project");
}

TEST(Concerns, NamesOfToolsMayHaveStars) {
  EXPECT_EQ(fit("mcp__github__*", call_of("mcp__github__merge", {})), Fit::kYes);
  EXPECT_EQ(fit("mcp__github__*", call_of("mcp__gitlab__merge", {})), Fit::kNo);
  EXPECT_EQ(fit("*_file", writing("a")), Fit::kYes);
}

// Rules of earlier versions keep their meaning, in both directions.
TEST(Concerns, ToolsOfServersHaveTwoNames) {
  const auto merge = call_of("mcp__github__merge", {{"branch", "main"}});
  EXPECT_EQ(fit("github__*", merge), Fit::kYes);
  EXPECT_EQ(fit("github__merge(main)", merge), Fit::kYes);
  EXPECT_EQ(fit("github__merge(other)", merge), Fit::kNo);
  EXPECT_TRUE(covered({"github__merge"}, merge));
  EXPECT_EQ(fit("gitlab__*", merge), Fit::kNo);
  EXPECT_EQ(fit("mcp__read_file", call_of("read_file", {})), Fit::kNo);
}

TEST(Concerns, WhatIsComparedIsKnownFromTheSchema) {
  EXPECT_EQ(compared_of(R"({"properties":{"command":{},"path":{}}})"), Compared::kCommand);
  EXPECT_EQ(compared_of(R"({"properties":{"from":{},"to":{}}})"), Compared::kPaths);
  EXPECT_EQ(compared_of(R"({"properties":{"sql":{}}})"), Compared::kTexts);
  EXPECT_EQ(compared_of(R"({"properties":{}})"), Compared::kNothing);
  EXPECT_EQ(compared_of(R"({"type":"object"})"), Compared::kTexts);
  EXPECT_EQ(compared_of("no json"), Compared::kTexts);
  EXPECT_EQ(compared_of(R"({"properties":7})"), Compared::kTexts);
}

TEST(Commands, AsTheyAreWritten) {
  EXPECT_EQ(push("git push"), Fit::kYes);
  EXPECT_EQ(push("git push origin main"), Fit::kYes);
  EXPECT_EQ(push("git pull"), Fit::kNo);
  EXPECT_EQ(push("git log push"), Fit::kNo);
  EXPECT_EQ(fit("run_command(npm run build:*)", running("npm run build:all")), Fit::kYes);
  EXPECT_EQ(fit("run_command(git push)", running("git push origin")), Fit::kNo);
}

// The ways around a rule that people and models think of first.
TEST(Commands, CannotBeSmuggled) {
  for (const char* text : {"true; git push",
                           "true && git push",
                           "true\ngit push",
                           "false || git push",
                           "a | git push",
                           "git push &",
                           "(git push)",
                           "{ git push; }",
                           "g'i't push",
                           "\"git\" \"push\"",
                           "g\\it push",
                           "git  \t push",
                           "/usr/bin/git push",
                           "./git push",
                           "git -C x push",
                           "git -c a=b push",
                           "git --no-pager push",
                           "X=1 git push",
                           "sudo git push",
                           "sudo -u me git push",
                           "env A=b git push",
                           "timeout 5 git push",
                           "xargs git push",
                           "sh -c 'git push'",
                           "bash -c \"true; git push\"",
                           "eval 'git push'",
                           "echo $(git push)",
                           "echo `git push`",
                           "if true; then git push; fi",
                           "while git push; do :; done",
                           "command git push",
                           "find . -exec git push ;",
                           "git push > out",
                           "2>&1 git push",
                           "! git push",
                           "sh -c \"sh -c 'git push'\""}) {
    EXPECT_EQ(push(text), Fit::kYes) << text;
  }
}

TEST(Commands, UndecidableCommandsAreDoubtful) {
  for (const char* text :
       {"$x push", "git $x", "git pus?", "{git,push}", "$(echo git) push", "sh script.sh",
        "echo git push | sh", "bash <<EOF\ngit push\nEOF", "f() { git push; }", "echo 'open",
        "alias g=git", ". ./env", "eval $x", "echo git push"}) {
    EXPECT_EQ(push(text), Fit::kMaybe) << text;
  }
}

TEST(Commands, OthersAreLeftInPeace) {
  for (const char* text :
       {"git status", "echo \"git push\"", "git commit -m 'git push later'", "make -j2",
        "for f in *.c; do cc $f; done", "grep -r push .", "cat a > git", "ls *.c"}) {
    EXPECT_EQ(push(text), Fit::kNo) << text;
  }
}

TEST(Commands, AreAllowedAsAWholeOrNotAtAll) {
  EXPECT_TRUE(covered({"run_command(git status *)"}, running("git status")));
  EXPECT_TRUE(covered({"run_command(git *)", "run_command(ls *)"}, running("git log; ls -l")));
  EXPECT_FALSE(covered({"run_command(git status *)"}, running("git status; rm -rf .")));
  EXPECT_FALSE(covered({"run_command(git status *)"}, running("git status $(rm -rf .)")));
  EXPECT_FALSE(covered({"run_command(ls *)"}, running("sudo ls")));
  // A file of that name is not that program.
  EXPECT_FALSE(covered({"run_command(git *)"}, running("./git status")));
  EXPECT_TRUE(covered({"run_command(/usr/bin/git *)"}, running("/usr/bin/git status")));
  EXPECT_FALSE(covered({"run_command(ls a)"}, running("ls $x")));
  EXPECT_TRUE(covered({"run_command(ls *)"}, running("ls $x")));
  EXPECT_FALSE(covered({"run_command(ls *)"}, running("")));
  EXPECT_FALSE(covered({"run_command(ls *)"}, running("echo 'open")));
  EXPECT_TRUE(covered({"run_command"}, running("anything; at all")));
}

TEST(Paths, WithinTheProject) {
  EXPECT_EQ(fit("write_file(docs/**)", writing("docs/a/b.md")), Fit::kYes);
  EXPECT_EQ(fit("write_file(docs/*)", writing("docs/a/b.md")), Fit::kNo);
  EXPECT_EQ(fit("write_file(docs/*)", writing("docs/b.md")), Fit::kYes);
  EXPECT_EQ(fit("write_file(**/*.md)", writing("b.md")), Fit::kYes);
  EXPECT_EQ(fit("write_file(**/*.md)", writing("x/y/b.md")), Fit::kYes);
  EXPECT_EQ(fit("write_file(a?.txt)", writing("ab.txt")), Fit::kYes);
  EXPECT_EQ(fit("write_file(a?.txt)", writing("a/.txt")), Fit::kNo);
}

TEST(Paths, CannotBeWrittenOtherwise) {
  for (const char* path : {"./docs/a.md", "docs//a.md", "x/../docs/a.md", "docs/./a.md",
                           "/home/me/project/docs/a.md", "docs/x/../a.md"}) {
    EXPECT_EQ(fit("write_file(docs/**)", writing(path)), Fit::kYes) << path;
  }
  EXPECT_EQ(fit("write_file(docs/**)", writing("../docs/a.md")), Fit::kMaybe);
  EXPECT_EQ(fit("write_file(docs/**)", writing("/etc/docs/a.md")), Fit::kMaybe);
  EXPECT_FALSE(covered({"write_file(**)"}, writing("../a")));
}

TEST(Paths, BothEndsOfAMoveCount) {
  const auto move = call_of("move_file", {{"from", "a.txt"}, {"to", "secret/a.txt"}});
  EXPECT_EQ(fit("move_file(secret/**)", move), Fit::kYes);
  EXPECT_FALSE(covered({"move_file(secret/**)"}, move));
  EXPECT_TRUE(covered({"move_file(**)"}, move));
}

TEST(Texts, OfOtherTools) {
  const auto one = call_of("mcp__x__query", {{"sql", "DROP TABLE a"}, {"n", {{"deep", "b"}}}});
  EXPECT_EQ(fit("mcp__x__query(DROP *)", one), Fit::kYes);
  EXPECT_EQ(fit("mcp__x__query(b)", one), Fit::kYes);
  EXPECT_EQ(fit("mcp__x__query(SELECT *)", one), Fit::kNo);
  EXPECT_FALSE(covered({"mcp__x__query(DROP *)"}, one));
  EXPECT_EQ(fit("mcp__x__query(a)", {.name = "mcp__x__query", .arguments = "no json"}), Fit::kNo);
}

/// What a plan with these rules says of a call.
class Verdicts : public ::testing::Test {
 protected:
  Verdicts() {
    plan_.project = "/home/me/project";
    plan_.settings.profile = "supervised";
    spec_.name = "run_command";
    spec_.capabilities = {.writes = true};
  }
  void rule(Verdict verdict, const std::string& pattern) {
    plan_.settings.control.permissions.push_back({verdict, pattern, "your settings"});
  }
  std::string of(const model::ToolCall& one) {
    const plan::CallVerdict verdict = verdict_of(plan_, one, &spec_);
    return std::string(model::to_string(verdict.verdict)) +
           (verdict.why.empty() ? "" : ": " + verdict.why);
  }

  plan::State plan_;
  tool::ToolSpec spec_;
};

TEST_F(Verdicts, WithoutRulesAllIsAllowed) { EXPECT_EQ(of(running("git push")), "allow"); }

TEST_F(Verdicts, DenyBeatsAskBeatsAllow) {
  rule(Verdict::kAllow, "run_command(git *)");
  EXPECT_EQ(of(running("git push")), "allow");
  rule(Verdict::kAsk, "run_command(git push *)");
  EXPECT_EQ(of(running("git push")), "ask: your settings ask before run_command(git push *)");
  rule(Verdict::kDeny, "run_command(git push --force *)");
  EXPECT_EQ(of(running("git push --force")),
            "deny: your settings deny run_command(git push --force *)");
  EXPECT_EQ(of(running("git status")), "allow");
}

TEST_F(Verdicts, DoubtAboutADenialIsAskedAbout) {
  rule(Verdict::kAllow, "run_command");
  rule(Verdict::kDeny, "run_command(git push *)");
  EXPECT_THAT(of(running("$x push")), HasSubstr("ask: it may be what your settings deny"));
  EXPECT_EQ(of(running("ls")), "allow");
}

TEST_F(Verdicts, GuardsComeFirst) {
  rule(Verdict::kAllow, "run_command");
  plan_.settings.control.guards.denied_tools = {"run_*"};
  EXPECT_EQ(of(running("ls")), "deny: guards.denied_tools names run_command");
  plan_.settings.control.guards = {.allowed_tools = {"read_file"}};
  EXPECT_EQ(of(running("ls")), "deny: guards.allowed_tools does not name run_command");
}

TEST_F(Verdicts, GuardsKnowBothNamesOfAServersTool) {
  const auto merge = call_of("mcp__github__merge", {});
  for (const char* pattern : {"mcp__github__*", "mcp__*", "github__merge"}) {
    plan_.settings.control.guards = {.denied_tools = {pattern}};
    EXPECT_EQ(of(merge), "deny: guards.denied_tools names mcp__github__merge") << pattern;
    plan_.settings.control.guards = {.allowed_tools = {pattern}};
    EXPECT_EQ(of(merge), "allow") << pattern;
  }
}

TEST_F(Verdicts, UnsafeToolsAreOffUnlessARuleAllowsThem) {
  spec_.capabilities.unsafe = true;
  EXPECT_THAT(of(running("ls")), HasSubstr("deny: run_command is unsafe"));
  rule(Verdict::kAllow, "run_command(ls *)");
  EXPECT_EQ(of(running("ls")), "allow");
}

TEST_F(Verdicts, TheProfileAsksAboutWrites) {
  plan_.settings.profile = "manual";
  EXPECT_EQ(of(running("ls")), "ask: the profile asks before each call that writes");
  rule(Verdict::kAllow, "run_command(ls *)");
  plan_.settings.control.automation.write = 1;
  EXPECT_EQ(of(running("ls")), "allow");
  spec_.capabilities = {.read_only = true};
  EXPECT_EQ(of(running("cat a")), "allow");
}

TEST_F(Verdicts, TheProfileAsksAboutDeletions) {
  plan_.settings.profile = "trusted";
  for (const char* text : {"rm a", "true; rm -rf x", "git rm a", "find . -name x -delete"}) {
    EXPECT_EQ(of(running(text)), "ask: the profile asks before deletions") << text;
  }
  EXPECT_EQ(of(call_of("delete_file", {{"path", "a"}})), "ask: the profile asks before deletions");
  EXPECT_EQ(of(running("touch a")), "allow");
}

TEST_F(Verdicts, ARuleThatCannotBeReadAsks) {
  rule(Verdict::kDeny, "not a rule");
  EXPECT_THAT(of(running("ls")), HasSubstr("ask: it may be"));
}

TEST_F(Verdicts, WhatIsShownIsBounded) {
  rule(Verdict::kAsk, "run_command");
  const auto verdict = verdict_of(plan_, running(std::string(5'000, 'x')), &spec_);
  EXPECT_LT(verdict.shown.size(), 400U);
  EXPECT_EQ(verdict_of(plan_, running("git push"), &spec_).shown, "run_command git push");
}

// What is_like_path() does, tried out way by way.
bool fits_somehow(std::string_view pattern, std::size_t at, std::string_view path) {
  if (at == pattern.size()) return path.empty();
  const std::string_view rest = pattern.substr(at);
  const bool begins = at == 0 || pattern[at - 1] == '/';
  if (begins && rest.starts_with("**/")) {
    // Any number of folders, also none.
    bool fits = fits_somehow(pattern, at + 3, path);
    for (std::size_t i = 0; i < path.size(); ++i) {
      fits = fits || (path[i] == '/' && fits_somehow(pattern, at + 3, path.substr(i + 1)));
    }
    return fits;
  }
  if (rest[0] == '*') {
    const bool two = rest.starts_with("**") || (at > 0 && pattern[at - 1] == '*');
    if (fits_somehow(pattern, at + 1, path)) return true;
    return !path.empty() && (two || path[0] != '/') && fits_somehow(pattern, at, path.substr(1));
  }
  if (path.empty()) return false;
  const bool same = rest[0] == path[0] || (rest[0] == '?' && path[0] != '/');
  return same && fits_somehow(pattern, at + 1, path.substr(1));
}

TEST(IsLikePath, FoldersAreWhole) {
  EXPECT_TRUE(is_like_path("**/secret", "secret"));
  EXPECT_TRUE(is_like_path("**/secret", "a/b/secret"));
  EXPECT_FALSE(is_like_path("**/secret", "a/mysecret"));
}

TEST(IsLikePath, ShortCutsChangeNothing) {
  base::SeededRandom random(1);
  const auto text = [&](std::string_view letters, std::uint64_t most) {
    std::string made;
    for (std::uint64_t size = random.below(most); size > 0; --size) {
      made += letters[random.below(letters.size())];
    }
    return made;
  };
  std::size_t fitting = 0;
  for (int i = 0; i < 20'000; ++i) {
    const std::string pattern = text("ab/***?", 8);
    const std::string path = text("ab/", 8);
    fitting += is_like_path(pattern, path) ? 1 : 0;
    ASSERT_EQ(is_like_path(pattern, path), fits_somehow(pattern, 0, path))
        << pattern << " " << path;
  }
  EXPECT_GT(fitting, 500U);
}

}  // namespace
}  // namespace clever::engine
