#include "apply/apply.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "io/file_descriptor.h"
#include "support/changes.h"
#include "support/permissions.h"
#include "support/repository.h"

namespace clever::apply {
namespace {

using base::ErrorCode;
using test::Changes;
using test::permissions_of;
using test::Repository;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

constexpr std::uint32_t kExecutable = 0100755;
constexpr std::uint32_t kLink = 0120000;

/// A repository with a commit, a store, and requests for it.
class ApplyFixture {
 public:
  explicit ApplyFixture(Repository::Kind kind = Repository::Kind::kGit) : repository(kind) {
    repository.write("a.txt", "a\n");
    repository.write("b.txt", "b\n");
    repository.write("folder/inner/c.txt", "c\n");
    if (kind == Repository::Kind::kGit) repository.commit("first");
    open();
  }
  void open() {
    project = git::Project::find(repository.path()).value();
    changes.emplace(project, repository.beside("store"));
  }
  [[nodiscard]] Request request(Mode mode = Mode::kCommit) const {
    return {
        .project = project,
        .store = changes->store(),
        .plan = plan,
        .digest = model::digest_of(changes->sorted()),
        .changes = changes->sorted(),
        .mode = mode,
        .message = "Change things\n\nBecause.",
        .expected_branch = project.kind == git::ProjectKind::kRepository ? "refs/heads/main" : "",
        .state_folder = repository.beside("state")};
  }
  [[nodiscard]] std::string status() const { return repository.git({"status", "--porcelain"}); }
  [[nodiscard]] std::string log() const { return repository.git({"log", "--format=%s"}); }
  /// Nothing of ours is left in the project.
  void expect_clean() const {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(repository.path())) {
      EXPECT_THAT(entry.path().filename().string(), ::testing::Not(HasSubstr("cleveragents")));
      EXPECT_NE(entry.path().filename(), "index.lock");
    }
  }

