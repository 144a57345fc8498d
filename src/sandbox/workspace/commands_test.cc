#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "confine/confined_process.h"
#include "sandbox/workspace/internal/checkout.h"
#include "support/confine_launcher.h"
#include "support/test_workspace.h"

namespace clever::sandbox {
namespace {

using base::ErrorCode;
using git::FileMode;
using test::path_of;
using test::TestFile;
using test::TestWorkspace;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<TestFile> project() {
  return {{"a.txt", "one\n"},
          {"run.sh", "#!/bin/sh\necho ran\n", FileMode::kExecutable},
          {"link", "a.txt", FileMode::kLink},
          {"d/1", "1"},
          {"d/2", "2"},
          {"d/deep/3", "3"},
          {".gitignore", "*.o\nbuild/\n"}};
}

enum class Way { kOverlay, kCopy };

/// Runs shell scripts in a workspace, confined, in both ways to show it.
class WorkspaceCommands : public testing::TestWithParam<Way> {
 protected:
  explicit WorkspaceCommands(git::BaseSnapshot snapshot = {})
      : workspace_(project(), std::move(snapshot)) {}

  [[nodiscard]] static bool overlay() { return GetParam() == Way::kOverlay; }
  [[nodiscard]] std::filesystem::path root() const { return workspace_.folder() / "project"; }

  confine::Output run(Workspace& workspace, const std::string& script) {
    const auto shown = workspace.begin_command(dependencies_, overlay());
    EXPECT_TRUE(shown.ok()) << shown.error().to_string();
    EXPECT_EQ(shown->overlay, overlay());
    const auto output = confine::run(test::confine_launcher(),
                                     {.argv = {"sh", "-c", script},
                                      .working_directory = root(),
                                      .environment = {"PATH=/usr/bin:/bin"},
                                      .mounts = shown->mounts},
                                     "", 1 << 20, {}, base::Deadline::never());
    EXPECT_TRUE(output.ok()) << output.error().to_string();
    return output.value();
  }

  Workspace::Captured capture(const std::string& script) {
    const auto output = run(*workspace_, script);
    EXPECT_EQ(output.ending.exit_code, 0) << output.output << output.error_output;
    auto captured = workspace_->end_command();
    EXPECT_TRUE(captured.ok()) << captured.error().to_string();
    return std::move(captured).value();
  }

  /// What the command changed: "A x D y ".
  std::string changes(const std::string& script) {
    std::string text;
    for (const auto& difference : capture(script).changes) {
      text += !difference.before ? "A " : !difference.after ? "D " : "M ";
      text += difference.path.text() + " ";
    }
    return text;
  }

  std::string output(const std::string& script) {
    const auto result = run(*workspace_, script);
    EXPECT_TRUE(workspace_->end_command().ok());
    return result.output;
  }

