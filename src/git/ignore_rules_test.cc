#include "git/ignore_rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include "base/random.h"
#include "git/ignore_file.h"
#include "git/tree.h"
#include "support/repository.h"
#include "support/temporary_directory.h"

namespace clever::git {
namespace {

namespace fs = std::filesystem;

// The rules of a tree with these files.
class Rules {
 public:
  explicit Rules(const std::vector<std::pair<std::string, std::string>>& files,
                 std::string_view excludes = "")
      : rules_(IgnoreRules::of_tree(*store_, tree_of(files), excludes).value()) {}

  [[nodiscard]] bool file(std::string_view path) const { return rules_->ignores(path, false); }
  [[nodiscard]] bool folder(std::string_view path) const { return rules_->ignores(path, true); }

 private:
  [[nodiscard]] ObjectId tree_of(const std::vector<std::pair<std::string, std::string>>& files) {
    std::vector<TreeChange> changes;
    for (const auto& [name, content] : files) {
      changes.push_back({TreePath::parse(name).value(),
                         Node{.id = store_->put(ObjectKind::kBlob, content).value()}});
    }
    return edit_tree(*store_, empty_tree(), changes).value();
  }

  test::TemporaryDirectory folder_;
  std::shared_ptr<ObjectStore> store_ = ObjectStore::open({.folder = folder_ / "store"}).value();
  std::shared_ptr<const IgnoreRules> rules_;
};

TEST(IgnoreRules, MatchNamesAnywhereAndPathsFromTheirFolder) {
  const Rules rules({{".gitignore", "*.o\n/top\nsub/x\n"}});
  EXPECT_TRUE(rules.file("a.o"));
  EXPECT_TRUE(rules.file("d/e/a.o"));
  EXPECT_TRUE(rules.file("top"));
  EXPECT_FALSE(rules.file("d/top"));
  EXPECT_TRUE(rules.file("sub/x"));
  EXPECT_FALSE(rules.file("d/sub/x"));
  EXPECT_FALSE(rules.file(""));
}

TEST(IgnoreRules, TellFoldersFromFiles) {
  const Rules rules({{".gitignore", "build/\n"}});
  EXPECT_TRUE(rules.folder("build"));
  EXPECT_FALSE(rules.file("build"));
  EXPECT_TRUE(rules.file("d/build/x/y"));
}

TEST(IgnoreRules, KeepWhatALaterLineKeeps) {
  const Rules rules({{".gitignore", "*.log\n!keep.log\n"}});
  EXPECT_TRUE(rules.file("a.log"));
  EXPECT_FALSE(rules.file("keep.log"));
}

TEST(IgnoreRules, KeepNothingInAnIgnoredFolder) {
  const Rules rules({{".gitignore", "out\n!out/keep\n"}, {"out/.gitignore", "!*\n"}});
  EXPECT_TRUE(rules.file("out/keep"));
}

TEST(IgnoreRules, OfANearerFolderAreStronger) {
  const Rules rules({{".gitignore", "*.x\n"}, {"d/.gitignore", "!*.x\n/only\n"}, {"d/e/f", ""}});
  EXPECT_TRUE(rules.file("a.x"));
  EXPECT_FALSE(rules.file("d/a.x"));
  EXPECT_FALSE(rules.file("d/e/a.x"));
  EXPECT_TRUE(rules.file("d/only"));
  EXPECT_FALSE(rules.file("d/e/only"));
  EXPECT_FALSE(rules.file("d/missing/folder/a.x"));
  EXPECT_FALSE(rules.file("d/e/f/below a file.x"));
}

TEST(IgnoreRules, TakeTheExcludesLast) {
  const Rules rules({{".gitignore", "!b\n"}}, "a\nb\n");
  EXPECT_TRUE(rules.file("a"));
  EXPECT_FALSE(rules.file("b"));
}

TEST(IgnoreRules, ReadLinesAsGitDoes) {
  const Rules rules({{".gitignore",
                      "\xef\xbb\xbf"
                      "first\n# comment\n\\#hash\n\\!bang\nspaces   \nkept\\ \r\n"
                      "\n/\n!\nlast"}});
  for (const char* name : {"first", "#hash", "!bang", "spaces", "kept ", "last"}) {
    EXPECT_TRUE(rules.file(name)) << name;
  }
  EXPECT_FALSE(rules.file("# comment"));
  EXPECT_FALSE(rules.file("other"));
}

TEST(IgnoreFile, KnowsWhetherALineSaysTheNameItself) {
  EXPECT_TRUE(IgnoreFile("x/.env").decision("x/.env", false)->by_name);
  EXPECT_FALSE(IgnoreFile("*").decision(".env", false)->by_name);
  EXPECT_FALSE(IgnoreFile(".e*").decision(".env", false)->by_name);
  EXPECT_FALSE(IgnoreFile(".env\n!.env").decision(".env", false)->ignores);
  EXPECT_FALSE(IgnoreFile("a").decision("b", false).has_value());
}

TEST(IgnoreRules, NeedATree) {
  const test::TemporaryDirectory folder;
  const auto store = ObjectStore::open({.folder = folder / "store"}).value();
  EXPECT_EQ(IgnoreRules::of_tree(*store, ObjectId(), "").error().code(),
            base::ErrorCode::kNotFound);
}

TEST(IgnoreRules, IgnoreAnIgnoreFileThatIsALink) {
  const test::TemporaryDirectory folder;
  const auto store = ObjectStore::open({.folder = folder / "store"}).value();
  const Node link{.mode = FileMode::kLink, .id = store->put(ObjectKind::kBlob, "x").value()};
  const ObjectId tree = store->put_tree({{".gitignore", link}}).value();
  EXPECT_FALSE(IgnoreRules::of_tree(*store, tree, "").value()->ignores("x", false));
}

TEST(ExcludesOf, JoinsTheUsersAndTheRepositorys) {
  const test::Repository repository;
  fs::create_directories(repository / ".git/info");
  std::ofstream(repository / ".git/info/exclude") << "own\n!both\n";
  std::ofstream(repository.beside("excludes")) << "users\nboth";
  repository.git({"config", "core.excludesFile", repository.beside("excludes").string()});
  const std::string text = excludes_of(Project::find(repository.path()).value()).value();
  EXPECT_EQ(text, "users\nboth\nown\n!both\n");
}

TEST(ExcludesOf, LooksWhereGitLooksWithoutASetting) {
  const test::Repository folder(test::Repository::Kind::kPlainFolder);
  fs::create_directories(folder.beside("settings") / "git");
  std::ofstream(folder.beside("settings") / "git/ignore") << "usual\n";
  ::setenv("XDG_CONFIG_HOME", folder.beside("settings").c_str(), 1);
  const Project project = Project::find(folder.path()).value();
  EXPECT_EQ(excludes_of(project).value(), "usual\n");
  ::unsetenv("XDG_CONFIG_HOME");
  EXPECT_TRUE(excludes_of(project).ok());
}

// ---- git's own opinion
// ---------------------------------------------------------------------------

std::string one_of(base::Random& random, const std::vector<std::string>& choices) {
  return choices[random.below(choices.size())];
}

std::string random_pattern(base::Random& random) {
  static const std::vector<std::string> kParts = {"a",   "b",  "c",     "*",    "**",  "?",
                                                  "a*",  "*b", "[ab]",  "[!a]", "/",   "/",
                                                  "\\a", "ab", "[a-c]", "**/",  "/**", "a.b"};
  std::string pattern = random.below(4) == 0 ? "!" : "";
  if (random.below(4) == 0) pattern += "/";
  const std::uint64_t count = 1 + random.below(4);
  for (std::uint64_t i = 0; i < count; ++i) pattern += one_of(random, kParts);
  if (random.below(4) == 0) pattern += "/";
  if (random.below(10) == 0) pattern += " ";
  return pattern;
}

std::string random_rules(base::Random& random) {
  std::string text;
  const std::uint64_t count = 1 + random.below(4);
  for (std::uint64_t i = 0; i < count; ++i) text += random_pattern(random) + "\n";
  return text;
}

// Three levels of the same few names; folders end in 'c' or 'b'.
std::vector<std::string> all_paths() {
  const std::vector<std::string> folders = {"b", "c", "ab"};
  const std::vector<std::string> files = {"a", "a.b", "aa"};
  std::vector<std::string> paths = files;
  for (const std::string& top : folders) {
    for (const std::string& file : files) paths.push_back(top + "/" + file);
    for (const std::string& middle : folders) {
      for (const std::string& file : files) paths.push_back(top + "/" + middle + "/" + file);
    }
  }
  return paths;
}

std::set<std::string> ignored_by_git(const test::Repository& repository,
                                     const std::vector<std::string>& paths) {
  std::string input;
  for (const std::string& path : paths) input += path + '\0';
  const auto result = repository.run({"check-ignore", "--no-index", "-z", "--stdin"}, input);
  std::set<std::string> ignored;
  std::size_t begin = 0;
  for (std::size_t end = result.output.find('\0'); end != std::string::npos;
       end = result.output.find('\0', begin)) {
    ignored.insert(result.output.substr(begin, end - begin));
    begin = end + 1;
  }
  return ignored;
}

TEST(IgnoreRules, AgreeWithGitOnRandomRules) {
  const test::Repository repository;
  std::vector<std::string> paths = all_paths();
  for (const std::string& path : paths) repository.write(path, "");
  std::set<std::string> folders;
  for (const std::string& path : paths) {
    for (std::size_t slash = path.find('/'); slash != std::string::npos;
         slash = path.find('/', slash + 1)) {
      folders.insert(path.substr(0, slash));
    }
  }
  paths.insert(paths.end(), folders.begin(), folders.end());
  base::SeededRandom random(11);
  for (int round = 0; round < 60; ++round) {
    std::vector<std::pair<std::string, std::string>> files;
    for (const char* folder : {"", "b/", "c/", "b/c/"}) {
      const std::string name = std::string(folder) + ".gitignore";
      repository.remove(name);
      if (random.below(2) == 0) continue;
      files.emplace_back(name, random_rules(random));
      repository.write(name, files.back().second);
    }
    const std::string excludes = random_rules(random);
    fs::create_directories(repository / ".git/info");
    std::ofstream(repository / ".git/info/exclude") << excludes;
    const std::set<std::string> expected = ignored_by_git(repository, paths);
    const Rules rules(files, excludes);
    for (const std::string& path : paths) {
      const bool ours = folders.contains(path) ? rules.folder(path) : rules.file(path);
      EXPECT_EQ(ours, expected.contains(path))
          << path << " with " << testing::PrintToString(files) << " and " << excludes;
    }
    if (testing::Test::HasFailure()) return;
  }
}

}  // namespace
}  // namespace clever::git