  Repository repository;
  git::Project project;
  std::optional<Changes> changes;
  model::PlanId plan = Changes::new_plan();
};

Outcome applied(const Request& request) {
  auto outcome = apply(request);
  EXPECT_TRUE(outcome.ok()) << outcome.error().to_string();
  if (!outcome.ok()) return {};
  EXPECT_EQ(outcome->kind, Outcome::Kind::kApplied)
      << outcome->reason
      << (outcome->moved_on.empty() ? ""
                                    : outcome->moved_on[0].path + " " + outcome->moved_on[0].why);
  return *std::move(outcome);
}

Outcome constrained(const base::Result<Outcome>& outcome) {
  EXPECT_TRUE(outcome.ok()) << outcome.error().to_string();
  if (!outcome.ok()) return {};
  EXPECT_EQ(outcome->kind, Outcome::Kind::kConstrained);
  return *outcome;
}

ErrorCode code(const base::Result<Outcome>& outcome) {
  EXPECT_FALSE(outcome.ok());
  return outcome.ok() ? ErrorCode::kInternal : outcome.error().code();
}

MATCHER_P2(Is, path, why, "") { return arg.path == path && arg.why == why; }

TEST(Apply, CommitsOnTheCurrentBranch) {
  ApplyFixture fixture;
  fixture.changes->modify("a.txt", "a\n", "new a\n")
      .create("new/deep/d.txt", "d\n")
      .remove("folder/inner/c.txt", "c\n");
  const Outcome outcome = applied(fixture.request());
  const Repository& repository = fixture.repository;
  EXPECT_EQ(repository.read("a.txt"), "new a\n");
  EXPECT_EQ(repository.read("new/deep/d.txt"), "d\n");
  EXPECT_FALSE(std::filesystem::exists(repository / "folder"));
  EXPECT_EQ(fixture.status(), "");
  EXPECT_EQ(fixture.log(), "Change things\nfirst\n");
  EXPECT_EQ(outcome.commit.value().to_hex(), repository.line({"rev-parse", "main"}));
  EXPECT_EQ(outcome.reason, "");
  EXPECT_THAT(outcome.files, ElementsAre("a.txt", "folder/inner/c.txt", "new/deep/d.txt"));
  fixture.expect_clean();
}

TEST(Apply, TheCommitIsTheUsersAndNamesThePlan) {
  ApplyFixture fixture;
  fixture.changes->modify("a.txt", "a\n", "new a\n");
  applied(fixture.request());
  EXPECT_EQ(fixture.repository.line({"log", "-1", "--format=%an <%ae> %cn%n%B"}),
            "Ada <ada@example.org> Ada\nChange things\n\nBecause.\n\nPlan-Id: " +
                fixture.plan.to_string());
  EXPECT_THAT(fixture.repository.line({"reflog", "-1", "--format=%gs"}),
              StartsWith("agents plan apply: Change things"));
  EXPECT_THAT(fixture.repository.line({"reflog", "show", "main", "-1", "--format=%gs"}),
              StartsWith("agents plan apply"));
}

TEST(Apply, TheIndexHasFreshFileTimes) {
  ApplyFixture fixture;
  fixture.changes->modify("a.txt", "a\n", "new a\n").create("d.txt", "d\n");
  applied(fixture.request());
  // Plumbing does not refresh: it would show files whose times the index does not know.
  EXPECT_EQ(fixture.repository.git({"diff-files"}), "");
}

TEST(Apply, TheIndexHasFreshFileTimesOfManyFiles) {
  ApplyFixture fixture;
  fixture.repository.write("b.txt", "edited\n");
  for (int i = 0; i < 500; ++i) fixture.changes->create("new" + std::to_string(i), "x\n");
  applied(fixture.request());
  EXPECT_EQ(fixture.repository.line({"diff-files", "--name-only"}), "b.txt");
}

TEST(Apply, LeavesOtherUncommittedAndStagedChangesAlone) {
  ApplyFixture fixture;
  fixture.repository.write("b.txt", "edited\n");
  fixture.repository.write("staged.txt", "staged\n");
  fixture.repository.git({"add", "staged.txt"});
  fixture.changes->modify("a.txt", "a\n", "new a\n");
  applied(fixture.request());
  EXPECT_EQ(fixture.status(), " M b.txt\nA  staged.txt\n");
  EXPECT_EQ(fixture.repository.git({"show", "--format=", "--name-only", "HEAD"}), "a.txt\n");
}

TEST(Apply, WorkingTreeOnly) {
  ApplyFixture fixture;
  fixture.changes->modify("a.txt", "a\n", "new a\n").create("d.txt", "d\n");
  const Outcome outcome = applied(fixture.request(Mode::kWorkingTree));
  EXPECT_FALSE(outcome.commit.has_value());
  EXPECT_EQ(fixture.status(), " M a.txt\n?? d.txt\n");
  EXPECT_EQ(fixture.log(), "first\n");
  fixture.expect_clean();
}

TEST(Apply, OnANewBranchTheWorkingTreeStays) {
  ApplyFixture fixture;
  fixture.repository.write("b.txt", "edited\n");
  fixture.changes->modify("a.txt", "a\n", "new a\n").create("d/e.txt", "e\n");
  Request request = fixture.request(Mode::kBranch);
  request.branch = "agents/work";
  const Outcome outcome = applied(request);
  EXPECT_EQ(fixture.status(), " M b.txt\n");
  EXPECT_EQ(fixture.repository.line({"rev-parse", "agents/work^"}),
            fixture.repository.line({"rev-parse", "main"}));
  EXPECT_EQ(fixture.repository.git({"show", "agents/work:d/e.txt"}), "e\n");
  EXPECT_EQ(outcome.commit.value().to_hex(), fixture.repository.line({"rev-parse", "agents/work"}));
  fixture.expect_clean();
}

TEST(Apply, ANewBranchMustBeNewAndHaveAName) {
  ApplyFixture fixture;
  fixture.repository.git({"branch", "taken"});
  fixture.changes->modify("a.txt", "a\n", "new a\n");
  Request request = fixture.request(Mode::kBranch);
  request.branch = "taken";
  EXPECT_EQ(code(apply(request)), ErrorCode::kAlreadyExists);
  for (const char* name : {"", "a..b", "-x", "a b"}) {
    request.branch = name;
    EXPECT_EQ(code(apply(request)), ErrorCode::kInvalidArgument) << name;
  }
  fixture.expect_clean();
}

TEST(Apply, ABranchStartsFromWhatIsCommitted) {
  ApplyFixture fixture;
  fixture.repository.write("a.txt", "edited\n");
  fixture.changes->modify("a.txt", "edited\n", "new a\n");
  Request request = fixture.request(Mode::kBranch);
  request.branch = "work";
  EXPECT_THAT(constrained(apply(request)).moved_on,
              ElementsAre(Is("a.txt", "differs in the last commit from what the changes expect")));
}

TEST(Apply, ABranchThatMovedOnKeepsTheDigest) {
  ApplyFixture fixture;
  fixture.changes->modify("a.txt", "a\n", "new a\n");
  const Request request = fixture.request();
  fixture.repository.write("b.txt", "theirs\n");
  fixture.repository.commit("second");
  applied(request);
  EXPECT_EQ(fixture.log(), "Change things\nsecond\nfirst\n");
  EXPECT_EQ(fixture.repository.git({"show", "HEAD:b.txt"}), "theirs\n");
  EXPECT_EQ(fixture.status(), "");
}

TEST(Apply, IsConstrainedIfATouchedFileIsNotWhatItWas) {
  ApplyFixture fixture;
  fixture.changes->modify("a.txt", "a\n", "new a\n")
      .modify("b.txt", "b\n", "new b\n")
      .remove("folder/inner/c.txt", "c\n")
      .create("d.txt", "d\n")
      .create("e.txt", "e\n");
  fixture.repository.write("a.txt", "edited\n");
  fixture.repository.remove("b.txt");
  fixture.repository.write("d.txt", "theirs\n");
  fixture.repository.write("folder/inner/c.txt", "c\n", /*executable=*/true);
  const std::string before = fixture.status();
  EXPECT_THAT(
      constrained(apply(fixture.request())).moved_on,
      ElementsAre(Is("a.txt", "changed since"), Is("b.txt", "is gone"),
                  Is("d.txt", "was created meanwhile"), Is("folder/inner/c.txt", "changed since")));
  EXPECT_EQ(fixture.status(), before);
  EXPECT_EQ(fixture.repository.read("d.txt"), "theirs\n");
  EXPECT_FALSE(std::filesystem::exists(fixture.repository / "e.txt"));
  fixture.expect_clean();
}

TEST(Apply, AnIgnoredFileInTheWayIsNotOverwritten) {
  ApplyFixture fixture;
  fixture.repository.write(".git/info/exclude", "*.log\n");
  fixture.repository.write("x.log", "theirs\n");
  fixture.changes->create("x.log", "ours\n");
  EXPECT_THAT(constrained(apply(fixture.request())).moved_on,
              ElementsAre(Is("x.log", "was created meanwhile")));
  EXPECT_EQ(fixture.repository.read("x.log"), "theirs\n");
}

TEST(Apply, IsConstrainedOnAnotherBranch) {
  ApplyFixture fixture;
  fixture.changes->modify("a.txt", "a\n", "new a\n");
  fixture.repository.git({"checkout", "--quiet", "-b", "other"});
  EXPECT_THAT(constrained(apply(fixture.request())).reason,
              "the plan began on branch main, and HEAD is now at branch other");
  fixture.repository.git({"checkout", "--quiet", "--detach"});
  EXPECT_THAT(constrained(apply(fixture.request())).reason,
              HasSubstr("HEAD is now at a commit without a branch"));
  EXPECT_EQ(fixture.repository.read("a.txt"), "a\n");
  fixture.expect_clean();
}

TEST(Apply, MovesADetachedHeadItself) {
  ApplyFixture fixture;
  fixture.repository.git({"checkout", "--quiet", "--detach"});
  fixture.changes->modify("a.txt", "a\n", "new a\n");
  Request request = fixture.request();
  request.expected_branch = "";
  const Outcome outcome = applied(request);
  EXPECT_EQ(fixture.repository.line({"rev-parse", "HEAD"}), outcome.commit.value().to_hex());
  EXPECT_NE(fixture.repository.line({"rev-parse", "main"}), outcome.commit.value().to_hex());
  EXPECT_EQ(fixture.repository.run({"symbolic-ref", "-q", "HEAD"}).exit_code, 1);
  EXPECT_EQ(fixture.status(), "");
}

TEST(Apply, MakesTheFirstCommit) {
  ApplyFixture fixture(Repository::Kind::kPlainFolder);
  fixture.repository.git({"init", "--quiet", "--initial-branch=main"});
  fixture.repository.git({"config", "user.name", "Ada"});
  fixture.repository.git({"config", "user.email", "ada@example.org"});
  fixture.open();
  fixture.changes->create("new.txt", "new\n");
  applied(fixture.request());
  EXPECT_EQ(fixture.log(), "Change things\n");
  EXPECT_EQ(fixture.repository.git({"ls-tree", "--name-only", "HEAD"}), "new.txt\n");
  EXPECT_THAT(fixture.status(), HasSubstr("?? a.txt"));
  EXPECT_THAT(fixture.status(), ::testing::Not(HasSubstr("new.txt")));
}

TEST(Apply, UncommittedEditsLandInTheWorkingTreeWithoutACommit) {
  ApplyFixture fixture;
  fixture.repository.write("a.txt", "edited\n");
  fixture.changes->modify("a.txt", "edited\n", "edited more\n").modify("b.txt", "b\n", "new b\n");
  Request request = fixture.request();
  request.uncommitted = {git::TreePath::parse("a.txt").value()};
  const Outcome outcome = applied(request);
  EXPECT_FALSE(outcome.commit.has_value());
  EXPECT_EQ(outcome.reason,
            "a.txt had uncommitted changes: the files were changed, without a commit");
  EXPECT_EQ(fixture.status(), " M a.txt\n M b.txt\n");
  EXPECT_EQ(fixture.log(), "first\n");
}

TEST(Apply, StagedContentOfATouchedFileIsNotLost) {
  ApplyFixture fixture;
  fixture.repository.write("a.txt", "staged\n");
  fixture.repository.git({"add", "a.txt"});
  fixture.repository.write("a.txt", "a\n");
  fixture.changes->modify("a.txt", "a\n", "new a\n");
  EXPECT_THAT(applied(fixture.request()).reason, HasSubstr("uncommitted changes"));
  EXPECT_EQ(fixture.repository.git({"show", ":a.txt"}), "staged\n");
  EXPECT_EQ(fixture.repository.read("a.txt"), "new a\n");
}

TEST(Apply, PlainFoldersAreChangedWithoutACommit) {
  ApplyFixture fixture(Repository::Kind::kPlainFolder);
  fixture.changes->modify("a.txt", "a\n", "new a\n")
      .create("d/e.txt", "e\n")
      .create("link", "a.txt", kLink)
      .create("run", "#!/bin/sh\n", kExecutable)
      .remove("folder/inner/c.txt", "c\n");
  const Outcome outcome = applied(fixture.request());
  EXPECT_THAT(outcome.reason, HasSubstr("not a git repository"));
  EXPECT_EQ(fixture.repository.read("a.txt"), "new a\n");
  EXPECT_EQ(fixture.repository.read("d/e.txt"), "e\n");
  EXPECT_EQ(std::filesystem::read_symlink(fixture.repository / "link"), "a.txt");
  EXPECT_EQ(permissions_of(fixture.repository / "run") & 0100U, 0100U);
  EXPECT_FALSE(std::filesystem::exists(fixture.repository / "folder"));
  fixture.expect_clean();
  Request branch = fixture.request(Mode::kBranch);
  branch.branch = "x";
  EXPECT_EQ(code(apply(branch)), ErrorCode::kInvalidArgument);
}

TEST(Apply, TheSameDigestOfAPlanLandsOnce) {
  ApplyFixture fixture;
  fixture.changes->modify("a.txt", "a\n", "new a\n");
  EXPECT_FALSE(landed(fixture.request()).value().has_value());
  const Outcome first = applied(fixture.request());
  EXPECT_EQ(landed(fixture.request()).value()->kind, Outcome::Kind::kAlready);
  EXPECT_EQ(landed(fixture.request()).value()->commit, first.commit);
  const auto second = apply(fixture.request());
  ASSERT_TRUE(second.ok());
  EXPECT_EQ(second->kind, Outcome::Kind::kAlready);
  EXPECT_EQ(second->commit, first.commit);
  EXPECT_EQ(fixture.log(), "Change things\nfirst\n");
}

TEST(Apply, RefusesWhatWasNotApproved) {
  ApplyFixture fixture;
  fixture.changes->modify("a.txt", "a\n", "new a\n");
  Request request = fixture.request();
  request.digest = base::sha256("something else");
  const auto outcome = apply(request);
  EXPECT_EQ(code(outcome), ErrorCode::kInvalidArgument);
  EXPECT_THAT(outcome.error().message(), HasSubstr("not the ones that were approved"));
}

TEST(Apply, RefusesBytesThatAreNotTheApprovedOnes) {
  ApplyFixture fixture;
  model::FileState after = fixture.changes->state("what is there\n");
  after.hash = base::sha256("what was approved\n");
  fixture.changes->add("a.txt", fixture.changes->state("a\n"), after);
  EXPECT_EQ(code(apply(fixture.request())), ErrorCode::kCorruption);
  EXPECT_EQ(fixture.repository.read("a.txt"), "a\n");
  fixture.expect_clean();
}

TEST(Apply, RefusesPathsThatAreInvalid) {
  ApplyFixture fixture;
  const auto refused = [&](const std::string& path) {
    ApplyFixture other;
    other.changes->create(path, "x");
    return code(apply(other.request()));
  };
  EXPECT_EQ(refused("../x"), ErrorCode::kPermissionDenied);
  EXPECT_EQ(refused("/etc/x"), ErrorCode::kPermissionDenied);
  EXPECT_EQ(refused(".git/hooks/pre-commit"), ErrorCode::kPermissionDenied);
  EXPECT_EQ(refused("d/.GIT/config"), ErrorCode::kPermissionDenied);
  EXPECT_EQ(refused("./x"), ErrorCode::kInvalidArgument);
}

TEST(Apply, RefusesChangesThatAreInvalid) {
  ApplyFixture fixture;
  fixture.changes->modify("a.txt", "a\n", "a\n");
  EXPECT_EQ(code(apply(fixture.request())), ErrorCode::kInvalidArgument);
  ApplyFixture twice;
  twice.changes->create("x", "1").create("x", "2");
  EXPECT_EQ(code(apply(twice.request())), ErrorCode::kInvalidArgument);
  ApplyFixture odd;
  odd.changes->create("x", "1", 0100600);
  EXPECT_EQ(code(apply(odd.request())), ErrorCode::kInvalidArgument);
  ApplyFixture submodule;
  submodule.changes->create("x", "1", 0160000);
  EXPECT_EQ(code(apply(submodule.request())), ErrorCode::kPermissionDenied);
}

TEST(Apply, LinksModesAndOddNames) {
  ApplyFixture fixture;
  fixture.repository.link("link", "a.txt");
  fixture.repository.write("run", "run\n", /*executable=*/true);
  fixture.repository.write("read-only", "x\n");
  std::filesystem::permissions(fixture.repository / "read-only", std::filesystem::perms(0444));
  fixture.repository.commit("second");
  Changes& changes = *fixture.changes;
  changes.modify("link", "a.txt", "b.txt", kLink)
      .add("run", changes.state("run\n", kExecutable), changes.state("run\n"))
      .add("a.txt", changes.state("a\n"), changes.state("a\n", kExecutable))
      .add("b.txt", changes.state("b\n"), changes.state("a.txt", kLink))
      .modify("read-only", "x\n", "y\n")
      .create("new\nline \xff\"", "odd\n")
      .create("-dash", "dash\n")
      .create("new-link", "nowhere", kLink);
  applied(fixture.request());
  const Repository& repository = fixture.repository;
  EXPECT_EQ(std::filesystem::read_symlink(repository / "link"), "b.txt");
  EXPECT_EQ(std::filesystem::read_symlink(repository / "new-link"), "nowhere");
  EXPECT_EQ(std::filesystem::read_symlink(repository / "b.txt"), "a.txt");
  EXPECT_EQ(permissions_of(repository / "run") & 0111U, 0U);
  EXPECT_EQ(permissions_of(repository / "a.txt"), 0755U);
  EXPECT_EQ(permissions_of(repository / "read-only"), 0444U);
  EXPECT_EQ(repository.read("read-only"), "y\n");
  EXPECT_EQ(repository.read("new\nline \xff\""), "odd\n");
  EXPECT_EQ(fixture.status(), "");
}

TEST(Apply, AFileBecomesAFolderAndAFolderAFile) {
  ApplyFixture fixture;
  fixture.changes->remove("a.txt", "a\n")
      .create("a.txt/inside/x", "x\n")
      .remove("folder/inner/c.txt", "c\n")
      .create("folder", "now a file\n");
  applied(fixture.request());
  EXPECT_EQ(fixture.repository.read("a.txt/inside/x"), "x\n");
  EXPECT_EQ(fixture.repository.read("folder"), "now a file\n");
  EXPECT_EQ(fixture.status(), "");
  fixture.expect_clean();
}

TEST(Apply, AFolderWithOtherFilesDoesNotBecomeAFile) {
  ApplyFixture fixture;
  fixture.repository.write("folder/inner/theirs", "theirs\n");
  fixture.changes->modify("a.txt", "a\n", "new a\n")
      .remove("folder/inner/c.txt", "c\n")
      .create("folder", "now a file\n");
  EXPECT_THAT(constrained(apply(fixture.request())).moved_on,
              ElementsAre(Is("folder", "was created meanwhile")));
  EXPECT_EQ(fixture.repository.read("a.txt"), "a\n");
  EXPECT_EQ(fixture.repository.read("folder/inner/c.txt"), "c\n");
  EXPECT_EQ(fixture.repository.read("folder/inner/theirs"), "theirs\n");
  fixture.expect_clean();
}

TEST(Apply, KeepsFoldersInWhichSomethingIsLeft) {
  ApplyFixture fixture;
  fixture.repository.write("folder/untracked", "theirs\n");
  fixture.changes->remove("folder/inner/c.txt", "c\n");
  applied(fixture.request());
  EXPECT_EQ(fixture.repository.read("folder/untracked"), "theirs\n");
  EXPECT_FALSE(std::filesystem::exists(fixture.repository / "folder/inner"));
}

TEST(Apply, LineEndsAreTheWorkingTrees) {
  ApplyFixture fixture;
  fixture.repository.write(".gitattributes", "*.txt text eol=crlf\n");
  fixture.repository.write("a.txt", "a\r\n");
  fixture.repository.write("b.txt", "b\r\n");
  fixture.repository.commit("line ends");
  fixture.changes->modify("a.txt", "a\n", "one\ntwo\n").create("d.txt", "d\n");
  applied(fixture.request());
  EXPECT_EQ(fixture.repository.read("a.txt"), "one\r\ntwo\r\n");
  EXPECT_EQ(fixture.repository.read("d.txt"), "d\r\n");
  EXPECT_EQ(fixture.repository.git({"show", "HEAD:a.txt"}), "one\ntwo\n");
  EXPECT_EQ(fixture.status(), "");
}

TEST(Apply, FilesUnderExternalFiltersAreReadOnly) {
  ApplyFixture fixture;
  fixture.repository.write(".gitattributes", "*.bin filter=lfs\n");
  fixture.repository.commit("attributes");
  fixture.changes->create("x.bin", "x\n");
  EXPECT_THAT(constrained(apply(fixture.request())).moved_on,
              ElementsAre(Is("x.bin", "is under the external filter lfs, and read-only")));
}

TEST(Apply, ModesAreNotLookedAtWhereGitDoesNot) {
  ApplyFixture fixture;
  fixture.repository.git({"config", "core.fileMode", "false"});
  std::filesystem::permissions(fixture.repository / "a.txt", std::filesystem::perms(0755));
  fixture.changes->modify("a.txt", "a\n", "new a\n");
  applied(fixture.request());
  EXPECT_EQ(fixture.status(), "");
}

TEST(Apply, RefusesInTheMiddleOfAMerge) {
  ApplyFixture fixture;
  fixture.repository.git({"checkout", "--quiet", "-b", "other"});
  fixture.repository.write("b.txt", "theirs\n");
  fixture.repository.commit("theirs");
  fixture.repository.git({"checkout", "--quiet", "main"});
  fixture.repository.write("b.txt", "ours\n");
  fixture.repository.commit("ours");
  EXPECT_NE(fixture.repository.run({"merge", "other"}).exit_code, 0);
  fixture.changes->modify("a.txt", "a\n", "new a\n");
  const auto outcome = apply(fixture.request());
  EXPECT_EQ(code(outcome), ErrorCode::kConflict);
  EXPECT_THAT(outcome.error().message(), HasSubstr("merge"));
  EXPECT_EQ(fixture.repository.read("a.txt"), "a\n");
  fixture.expect_clean();
}

TEST(Apply, WaitsForTheUsersGitAndThenSaysWhatToDo) {
  ApplyFixture fixture;
  fixture.repository.write(".git/index.lock", "");
  fixture.changes->modify("a.txt", "a\n", "new a\n");
  base::SystemClock clock;
  const auto outcome =
      apply(fixture.request(), {}, base::Deadline::after(clock, std::chrono::milliseconds{30}));
  EXPECT_EQ(code(outcome), ErrorCode::kUnavailable);
  EXPECT_THAT(outcome.error().message(), HasSubstr("index.lock exists"));
  EXPECT_TRUE(std::filesystem::exists(fixture.repository / ".git/index.lock"));
  fixture.repository.remove(".git/index.lock");
  applied(fixture.request());
}

TEST(Apply, StopsWhileItWaits) {
  ApplyFixture fixture;
  fixture.repository.write(".git/index.lock", "");
  fixture.changes->modify("a.txt", "a\n", "new a\n");
  base::StopSource stop;
  stop.request_stop();
  EXPECT_EQ(code(apply(fixture.request(), stop.token())), ErrorCode::kCancelled);
  EXPECT_EQ(fixture.repository.read("a.txt"), "a\n");
}

TEST(Apply, WorksInALinkedWorktree) {
  ApplyFixture fixture;
  const std::filesystem::path tree = fixture.repository.beside("linked");
  fixture.repository.git({"worktree", "add", "--quiet", "-b", "linked", tree.string()});
  fixture.project = git::Project::find(tree).value();
  fixture.changes->modify("a.txt", "a\n", "new a\n").create("d/e", "e\n");
  Request request = fixture.request();
  request.project = git::Project::find(tree).value();
  request.expected_branch = "refs/heads/linked";
  applied(request);
  const auto git = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"-C", tree.string()});
    return fixture.repository.git(std::move(arguments));
  };
  EXPECT_EQ(git({"status", "--porcelain"}), "");
  EXPECT_EQ(git({"log", "-1", "--format=%s"}), "Change things\n");
  EXPECT_EQ(fixture.repository.read("a.txt"), "a\n");
}