  TestWorkspace workspace_;
  std::vector<std::string> dependencies_;
};

INSTANTIATE_TEST_SUITE_P(Ways, WorkspaceCommands, testing::Values(Way::kOverlay, Way::kCopy),
                         [](const auto& way) {
                           return way.param == Way::kOverlay ? "Overlay" : "Copy";
                         });

TEST_P(WorkspaceCommands, SecretsThatACommandMakesAreNotTakenOver) {
  const auto captured = capture(
      "echo K=1 > .env; mkdir .ssh d/.aws; echo k > .ssh/id_rsa; echo k > d/.aws/x; "
      "echo //r/:_authToken=x > .npmrc; echo fine > d/.npmrc; echo y > fine");
  std::vector<std::string> changed;
  for (const auto& difference : captured.changes) changed.push_back(difference.path.text());
  EXPECT_THAT(changed, ElementsAre("d/.npmrc", "fine"));
  EXPECT_THAT(captured.skipped,
              testing::UnorderedElementsAre(HasSubstr(".env: "), HasSubstr(".ssh: "),
                                            HasSubstr("d/.aws: "), HasSubstr(".npmrc: ")));
}

TEST_P(WorkspaceCommands, SeeTheFilesAtTheProjectsPlace) {
  EXPECT_EQ(output("pwd; cat a.txt link; ./run.sh; ls -A"),
            root().string() + "\none\none\nran\n.gitignore\na.txt\nd\nlink\nrun.sh\n");
}

TEST_P(WorkspaceCommands, SeeWhatToolsWrote) {
  ASSERT_TRUE(workspace_->write(path_of("a.txt"), "two\n").ok());
  ASSERT_TRUE(workspace_->write(path_of("new/x"), "x\n").ok());
  ASSERT_TRUE(workspace_->remove(path_of("d/1")).ok());
  ASSERT_TRUE(workspace_->set_executable(path_of("a.txt"), true).ok());
  EXPECT_EQ(output("cat a.txt new/x; ls d; test -x a.txt && echo x"), "two\nx\n2\ndeep\nx\n");
  ASSERT_TRUE(workspace_->write(path_of("a.txt"), "three\n").ok());
  ASSERT_TRUE(workspace_->remove(path_of("new")).ok());
  EXPECT_EQ(output("cat a.txt; cat new/x 2>/dev/null; ls d"), "three\n2\ndeep\n");
}

TEST_P(WorkspaceCommands, ManyFilesOfOneFolderAreTakenOver) {
  constexpr std::size_t kMany = 600;
  EXPECT_EQ(
      capture("rm -r d; echo d > d; for i in $(seq 600); do echo $i > n$i; done").changes.size(),
      kMany + 4);
  EXPECT_EQ(workspace_.read("d"), "d\n");
  EXPECT_EQ(workspace_.read("n600"), "600\n");
  // A tool writes meanwhile.
  run(*workspace_, "rm n*; mkdir -p f; for i in $(seq 600); do echo $i > f/$i; done");
  ASSERT_TRUE(workspace_->write(path_of("meanwhile"), "kept\n").ok());
  EXPECT_EQ(workspace_->end_command()->changes.size(), 2 * kMany);
  EXPECT_EQ(workspace_.read("meanwhile"), "kept\n");
  EXPECT_EQ(workspace_.read("f/600"), "600\n");
  EXPECT_EQ(workspace_.read("n600"), "not_found");
}

TEST_P(WorkspaceCommands, TheirChangesAreTakenOver) {
  EXPECT_EQ(changes("echo 2 >> a.txt; echo n > n; rm d/1; mkdir -p e/f; echo x > e/f/g; "
                    "chmod +x d/2; ln -s n l"),
            "M a.txt D d/1 M d/2 A e/f/g A l A n ");
  EXPECT_EQ(workspace_.read("a.txt"), "one\n2\n");
  EXPECT_EQ(workspace_.read("l"), "n\n");
  EXPECT_TRUE(workspace_->read(path_of("d/2"))->executable);
  EXPECT_EQ(workspace_.read("d/1"), "not_found");
  EXPECT_EQ(changes("true"), "");
}

TEST_P(WorkspaceCommands, FilesAreAsTheyWereWhenNothingChanged) {
  EXPECT_EQ(changes("touch a.txt; cp a.txt b; mv b a.txt; chmod 600 d/1"), "");
}

TEST_P(WorkspaceCommands, AFileWrittenAgainWithTheSameSizeIsSeen) {
  ASSERT_TRUE(workspace_->write(path_of("s"), "aa").ok());
  EXPECT_EQ(changes("printf bb > s"), "M s ");
  EXPECT_EQ(changes("printf cc > s"), "M s ");
  EXPECT_EQ(workspace_.read("s"), "cc");
}

TEST_P(WorkspaceCommands, RemovedFoldersAreGone) {
  EXPECT_EQ(changes("rm -r d"), "D d/1 D d/2 D d/deep/3 ");
  EXPECT_EQ(output("ls"), "a.txt\nlink\nrun.sh\n");
}

TEST_P(WorkspaceCommands, FilesThatOnlyTheWorkspaceHadAreGoneToo) {
  ASSERT_TRUE(workspace_->write(path_of("new/1"), "tool").ok());
  EXPECT_EQ(changes("echo c > new/2"), "A new/2 ");
  EXPECT_EQ(changes("rm new/1"), "D new/1 ");
  EXPECT_EQ(changes("rm -r new"), "D new/2 ");
  EXPECT_EQ(workspace_.status(), "");
}

TEST_P(WorkspaceCommands, AFolderMadeAgainHidesTheOldOne) {
  EXPECT_EQ(changes("rm -r d; mkdir d; echo n > d/n"), "D d/1 D d/2 D d/deep/3 A d/n ");
  EXPECT_EQ(output("ls d"), "n\n");
  ASSERT_TRUE(workspace_->remove(path_of("d/n")).ok());
  ASSERT_TRUE(workspace_->write(path_of("d/deep/3"), "again").ok());
  EXPECT_EQ(output("find d -type f; cat d/deep/3"), "d/deep/3\nagain");
}

TEST_P(WorkspaceCommands, FilesInPlaceOfARemovedFolder) {
  EXPECT_EQ(changes("rm -r d"), "D d/1 D d/2 D d/deep/3 ");
  ASSERT_TRUE(workspace_->write(path_of("d/new"), "n").ok());
  EXPECT_EQ(output("find d -type f"), "d/new\n");
  EXPECT_EQ(workspace_.status(), "D d/1 D d/2 D d/deep/3 A d/new ");
}

TEST_P(WorkspaceCommands, FoldersAndFilesChangePlaces) {
  EXPECT_EQ(changes("rm a.txt; mkdir a.txt; echo i > a.txt/i; rm -r d; echo f > d"),
            "D a.txt A a.txt/i A d D d/1 D d/2 D d/deep/3 ");
  EXPECT_EQ(workspace_.read("d"), "f\n");
  EXPECT_EQ(changes("rm -r a.txt d; mkdir d; echo 1 > d/1; echo b > a.txt"),
            "A a.txt D a.txt/i D d A d/1 ");
  EXPECT_EQ(workspace_.status(), "M a.txt M d/1 D d/2 D d/deep/3 ");
}

TEST_P(WorkspaceCommands, ToolsChangeFoldersAndFilesToo) {
  ASSERT_TRUE(workspace_->remove(path_of("d")).ok());
  ASSERT_TRUE(workspace_->write(path_of("d"), "file").ok());
  ASSERT_TRUE(workspace_->remove(path_of("a.txt")).ok());
  ASSERT_TRUE(workspace_->write(path_of("a.txt/i"), "inner").ok());
  EXPECT_EQ(output("cat d a.txt/i"), "fileinner");
  ASSERT_TRUE(workspace_->remove(path_of("d")).ok());
  ASSERT_TRUE(workspace_->write(path_of("d/2"), "two").ok());
  ASSERT_TRUE(workspace_->remove(path_of("a.txt/i")).ok());
  ASSERT_TRUE(workspace_->write(path_of("a.txt"), "back").ok());
  EXPECT_EQ(output("find d -type f; cat d/2 a.txt"), "d/2\ntwoback");
  EXPECT_EQ(changes("true"), "");
}

TEST_P(WorkspaceCommands, IgnoredFilesStayButAreNoChange) {
  EXPECT_EQ(changes("mkdir build; echo x > build/out; echo o > a.o; echo k > kept"), "A kept ");
  EXPECT_EQ(output("cat build/out a.o"), "x\no\n");
  EXPECT_EQ(workspace_.read("a.o"), "not_found");
}

TEST_P(WorkspaceCommands, RespectsNewIgnoreRulesOfACommand) {
  EXPECT_EQ(changes("echo '*.log' >> .gitignore; echo l > x.log; echo y > y"), "M .gitignore A y ");
}

TEST_P(WorkspaceCommands, TrackedFilesAreTakenThoughIgnored) {
  ASSERT_TRUE(workspace_->write(path_of("build/tracked"), "1").ok());
  EXPECT_EQ(changes("echo 2 > build/tracked; echo 3 > build/untracked"), "M build/tracked ");
}

TEST_P(WorkspaceCommands, NameEntriesThatAreNoFiles) {
  const auto captured = capture("mkfifo pipe; mkdir .git; echo x > .git/config; echo y > fine");
  EXPECT_EQ(captured.changes.size(), 1U);
  EXPECT_THAT(captured.skipped, Contains("pipe: a fifo"));
  EXPECT_THAT(captured.skipped, Contains(HasSubstr(".git: ")));
}

TEST_P(WorkspaceCommands, AFifoInPlaceOfAFileRemovesIt) {
  EXPECT_EQ(changes("rm a.txt; mkfifo a.txt"), "D a.txt ");
}

TEST_P(WorkspaceCommands, FilesThatAreTooLargeAreNamed) {
  WorkspaceOptions options = workspace_.options("limited");
  options.largest_file = 1U << 20U;
  const auto workspace = Workspace::open(options).value();
  run(*workspace, "head -c 1048577 /dev/zero > big; head -c 1048576 /dev/zero > fits");
  const auto captured = workspace->end_command().value();
  EXPECT_EQ(captured.changes.size(), 1U);
  EXPECT_THAT(captured.skipped, ElementsAre("big: larger than 1 MiB"));
}

TEST_P(WorkspaceCommands, LinksOutAreTakenAsLinks) {
  std::ofstream(workspace_.folder() / "secret") << "secret";
  EXPECT_EQ(changes("ln -s ../secret s; rm -r d; ln -s / d"), "A d D d/1 D d/2 D d/deep/3 A s ");
  EXPECT_EQ(workspace_.read("s"), "permission_denied");
  EXPECT_EQ(workspace_.read("d/etc/passwd"), "permission_denied");
  // Written into the workspace's own place, not through the link.
  ASSERT_TRUE(workspace_->remove(path_of("d")).ok());
  ASSERT_TRUE(workspace_->write(path_of("d/etc"), "x").ok());
  EXPECT_EQ(output("cat d/etc"), "x");
}

TEST_P(WorkspaceCommands, OddNamesSurvive) {
  EXPECT_EQ(changes("printf x > \"$(printf 'new\\nline')\"; printf y > \"$(printf 'caf\\351')\""),
            "A caf\xE9 A new\nline ");
  EXPECT_EQ(output("cat \"$(printf 'caf\\351')\""), "y");
}

TEST_P(WorkspaceCommands, OneAtATime) {
  ASSERT_TRUE(workspace_->begin_command({}, overlay()).ok());
  EXPECT_EQ(workspace_->begin_command({}, overlay()).error().code(), ErrorCode::kConflict);
  EXPECT_EQ(workspace_->restore(workspace_->base().tree).error().code(), ErrorCode::kConflict);
  ASSERT_TRUE(workspace_->end_command().ok());
  EXPECT_EQ(workspace_->end_command().error().code(), ErrorCode::kConflict);
}

TEST_P(WorkspaceCommands, ToolsMayWriteMeanwhile) {
  run(*workspace_, "echo command > both; echo c > c; rm d/1");
  ASSERT_TRUE(workspace_->write(path_of("both"), "tool").ok());
  ASSERT_TRUE(workspace_->write(path_of("t"), "tool").ok());
  ASSERT_TRUE(workspace_->write(path_of("c/inner"), "tool").ok());
  ASSERT_TRUE(workspace_->end_command().ok());
  EXPECT_EQ(workspace_.read("both"), "command\n");
  EXPECT_EQ(workspace_.read("t"), "tool");
  EXPECT_EQ(workspace_.read("c"), "c\n");
  EXPECT_EQ(output("cat both t c"), "command\ntoolc\n");
}

TEST_P(WorkspaceCommands, AnInterruptedEndCanBeRepeated) {
  run(*workspace_, "echo x > x");
  base::StopSource source;
  source.request_stop();
  EXPECT_EQ(workspace_->end_command(source.token()).error().code(), ErrorCode::kCancelled);
  EXPECT_EQ(workspace_->begin_command({}, overlay()).error().code(), ErrorCode::kConflict);
  EXPECT_EQ(workspace_->end_command()->changes.size(), 1U);
}

TEST_P(WorkspaceCommands, AfterAnInterruptedEndItCanBeRestored) {
  run(*workspace_, "echo x > x");
  base::StopSource source;
  source.request_stop();
  EXPECT_FALSE(workspace_->end_command(source.token()).ok());
  ASSERT_TRUE(workspace_->restore(workspace_->base().tree).ok());
  EXPECT_EQ(output("ls"), "a.txt\nd\nlink\nrun.sh\n");
}

TEST_P(WorkspaceCommands, RestoringRemovesWhatTheyLeft) {
  const git::ObjectId before = workspace_->checkpoint().value();
  EXPECT_EQ(changes("mkdir build; echo x > build/out; echo y > y; rm -r d"),
            "D d/1 D d/2 D d/deep/3 A y ");
  ASSERT_TRUE(workspace_->restore(before).ok());
  EXPECT_EQ(output("ls; cat d/1"), "a.txt\nd\nlink\nrun.sh\n1");
}

TEST_P(WorkspaceCommands, AListedFileIsSeenAndTheUsersStaysUntouched) {
  std::filesystem::create_directories(root() / "build");
  std::ofstream(root() / "build/settings.o") << "user's";
  dependencies_ = {"build/settings.o"};
  EXPECT_EQ(output("cat build/settings.o; echo mine > build/settings.o"), "user's");
  EXPECT_EQ(output("cat build/settings.o"), "mine\n");
  std::ifstream in(root() / "build/settings.o");
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(in), {}), "user's");
  EXPECT_EQ(workspace_.status(), "");
}

