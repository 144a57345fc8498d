#include "git/project.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "git/object_store.h"
#include "support/repository.h"

namespace clever::git {
namespace {

namespace fs = std::filesystem;
using base::ErrorCode;
using test::Repository;
using testing::ElementsAre;
using testing::HasSubstr;

TEST(Project, IsFoundFromAnyFolderInIt) {
  const Repository repository;
  repository.write("a/b/c.txt", "");
  for (const char* folder : {"", "a", "a/b"}) {
    const Project project = Project::find(repository / folder).value();
    EXPECT_EQ(project.kind, ProjectKind::kRepository);
    EXPECT_EQ(project.root, repository.path());
    EXPECT_EQ(project.git_folder, repository / ".git");
    EXPECT_EQ(project.common_folder, repository / ".git");
    EXPECT_THAT(project.object_folders, ElementsAre(repository / ".git/objects"));
    EXPECT_FALSE(project.shallow);
    EXPECT_FALSE(project.sparse);
  }
}

TEST(Project, IsFoundThroughALink) {
  const Repository repository;
  fs::create_directory_symlink(repository.path(), repository.beside("link"));
  EXPECT_EQ(Project::find(repository.beside("link")).value().root, repository.path());
}

TEST(Project, MayBeAPlainFolder) {
  const Repository folder(Repository::Kind::kPlainFolder);
  const Project project = Project::find(folder.path()).value();
  EXPECT_EQ(project.kind, ProjectKind::kFolder);
  EXPECT_EQ(project.root, folder.path());
  const HeadState head = head_state(project).value();
  EXPECT_EQ(head.tree, empty_tree());
  EXPECT_FALSE(head.commit);
  EXPECT_EQ(operation_in_progress(project).value(), Operation::kNone);
}

TEST(Project, MayHaveANewlineInItsName) {
  const Repository outer(Repository::Kind::kPlainFolder);
  const fs::path folder = outer / "two\nlines";
  fs::create_directory(folder);
  outer.git({"init", "--quiet", "two\nlines"});
  const Project project = Project::find(folder).value();
  EXPECT_EQ(project.root, folder);
  EXPECT_EQ(project.git_folder, folder / ".git");
}

TEST(Project, MayBeALinkedWorktree) {
  const Repository repository;
  repository.commit();
  repository.git({"worktree", "add", "-q", repository.beside("linked").string()});
  const Project project = Project::find(repository.beside("linked")).value();
  EXPECT_EQ(project.root, repository.beside("linked"));
  EXPECT_EQ(project.git_folder, repository / ".git/worktrees/linked");
  EXPECT_EQ(project.common_folder, repository / ".git");
  EXPECT_EQ(head_state(project).value().branch, "refs/heads/linked");
}

TEST(Project, MayBeShallowOrSparse) {
  const Repository origin;
  origin.write("a/x", "");
  origin.write("b/x", "");
  origin.commit();
  origin.commit();
  origin.git({"clone", "-q", "--depth=1", "file://" + origin.path().string(),
              origin.beside("clone").string()});
  EXPECT_TRUE(Project::find(origin.beside("clone")).value().shallow);
  origin.git({"sparse-checkout", "set", "a"});
  EXPECT_TRUE(Project::find(origin.path()).value().sparse);
}

TEST(Project, RefusesAnInvalidFolder) {
  const Repository repository;
  repository.write("file", "");
  EXPECT_EQ(Project::find(repository / "missing").error().code(), ErrorCode::kNotFound);
  EXPECT_EQ(Project::find(repository / "file").error().code(), ErrorCode::kNotFound);
}

TEST(Project, RefusesABareRepositoryAndTheInsideOfDotGit) {
  const Repository repository;
  repository.git({"init", "-q", "--bare", repository.beside("bare").string()});
  EXPECT_EQ(Project::find(repository.beside("bare")).error().code(), ErrorCode::kInvalidArgument);
  EXPECT_EQ(Project::find(repository / ".git").error().code(), ErrorCode::kInvalidArgument);
  EXPECT_EQ(Project::find(repository / ".git/objects").error().code(), ErrorCode::kInvalidArgument);
}

TEST(Project, RefusesOtherObjectIds) {
  const Repository repository;
  repository.git({"init", "-q", "--object-format=sha256", repository.beside("large").string()});
  const auto project = Project::find(repository.beside("large"));
  EXPECT_EQ(project.error().code(), ErrorCode::kInvalidArgument);
  EXPECT_THAT(project.error().message(), HasSubstr("sha256"));
}

TEST(Project, NamesADamagedRepository) {
  const Repository repository;
  fs::remove(repository / ".git/HEAD");
  EXPECT_EQ(Project::find(repository.path()).error().code(), ErrorCode::kCorruption);
}

TEST(Project, NamesADamagedRepositoryInsideAnother) {
  const Repository repository;
  repository.write("inner/.git/nothing", "");
  const auto project = Project::find(repository / "inner");
  EXPECT_EQ(project.error().code(), ErrorCode::kCorruption);
  EXPECT_THAT(project.error().message(), HasSubstr("inner/.git"));
}

TEST(Project, NamesSettingsThatGitCannotRead) {
  const Repository repository;
  std::ofstream(repository / ".git/config") << "[core\n";
  EXPECT_EQ(Project::find(repository.path()).error().code(), ErrorCode::kCorruption);
}

TEST(Project, RefusesARepositoryOfAnotherUser) {
  const Repository repository;
  ::setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1", 1);
  const auto project = Project::find(repository.path());
  ::unsetenv("GIT_TEST_ASSUME_DIFFERENT_OWNER");
  EXPECT_EQ(project.error().code(), ErrorCode::kPermissionDenied);
  EXPECT_THAT(project.error().message(), HasSubstr("safe.directory"));
}

TEST(HeadState, IsUnbornBeforeTheFirstCommit) {
  const Repository repository;
  const HeadState head = head_state(Project::find(repository.path()).value()).value();
  EXPECT_EQ(head.branch, "refs/heads/main");
  EXPECT_FALSE(head.commit);
  EXPECT_EQ(head.tree, empty_tree());
}

TEST(HeadState, NamesBranchCommitAndTree) {
  const Repository repository;
  repository.write("a", "1");
  const std::string commit = repository.commit();
  const HeadState head = head_state(Project::find(repository.path()).value()).value();
  EXPECT_EQ(head.branch, "refs/heads/main");
  EXPECT_EQ(head.commit->to_hex(), commit);
  EXPECT_EQ(head.tree.to_hex(), repository.head_tree());
}

TEST(HeadState, MayBeDetached) {
  const Repository repository;
  const std::string commit = repository.commit();
  repository.git({"checkout", "-q", "--detach"});
  const HeadState head = head_state(Project::find(repository.path()).value()).value();
  EXPECT_EQ(head.branch, "");
  EXPECT_EQ(head.commit->to_hex(), commit);
}

TEST(HeadState, NamesACommitThatIsGone) {
  const Repository repository;
  const std::string commit = repository.commit();
  const Project project = Project::find(repository.path()).value();
  fs::remove(repository / (".git/objects/" + commit.substr(0, 2) + "/" + commit.substr(2)));
  EXPECT_EQ(head_state(project).error().code(), ErrorCode::kCorruption);
}

TEST(Operation, IsFoundByWhatGitLeaves) {
  const Repository repository;
  const Project project = Project::find(repository.path()).value();
  const auto check = [&](const char* sign, Operation expected) {
    fs::create_directories((repository / ".git" / sign).parent_path());
    std::ofstream(repository / ".git" / sign) << "x";
    EXPECT_EQ(operation_in_progress(project).value(), expected) << sign;
    fs::remove(repository / ".git" / sign);
  };
  EXPECT_EQ(operation_in_progress(project).value(), Operation::kNone);
  check("MERGE_HEAD", Operation::kMerge);
  check("CHERRY_PICK_HEAD", Operation::kCherryPick);
  check("REVERT_HEAD", Operation::kRevert);
  check("BISECT_LOG", Operation::kBisect);
  check("rebase-apply/applying", Operation::kApply);
  check("rebase-apply/next", Operation::kRebase);
  EXPECT_EQ(operation_in_progress(project).value(), Operation::kRebase);
}

TEST(Operation, HasGitsNames) {
  EXPECT_EQ(to_string(Operation::kNone), "");
  EXPECT_EQ(to_string(Operation::kMerge), "merge");
  EXPECT_EQ(to_string(Operation::kRebase), "rebase");
  EXPECT_EQ(to_string(Operation::kCherryPick), "cherry-pick");
  EXPECT_EQ(to_string(Operation::kRevert), "revert");
  EXPECT_EQ(to_string(Operation::kBisect), "bisect");
  EXPECT_EQ(to_string(Operation::kApply), "am");
}

}  // namespace
}  // namespace clever::git
