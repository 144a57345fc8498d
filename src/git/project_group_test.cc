#include "git/project_group.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "git/history.h"
#include "git/ignore_rules.h"
#include "git/tree.h"
#include "support/repository.h"

namespace clever::git {
namespace {

using test::Repository;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// Repositories called `api` and `web`, and a home.
class ProjectGroupTest : public ::testing::Test {
 protected:
  ProjectGroupTest() {
    api_ = add("api");
    web_ = add("web");
    std::filesystem::create_directory(home());
  }

  std::filesystem::path add(const std::string& name) {
    std::filesystem::path folder = beside_.beside(name);
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "README.md") << name << "\n";
    beside_.git({"-C", folder.string(), "init", "--quiet", "--initial-branch=main"});
    beside_.git({"-C", folder.string(), "add", "."});
    beside_.git({"-C", folder.string(), "-c", "user.name=Ada", "-c", "user.email=a@example.org",
                 "commit", "--quiet", "-m", "first"});
    return folder;
  }
  [[nodiscard]] std::filesystem::path home() const { return beside_.beside("home"); }
  [[nodiscard]] base::Result<Project> group(
      const std::vector<std::filesystem::path>& folders) const {
    return make_project_group(folders, {.own_home = home()});
  }
  [[nodiscard]] std::string refusal(const std::vector<std::filesystem::path>& folders) const {
    const auto found = group(folders);
    EXPECT_FALSE(found.ok());
    if (found.ok()) return "";
    EXPECT_EQ(found.error().code(), base::ErrorCode::kInvalidArgument);
    return found.error().sentence();
  }