TEST(Apply, TouchesOnlyWhatASparseCheckoutHas) {
  ApplyFixture fixture;
  fixture.repository.write("other/x", "x\n");
  fixture.repository.commit("second");
  fixture.repository.git({"sparse-checkout", "set", "folder"});
  fixture.open();
  fixture.changes->modify("other/x", "x\n", "y\n").create("other/new", "n\n");
  const Outcome outcome = constrained(apply(fixture.request()));
  ASSERT_FALSE(outcome.moved_on.empty());
  ApplyFixture inside;
  inside.repository.write("other/x", "x\n");
  inside.repository.commit("second");
  inside.repository.git({"sparse-checkout", "set", "folder"});
  inside.open();
  inside.changes->modify("folder/inner/c.txt", "c\n", "new c\n");
  applied(inside.request());
  EXPECT_EQ(inside.status(), "");
  EXPECT_FALSE(std::filesystem::exists(inside.repository / "other"));
  EXPECT_EQ(inside.repository.git({"show", "HEAD:other/x"}), "x\n");
}

TEST(Apply, RefusesToWriteIntoOtherRepositories) {
  ApplyFixture fixture;
  fixture.repository.write("nested/.git/HEAD", "ref: refs/heads/main\n");
  fixture.changes->create("nested/x", "x\n");
  EXPECT_THAT(constrained(apply(fixture.request())).moved_on,
              ElementsAre(Is("nested/x", "lies in a submodule or another repository")));
}

