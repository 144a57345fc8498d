#include "git/tree_path.h"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "base/random.h"
#include "git/internal/dot_git.h"
#include "support/repository.h"

namespace clever::git {
namespace {

using base::ErrorCode;
using namespace std::string_literals;

std::string parsed(std::string_view text) { return TreePath::parse(text).value().text(); }

ErrorCode refusal(std::string_view text) {
  const auto path = TreePath::parse(text);
  EXPECT_FALSE(path.ok()) << printable(text);
  return path.ok() ? ErrorCode::kInternal : path.error().code();
}

TEST(TreePath, TakesWhatPeopleWrite) {
  EXPECT_EQ(parsed("src/main.cc"), "src/main.cc");
  EXPECT_EQ(parsed("./src/main.cc"), "src/main.cc");
  EXPECT_EQ(parsed("././/a"), "a");
  EXPECT_EQ(parsed("src//deep///main.cc"), "src/deep/main.cc");
  EXPECT_EQ(parsed("src/"), "src");
  EXPECT_EQ(parsed("..."), "...");
  EXPECT_EQ(parsed(".github/x"), ".github/x");
  EXPECT_EQ(parsed(".gitignore"), ".gitignore");
  EXPECT_EQ(parsed("git~"), "git~");
  EXPECT_EQ(parsed("git~1x"), "git~1x");
  EXPECT_EQ(parsed("a\nb \xff"), "a\nb \xff");
}

TEST(TreePath, RefusesAnInvalidPath) {
  for (const std::string& text : {""s, "."s, "./"s, "a/./b"s, "a\0b"s, std::string(256, 'n')}) {
    EXPECT_EQ(refusal(text), ErrorCode::kInvalidArgument) << printable(text);
  }
  std::string deep;
  while (deep.size() <= TreePath::kLongest) deep += "folder/";
  EXPECT_EQ(refusal(deep), ErrorCode::kInvalidArgument);
}

TEST(TreePath, RefusesWhatLeadsOut) {
  for (const char* text : {"/etc/passwd", "..", "../x", "a/../../x", "a/..", "./../x", "//x"}) {
    EXPECT_EQ(refusal(text), ErrorCode::kPermissionDenied) << text;
  }
}

TEST(TreePath, RefusesEverySpellingOfDotGit) {
  for (const char* text : {".git",
                           ".git/config",
                           "a/.git/hooks/x",
                           ".GIT",
                           ".GiT/x",
                           ".git.",
                           ".git ",
                           ".git . .",
                           ".git::$INDEX_ALLOCATION",
                           ".git:stream",
                           "git~1",
                           "GIT~1/x",
                           "git~25",
                           "git~1.",
                           "git~1:x",
                           ".g\u200cit",
                           "\ufeff.git",
                           ".git\u206f",
                           ".gi\u202et ",
                           "a\\.git\\config",
                           ".git\\x",
                           ".git\xff",
                           ".GI\u200dT..  ::$DATA"}) {
    EXPECT_EQ(refusal(text), ErrorCode::kPermissionDenied) << printable(text);
  }
}

TEST(TreePath, TakesAnAbsolutePathBelowTheProject) {
  EXPECT_EQ(TreePath::parse("/p/x/a.c", "/p/x").value().text(), "a.c");
  EXPECT_EQ(TreePath::parse("/p/x//d/a.c", "/p/x/").value().text(), "d/a.c");
  EXPECT_EQ(TreePath::parse("a.c", "/p/x").value().text(), "a.c");
  EXPECT_EQ(TreePath::parse("/a.c", "/").value().text(), "a.c");
}

TEST(TreePath, RefusesAnAbsolutePathBesideTheProject) {
  const auto code = [](std::string_view text) {
    return TreePath::parse(text, "/p/x").error().code();
  };
  EXPECT_EQ(code("/p/xy/a.c"), ErrorCode::kPermissionDenied);
  EXPECT_EQ(code("/p"), ErrorCode::kPermissionDenied);
  EXPECT_EQ(code("/p/x/../y"), ErrorCode::kPermissionDenied);
  EXPECT_EQ(code("/p/x/.git/config"), ErrorCode::kPermissionDenied);
  EXPECT_EQ(code("/p/x"), ErrorCode::kInvalidArgument);
  EXPECT_EQ(code("/p/x/"), ErrorCode::kInvalidArgument);
}

TEST(TreePath, KnowsItsParts) {
  const auto path = TreePath::parse("a/b/c.txt").value();
  EXPECT_EQ(path.name(), "c.txt");
  EXPECT_EQ(path.folder(), "a/b");
  EXPECT_EQ(TreePath::parse("top").value().folder(), "");
  EXPECT_EQ(TreePath::parse("top").value().name(), "top");
  EXPECT_TRUE(path.is_below(TreePath::parse("a/b").value()));
  EXPECT_FALSE(path.is_below(path));
  EXPECT_FALSE(TreePath::parse("ab/c").value().is_below(TreePath::parse("a").value()));
}

TEST(TreePath, PrintsWithoutDoingAnythingToATerminal) {
  EXPECT_EQ(printable("a/ü.txt"), "a/ü.txt");
  EXPECT_EQ(printable("a\nb\tc\rd"), "a\\nb\\tc\\rd");
  EXPECT_EQ(printable("\x1b[31m\xff"), "\\x1b[31m\\xff");
  EXPECT_EQ(printable("a\u202eb"), "a\\xe2\\x80\\xaeb");
}

// Pieces of which names that look like .git are made.
std::string random_name(base::Random& random) {
  static constexpr auto kPieces = std::to_array<std::string_view>(
      {".git",  ".g", "git", "~1",   "it", "GIT", ".", " ", "\u200c", "\ufeff",
       ":",     "$",  "\\",  "\xff", "x",  "I",   "t", "G", "~2",     "::$INDEX_ALLOCATION",
       "\u206a"});
  std::string name;
  const std::uint64_t count = 1 + random.below(4);
  for (std::uint64_t i = 0; i < count; ++i) name += kPieces[random.below(kPieces.size())];
  return name;
}

TEST(TreePath, RefusesAllThatGitRefusesOnAnyFileSystem) {
  const test::Repository repository;
  repository.write("content", "");
  const std::string blob = repository.line({"hash-object", "-w", "content"});
  base::SeededRandom random(7);
  std::string input;
  std::vector<std::string> names;
  for (int i = 0; i < 3000; ++i) {
    names.push_back("d/" + random_name(random));
    input += "100644 " + blob + "\t" + names.back() + '\0';
  }
  // Git says which it ignored: "Ignoring path d/…".
  const auto result = repository.run({"-c", "core.protectHFS=true", "-c", "core.protectNTFS=true",
                                      "update-index", "--add", "-z", "--index-info"},
                                     input);
  std::size_t refused = 0;
  for (const std::string& name : names) {
    if (!result.error_output.contains("Ignoring path " + name + "\n")) continue;
    ++refused;
    EXPECT_FALSE(TreePath::parse(name).ok()) << printable(name);
  }
  EXPECT_GT(refused, 100U) << result.error_output;
}

}  // namespace
}  // namespace clever::git