TEST_P(WorkspaceCommands, DependencyFoldersAreSeenAndTheUsersStayUntouched) {
  std::filesystem::create_directories(root() / "node_modules/pkg");
  std::ofstream(root() / "node_modules/pkg/index") << "module";
  dependencies_ = {"node_modules", "absent"};
  EXPECT_EQ(output("cat node_modules/pkg/index; echo w > node_modules/w 2>/dev/null || true"),
            "module");
  EXPECT_FALSE(std::filesystem::exists(root() / "node_modules/w"));
  if (overlay()) EXPECT_EQ(output("cat node_modules/w"), "w\n");
  EXPECT_EQ(workspace_.status(), "");
}

TEST_P(WorkspaceCommands, TheUsersFolderIsNeverWritten) {
  std::ofstream(root() / "a.txt") << "the user's\n";
  EXPECT_EQ(changes("echo x > a.txt; echo y > y"), "M a.txt A y ");
  const std::filesystem::directory_iterator names(root());
  EXPECT_EQ(std::distance(begin(names), end(names)), 1);
  std::ifstream in(root() / "a.txt");
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(in), {}), "the user's\n");
}

TEST_P(WorkspaceCommands, SubmodulesAreEmptyFolders) {
  const TestWorkspace test(
      {{"sub", "0123456789012345678901234567890123456789", FileMode::kSubmodule}, {"f", "f"}});
  ASSERT_TRUE(test->begin_command({}, overlay()).ok());
  EXPECT_THAT(test->end_command()->changes, IsEmpty());
}