  Repository beside_;
  std::filesystem::path api_;
  std::filesystem::path web_;
};

TEST_F(ProjectGroupTest, IsTheSameGroupWhateverTheOrderAndIsFoundByItsFolder) {
  const auto one = group({api_, web_});
  ASSERT_TRUE(one.ok()) << one.error().sentence();
  EXPECT_EQ(group({web_ / ".", api_})->root, one->root);
  ASSERT_EQ(one->members.size(), 2U);
  EXPECT_EQ(one->members[0].name, "api");
  EXPECT_EQ(one->members[1].root, web_);
  const auto found = Project::find(one->root, {.own_home = home()});
  ASSERT_TRUE(found.ok()) << found.error().sentence();
  ASSERT_EQ(found->members.size(), 2U);
  EXPECT_EQ(found->members[1].name, "web");
  EXPECT_THAT(groups_with(api_, home()), ElementsAre(one->root));
  EXPECT_TRUE(groups_with(home(), home()).empty());
  EXPECT_TRUE(Project::find(one->root)->members.empty()) << "only the home's folders are groups";
}

TEST_F(ProjectGroupTest, NamesTwoOfOneNameApart) {
  const auto other = add("other/api");
  const auto found = group({api_, other});
  ASSERT_TRUE(found.ok()) << found.error().sentence();
  EXPECT_EQ(found->members[0].name, "api");
  EXPECT_EQ(found->members[1].name, "api-2");
}

TEST_F(ProjectGroupTest, RefusesTheSameRepositoryTwice) {
  std::filesystem::create_directory_symlink(api_, beside_.beside("link"));
  const std::string linked = refusal({api_, beside_.beside("link")});
  EXPECT_THAT(linked, HasSubstr("same repository"));
  EXPECT_THAT(linked, HasSubstr(api_.string()));
  EXPECT_THAT(linked, HasSubstr(beside_.beside("link").string()));
  beside_.git({"-C", api_.string(), "worktree", "add", "--quiet", beside_.beside("tree").string()});
  EXPECT_THAT(refusal({beside_.beside("tree"), api_}), HasSubstr("same repository"));
  EXPECT_THAT(refusal({api_, api_ / "."}), HasSubstr("same repository"));
}

TEST_F(ProjectGroupTest, RefusesOneInsideTheOther) {
  const auto inner = add("api/vendor/inner");
  const std::string said = refusal({inner, api_});
  EXPECT_THAT(said, HasSubstr("one lies in the other"));
  EXPECT_THAT(said, HasSubstr(api_.string()));
  EXPECT_THAT(said, HasSubstr(inner.string()));
}

TEST_F(ProjectGroupTest, RefusesAnInvalidRepositoryOrGone) {
  EXPECT_THAT(refusal({api_, home()}), HasSubstr("is not a git repository"));
  EXPECT_THAT(refusal({api_, beside_.beside("gone")}), HasSubstr("gone"));
}

TEST_F(ProjectGroupTest, FindsNoGroupWhoseMemberIsGone) {
  const auto found = group({api_, web_});
  ASSERT_TRUE(found.ok());
  std::filesystem::remove_all(web_);
  const auto again = Project::find(found->root, {.own_home = home()});
  ASSERT_FALSE(again.ok());
  EXPECT_EQ(again.error().code(), base::ErrorCode::kNotFound);
  EXPECT_THAT(again.error().sentence(), HasSubstr(web_.string()));
}

TEST_F(ProjectGroupTest, SnapshotsAllMembersAsFolders) {
  const auto found = group({api_, web_});
  ASSERT_TRUE(found.ok());
  std::ofstream(web_ / "new.txt") << "new\n";
  std::ofstream(api_ / ".env") << "KEY=1\n";
  const auto store =
      ObjectStore::open({.folder = beside_.beside("store"), .borrowed = found->object_folders})
          .value();
  const auto snapshot = snapshot_working_tree(*found, *store);
  ASSERT_TRUE(snapshot.ok()) << snapshot.error().sentence();
  const auto there = [&](const char* path) {
    return find(*store, snapshot->tree, TreePath::parse(path).value()).value().has_value();
  };
  EXPECT_TRUE(there("api/README.md"));
  EXPECT_TRUE(there("web/new.txt"));
  EXPECT_FALSE(there("api/.env"));
  ASSERT_EQ(snapshot->heads.size(), 2U);
  EXPECT_EQ(snapshot->heads[0].branch, "refs/heads/main");
  EXPECT_EQ(snapshot->head.branch, "");
  ASSERT_EQ(snapshot->uncommitted.size(), 1U);
  EXPECT_EQ(snapshot->uncommitted[0].text(), "web/new.txt");
  EXPECT_EQ(found->secrets.secrecy("api/.env"), Secrecy::kSecret);
  EXPECT_EQ(found->secrets.secrecy("web/a.txt"), Secrecy::kNone);
}

TEST_F(ProjectGroupTest, IgnoresWhatEachMemberIgnoresAndWhatLiesBesideThem) {
  const auto found = group({api_, web_});
  ASSERT_TRUE(found.ok());
  std::ofstream(api_ / ".git/info/exclude") << "# a comment\n*.log\n/top\nsub/dir\n!kept.log\n";
  const auto store =
      ObjectStore::open({.folder = beside_.beside("store"), .borrowed = found->object_folders})
          .value();
  const auto snapshot = snapshot_working_tree(*found, *store).value();
  const auto rules =
      IgnoreRules::of_tree(*store, snapshot.tree, excludes_of(*found).value()).value();
  for (const char* path : {"stray", "api/a.log", "api/x/b.log", "api/top", "api/sub/dir"}) {
    EXPECT_TRUE(rules->ignores(path, false)) << path;
  }
  for (const char* path :
       {"api/a.c", "web/a.log", "web/top", "api/x/top", "api/x/sub/dir", "api/x/kept.log"}) {
    EXPECT_FALSE(rules->ignores(path, false)) << path;
  }
}

TEST_F(ProjectGroupTest, EachMemberHasItsHistory) {
  const auto found = group({api_, web_});
  ASSERT_TRUE(found.ok());
  EXPECT_FALSE(log(*found, std::nullopt, 10).ok());
  for (const char* path : {"api", "web/README.md"}) {
    const auto entries = log(*found, TreePath::parse(path).value(), 10);
    ASSERT_TRUE(entries.ok()) << entries.error().sentence();
    EXPECT_EQ(entries->entries.size(), 1U);
  }
  const auto blamed = blame(*found, TreePath::parse("api/README.md").value(), std::nullopt, {});
  ASSERT_TRUE(blamed.ok()) << blamed.error().sentence();
  EXPECT_EQ(blamed->lines.at(0).text, "api");
}

}  // namespace
}  // namespace clever::git