TEST(Apply, DoesNotFollowALinkOnTheWay) {
  ApplyFixture fixture;
  std::filesystem::create_directory(fixture.repository.beside("elsewhere"));
  fixture.repository.link("out", "../elsewhere");
  fixture.changes->create("out/x", "x\n");
  EXPECT_FALSE(constrained(apply(fixture.request())).moved_on.empty());
  EXPECT_TRUE(std::filesystem::is_empty(fixture.repository.beside("elsewhere")));
}

TEST(Apply, AFileThatIsBeingWrittenIsNotTakenAway) {
  ApplyFixture fixture;
  fixture.changes->modify("a.txt", "a\n", "new a\n").modify("b.txt", "b\n", "new b\n");
  const io::FileDescriptor writer(
      ::open((fixture.repository / "a.txt").c_str(), O_WRONLY | O_CLOEXEC));
  EXPECT_THAT(constrained(apply(fixture.request())).moved_on,
              ElementsAre(Is("a.txt", "is open for writing in another program")));
  EXPECT_EQ(fixture.repository.read("a.txt"), "a\n");
  EXPECT_EQ(fixture.repository.read("b.txt"), "b\n");
  EXPECT_EQ(fixture.status(), "");
  fixture.expect_clean();
}

TEST(Apply, AnUnusableIdentityIsFoundBeforeAnythingChanges) {
  ApplyFixture fixture;
  fixture.repository.git({"config", "user.useConfigOnly", "true"});
  fixture.repository.git({"config", "--unset", "user.email"});
  fixture.changes->modify("a.txt", "a\n", "new a\n");
  EXPECT_EQ(code(apply(fixture.request())), ErrorCode::kInternal);
  EXPECT_EQ(fixture.repository.read("a.txt"), "a\n");
  fixture.expect_clean();
}