class FilteredCommands : public WorkspaceCommands {
 protected:
  FilteredCommands() : WorkspaceCommands(filtered()) {}
  static git::BaseSnapshot filtered() {
    git::BaseSnapshot snapshot;
    snapshot.filtered = {path_of("a.txt")};
    return snapshot;
  }
};
INSTANTIATE_TEST_SUITE_P(Ways, FilteredCommands, testing::Values(Way::kOverlay, Way::kCopy),
                         [](const auto& way) {
                           return way.param == Way::kOverlay ? "Overlay" : "Copy";
                         });

TEST_P(FilteredCommands, ChangesOfReadOnlyFilesAreNamedNotTaken) {
  const auto captured = capture("echo x > a.txt; echo y > d/1");
  EXPECT_EQ(captured.changes.size(), 1U);
  EXPECT_THAT(captured.skipped, ElementsAre(HasSubstr("a.txt: read-only here")));
}

TEST(WorkspaceCheckout, IsMadeOnceForAll) {
  const TestWorkspace test(project());
  const auto second = Workspace::open(test.options("second")).value();
  const auto first_mounts = test->begin_command({}, true).value().mounts;
  const auto second_mounts = second->begin_command({}, true).value().mounts;
  EXPECT_EQ(first_mounts[0].lower, second_mounts[0].lower);
  EXPECT_NE(first_mounts[0].upper, second_mounts[0].upper);
}