TEST(Apply, SignsIfTheUserSigns) {
  ApplyFixture fixture;
  const std::filesystem::path signer = fixture.repository.beside("signer");
  std::ofstream(signer) << "#!/bin/sh\ncat > /dev/null\nprintf '\\n[GNUPG:] SIG_CREATED \\n' >&2\n"
                           "printf -- '-----BEGIN PGP SIGNATURE-----\\nsigned\\n"
                           "-----END PGP SIGNATURE-----\\n'\n";
  std::filesystem::permissions(signer, std::filesystem::perms(0755));
  fixture.repository.git({"config", "gpg.program", signer.string()});
  fixture.repository.git({"config", "commit.gpgSign", "true"});
  fixture.changes->modify("a.txt", "a\n", "new a\n");
  applied(fixture.request());
  EXPECT_THAT(fixture.repository.git({"cat-file", "commit", "HEAD"}), HasSubstr("gpgsig"));
}

TEST(Undo, PutsBackExactlyWhatWasChanged) {
  ApplyFixture fixture;
  fixture.changes->modify("a.txt", "a\n", "new a\n")
      .create("new/d.txt", "d\n")
      .remove("folder/inner/c.txt", "c\n");
  const std::string before = fixture.repository.head_tree();
  const Request request = fixture.request();
  applied(request);
  const auto undone = undo(request);
  ASSERT_TRUE(undone.ok()) << undone.error().to_string();
  EXPECT_EQ(undone->kind, Outcome::Kind::kApplied);
  EXPECT_EQ(fixture.repository.head_tree(), before);
  EXPECT_EQ(fixture.log(), "Undo \"Change things\"\nChange things\nfirst\n");
  EXPECT_EQ(fixture.status(), "");
  EXPECT_FALSE(std::filesystem::exists(fixture.repository / "new"));
  EXPECT_EQ(undo(request)->kind, Outcome::Kind::kAlready);
}

TEST(Undo, ThenTheSameLandsAgainAndIsUndoneAgain) {
  ApplyFixture fixture;
  fixture.changes->modify("a.txt", "a\n", "new a\n").create("d.txt", "d\n");
  const Request request = fixture.request();
  for (int i = 0; i < 2; ++i) {
    EXPECT_FALSE(landed(request)->has_value());
    EXPECT_EQ(applied(request).kind, Outcome::Kind::kApplied);
    EXPECT_EQ(fixture.repository.read("a.txt"), "new a\n");
    EXPECT_TRUE(landed(request)->has_value());
    EXPECT_EQ(apply(request)->kind, Outcome::Kind::kAlready);
    EXPECT_EQ(undo(request)->kind, Outcome::Kind::kApplied);
    EXPECT_EQ(fixture.repository.read("a.txt"), "a\n");
    EXPECT_EQ(undo(request)->kind, Outcome::Kind::kAlready);
  }
  EXPECT_EQ(fixture.status(), "");
}

TEST(Undo, InTheWorkingTreeIfItLandedThere) {
  ApplyFixture fixture;
  fixture.changes->modify("a.txt", "a\n", "new a\n").create("d.txt", "d\n");
  const Request request = fixture.request(Mode::kWorkingTree);
  applied(request);
  EXPECT_EQ(undo(request)->kind, Outcome::Kind::kApplied);
  EXPECT_EQ(fixture.status(), "");
  EXPECT_EQ(fixture.log(), "first\n");
}