// The folder of the base that a command of a new workspace sees.
std::filesystem::path lower_of(Workspace& workspace) {
  return workspace.begin_command({}, true).value().mounts[0].lower[0];
}

TEST(WorkspaceCheckout, AHalfOneIsBuiltAgain) {
  const TestWorkspace test(project());
  std::filesystem::path lower;
  {
    const auto first = Workspace::open(test.options("first")).value();
    lower = lower_of(*first);
  }
  const std::string name = "shared/" + lower.filename().string();
  test.folder().write(name + ".part/half", "x");
  test.folder().write(name + "/old", "x");
  test.folder().write(name + ".whole", "another boot");
  EXPECT_EQ(lower_of(*test), lower);
  EXPECT_TRUE(std::filesystem::exists(lower / "a.txt"));
  EXPECT_FALSE(std::filesystem::exists(lower / "old"));
  EXPECT_FALSE(std::filesystem::exists(test.folder() / (name + ".part")));
}

TEST(WorkspaceCheckout, AStopLeavesNoHalfOne) {
  const TestWorkspace test(project());
  base::StopSource source;
  source.request_stop();
  EXPECT_EQ(test->begin_command({}, true, source.token()).error().code(), ErrorCode::kCancelled);
  EXPECT_TRUE(internal::checkouts_in(test.folder() / "shared").empty());
  EXPECT_TRUE(test->begin_command({}, true).ok());
}