TEST(Undo, OnTheBranchIfItLandedThere) {
  ApplyFixture fixture;
  fixture.changes->modify("a.txt", "a\n", "new a\n");
  Request request = fixture.request(Mode::kBranch);
  request.branch = "work";
  applied(request);
  EXPECT_EQ(undo(request)->kind, Outcome::Kind::kApplied);
  EXPECT_EQ(fixture.repository.git({"show", "work:a.txt"}), "a\n");
  EXPECT_EQ(fixture.repository.line({"rev-list", "--count", "main..work"}), "2");
  EXPECT_EQ(fixture.status(), "");
}

TEST(Undo, IsConstrainedIfTheBranchIsGone) {
  ApplyFixture fixture;
  fixture.changes->modify("a.txt", "a\n", "new a\n");
  Request request = fixture.request(Mode::kBranch);
  request.branch = "work";
  applied(request);
  fixture.repository.git({"branch", "-D", "work"});
  EXPECT_EQ(constrained(undo(request)).reason, "branch work is gone");
}

TEST(Undo, IsConstrainedIfAFileChangedSince) {
  ApplyFixture fixture;
  fixture.changes->modify("a.txt", "a\n", "new a\n").modify("b.txt", "b\n", "new b\n");
  applied(fixture.request());
  fixture.repository.write("b.txt", "edited\n");
  EXPECT_THAT(constrained(undo(fixture.request())).moved_on,
              ElementsAre(Is("b.txt", "changed since")));
  EXPECT_EQ(fixture.repository.read("a.txt"), "new a\n");
}

TEST(Undo, NeedsSomethingThatWasApplied) {
  ApplyFixture fixture;
  fixture.changes->modify("a.txt", "a\n", "new a\n");
  EXPECT_EQ(code(undo(fixture.request())), ErrorCode::kNotFound);
}

TEST(Recover, HasNothingToDoUsually) {
  ApplyFixture fixture;
  EXPECT_EQ(recover(fixture.project, fixture.repository.beside("state")).value(), "");
}

}  // namespace
}  // namespace clever::apply