TEST(WorkspaceCheckout, LinksWhatTheLastOneHasWithTheSameTime) {
  const TestWorkspace test(project());
  const auto same = test.folder().write("project/a.txt", "one\n");
  const auto other = test.folder().write("project/d/1", "1");
  const auto first = lower_of(*test);
  std::filesystem::last_write_time(other, std::filesystem::file_time_type{});
  const auto second = Workspace::open(test.options("second")).value();
  const auto next = lower_of(*second);
  EXPECT_NE(next, first) << "the time of a file is another";
  EXPECT_TRUE(std::filesystem::equivalent(next / "a.txt", first / "a.txt"));
  EXPECT_FALSE(std::filesystem::equivalent(next / "d/1", first / "d/1"));
  EXPECT_EQ(std::filesystem::last_write_time(next / "d/1"), std::filesystem::file_time_type{});
}

TEST(WorkspaceCheckout, StaysWhileAWorkspaceUsesIt) {
  const TestWorkspace test(project());
  std::filesystem::path lower;
  {
    const auto first = Workspace::open(test.options("first")).value();
    lower = lower_of(*first);
    EXPECT_TRUE(internal::is_checkout_used(lower));
    EXPECT_EQ(internal::remove_checkout(lower).error().code(), ErrorCode::kConflict);
  }
  EXPECT_FALSE(internal::is_checkout_used(lower));
  internal::remove_checkout(lower).value();
  EXPECT_TRUE(std::filesystem::is_empty(test.folder() / "shared"));
  EXPECT_EQ(lower_of(*test), lower);
}

TEST(WorkspaceCheckout, FilesHaveTheTimesThatTheUserHas) {
  const TestWorkspace test(project());
  const auto user = test.folder().write("project/a.txt", "one\n");
  const auto mounts = test->begin_command({}, true).value().mounts;
  EXPECT_EQ(std::filesystem::last_write_time(mounts[0].lower[0] / "a.txt"),
            std::filesystem::last_write_time(user));
  EXPECT_EQ(std::filesystem::last_write_time(mounts[0].lower[0] / "d/1"),
            std::filesystem::last_write_time(mounts[0].lower[0] / "d/2"));
}

TEST(WorkspaceCheckout, DoesNotTakeAnEarlierProcessesFolder) {
  const TestWorkspace test(project());
  test.folder().write("own/upper/leftover", "x");
  ASSERT_TRUE(test->begin_command({}, true).ok());
  EXPECT_THAT(test->end_command()->changes, IsEmpty());
}

}  // namespace
}  // namespace clever::sandbox
