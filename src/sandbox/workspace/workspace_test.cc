#include "sandbox/workspace.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/test_workspace.h"

namespace clever::sandbox {
namespace {

using base::ErrorCode;
using git::FileMode;
using test::path_of;
using test::TestFile;
using test::TestWorkspace;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<TestFile> small() {
  return {{"a.txt", "one\ntwo\n"},
          {"run.sh", "#!/bin/sh\n", FileMode::kExecutable},
          {"src/main.cc", "int main() {}\n"},
          {"src/lib/x.cc", "x\n"},
          {"src/lib/y.cc", "y\n"}};
}

constexpr std::string_view kCommit = "0123456789012345678901234567890123456789";

template <class T>
void expect_refused(const base::Result<T>& result, ErrorCode code, std::string_view words) {
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code(), code) << result.error().message();
  EXPECT_THAT(result.error().sentence(), HasSubstr(words));
}

TEST(Workspace, ReadsTheBase) {
  const TestWorkspace workspace(small());
  EXPECT_EQ(workspace.read("src/lib/x.cc"), "x\n");
  EXPECT_TRUE(workspace->read(path_of("run.sh"))->executable);
  EXPECT_FALSE(workspace->read(path_of("a.txt"))->executable);
}

TEST(Workspace, NeedsAStoreAndABaseThatIsATree) {
  expect_refused(Workspace::open({}), ErrorCode::kInvalidArgument, "object store");
  const TestWorkspace workspace(small());
  WorkspaceOptions options = workspace.options();
  options.start = workspace.store().put(git::ObjectKind::kBlob, "x").value();
  expect_refused(Workspace::open(options), ErrorCode::kInvalidArgument, "is a blob");
  options.start = git::ObjectId::from_hex(kCommit).value();
  expect_refused(Workspace::open(options), ErrorCode::kNotFound, "0123456789");
}

TEST(Workspace, WhatIsWrittenIsReadAtOnce) {
  const TestWorkspace workspace(small());
  ASSERT_TRUE(workspace->write(path_of("new/deep/file"), "hello").ok());
  EXPECT_EQ(workspace.read("new/deep/file"), "hello");
  EXPECT_EQ(workspace.status(), "A new/deep/file ");
}

TEST(Workspace, WritingKeepsTheMode) {
  const TestWorkspace workspace(small());
  ASSERT_TRUE(workspace->write(path_of("run.sh"), "#!/bin/bash\n").ok());
  EXPECT_TRUE(workspace->read(path_of("run.sh"))->executable);
}

TEST(Workspace, TheModeCanBeSet) {
  const TestWorkspace workspace(small());
  ASSERT_TRUE(workspace->set_executable(path_of("a.txt"), true).ok());
  EXPECT_TRUE(workspace->read(path_of("a.txt"))->executable);
  EXPECT_EQ(workspace.status(), "M a.txt ");
  ASSERT_TRUE(workspace->set_executable(path_of("a.txt"), false).ok());
  EXPECT_EQ(workspace.status(), "");
  expect_refused(workspace->set_executable(path_of("src"), true), ErrorCode::kInvalidArgument,
                 "is a folder");
  expect_refused(workspace->set_executable(path_of("none"), true), ErrorCode::kNotFound, "none");
}

TEST(Workspace, ResolvesWhatAModelWrites) {
  const TestWorkspace workspace(small());
  EXPECT_EQ(workspace->resolve("./src//main.cc")->text(), "src/main.cc");
  const std::string absolute = (workspace.folder() / "project/src/main.cc").string();
  EXPECT_EQ(workspace->resolve(absolute)->text(), "src/main.cc");
  expect_refused(workspace->resolve("/etc/passwd"), ErrorCode::kPermissionDenied, "");
  expect_refused(workspace->resolve("../x"), ErrorCode::kPermissionDenied, "");
  expect_refused(workspace->resolve("src/.GIT/config"), ErrorCode::kPermissionDenied, "");
}

TEST(Workspace, WhatIsMissingNamesTheNearest) {
  const TestWorkspace workspace(small());
  expect_refused(workspace->read(path_of("src/mian.cc")), ErrorCode::kNotFound, "src/main.cc");
  expect_refused(workspace->read(path_of("x.cc")), ErrorCode::kNotFound, "src/lib/x.cc");
  expect_refused(workspace->read(path_of("zzzzz/q")), ErrorCode::kNotFound, "no file zzzzz/q");
}

TEST(Workspace, AFolderIsNotAFile) {
  const TestWorkspace workspace(small());
  expect_refused(workspace->read(path_of("src")), ErrorCode::kInvalidArgument, "is a folder");
  expect_refused(workspace->write(path_of("src"), "x"), ErrorCode::kInvalidArgument, "is a folder");
  expect_refused(workspace->write_link(path_of("src"), "x"), ErrorCode::kInvalidArgument,
                 "is a folder");
  expect_refused(workspace->write(path_of("a.txt/b"), "x"), ErrorCode::kInvalidArgument,
                 "is a file");
}

TEST(Workspace, BinaryContentIsKeptAndSaid) {
  const TestWorkspace workspace(small());
  const std::string content("\0\xFF\x01", 3);
  ASSERT_TRUE(workspace->write(path_of("b"), content).ok());
  EXPECT_EQ(workspace->read(path_of("b"))->content, content);
  EXPECT_TRUE(workspace->read(path_of("b"))->binary);
  EXPECT_FALSE(workspace->read(path_of("a.txt"))->binary);
}

TEST(Workspace, EditsChangeWhatTheySay) {
  const TestWorkspace workspace(small());
  EXPECT_EQ(workspace->edit(path_of("a.txt"), "two", "2", false).value(), 1U);
  EXPECT_EQ(workspace.read("a.txt"), "one\n2\n");
  expect_refused(workspace->edit(path_of("a.txt"), "four", "4", false), ErrorCode::kNotFound,
                 "editing a.txt");
  expect_refused(workspace->edit(path_of("b.txt"), "four", "4", false), ErrorCode::kNotFound,
                 "a.txt");
  EXPECT_EQ(workspace->edit(path_of("a.txt"), "\n", "!\n", true).value(), 2U);
}

TEST(Workspace, WindowsLineEndsStay) {
  const TestWorkspace workspace({{"w", "one\r\ntwo\r\n"}});
  ASSERT_TRUE(workspace->edit(path_of("w"), "one\ntwo", "1\n2", false).ok());
  EXPECT_EQ(workspace.read("w"), "1\r\n2\r\n");
}

TEST(Workspace, ContentThatIsTooLargeIsRefused) {
  const TestWorkspace test(small());
  WorkspaceOptions options = test.options();
  options.largest_file = 8;
  const auto workspace = Workspace::open(options).value();
  expect_refused(workspace->write(path_of("x"), "123456789"), ErrorCode::kResourceExhausted,
                 "at most 8");
  expect_refused(workspace->read(path_of("run.sh")), ErrorCode::kResourceExhausted, "run.sh");
}

TEST(Workspace, RemovesFilesAndFolders) {
  const TestWorkspace workspace(small());
  ASSERT_TRUE(workspace->remove(path_of("src/lib")).ok());
  EXPECT_EQ(workspace.read("src/lib/x.cc"), "not_found");
  EXPECT_THAT(workspace.all(), ElementsAre("a.txt", "run.sh", "src/main.cc"));
  ASSERT_TRUE(workspace->remove(path_of("src/main.cc")).ok());
  expect_refused(workspace->read(path_of("src")), ErrorCode::kNotFound, "no file src");
  expect_refused(workspace->remove(path_of("src")), ErrorCode::kNotFound, "no file src");
}

TEST(Workspace, RemovedThenMadeAgain) {
  const TestWorkspace workspace(small());
  ASSERT_TRUE(workspace->remove(path_of("a.txt")).ok());
  ASSERT_TRUE(workspace->write(path_of("a.txt"), "one\ntwo\n").ok());
  EXPECT_EQ(workspace.status(), "");
  ASSERT_TRUE(workspace->remove(path_of("a.txt")).ok());
  EXPECT_EQ(workspace.status(), "D a.txt ");
  ASSERT_TRUE(workspace->write(path_of("a.txt"), "other").ok());
  EXPECT_EQ(workspace.status(), "M a.txt ");
}

TEST(Workspace, ANewFileThatIsRemovedLeavesNothing) {
  const TestWorkspace workspace(small());
  ASSERT_TRUE(workspace->write(path_of("new/x"), "1").ok());
  ASSERT_TRUE(workspace->remove(path_of("new")).ok());
  EXPECT_EQ(workspace.status(), "");
  EXPECT_EQ(workspace.read("new/x"), "not_found");
}

TEST(Workspace, AFileBecomesAFolderAndBack) {
  const TestWorkspace workspace(small());
  ASSERT_TRUE(workspace->remove(path_of("a.txt")).ok());
  ASSERT_TRUE(workspace->write(path_of("a.txt/inner"), "i").ok());
  EXPECT_EQ(workspace.status(), "D a.txt A a.txt/inner ");
  expect_refused(workspace->write(path_of("a.txt"), "x"), ErrorCode::kInvalidArgument,
                 "is a folder");
  ASSERT_TRUE(workspace->remove(path_of("a.txt/inner")).ok());
  EXPECT_EQ(workspace.read("a.txt"), "not_found");
  ASSERT_TRUE(workspace->write(path_of("a.txt"), "x").ok());
  EXPECT_EQ(workspace.status(), "M a.txt ");
}

TEST(Workspace, AFolderBecomesAFileAndBack) {
  const TestWorkspace workspace(small());
  ASSERT_TRUE(workspace->remove(path_of("src/lib")).ok());
  ASSERT_TRUE(workspace->write(path_of("src/lib"), "file").ok());
  EXPECT_EQ(workspace.read("src/lib"), "file");
  EXPECT_EQ(workspace.status(), "A src/lib D src/lib/x.cc D src/lib/y.cc ");
  ASSERT_TRUE(workspace->remove(path_of("src/lib")).ok());
  EXPECT_EQ(workspace.read("src/lib"), "not_found");
  ASSERT_TRUE(workspace->write(path_of("src/lib/x.cc"), "x\n").ok());
  EXPECT_EQ(workspace.status(), "D src/lib/y.cc ");
}

TEST(Workspace, MovesFilesAndFolders) {
  const TestWorkspace workspace(small());
  ASSERT_TRUE(workspace->move(path_of("run.sh"), path_of("bin/go")).ok());
  EXPECT_TRUE(workspace->read(path_of("bin/go"))->executable);
  ASSERT_TRUE(workspace->move(path_of("src"), path_of("source")).ok());
  EXPECT_THAT(workspace.all(), ElementsAre("a.txt", "bin/go", "source/lib/x.cc", "source/lib/y.cc",
                                           "source/main.cc"));
}

TEST(Workspace, AMoveIsRefusedWhereSomethingIs) {
  const TestWorkspace workspace(small());
  expect_refused(workspace->move(path_of("a.txt"), path_of("run.sh")), ErrorCode::kAlreadyExists,
                 "run.sh");
  expect_refused(workspace->move(path_of("a.txt"), path_of("src")), ErrorCode::kAlreadyExists,
                 "src");
  expect_refused(workspace->move(path_of("src"), path_of("src/lib/inner")),
                 ErrorCode::kInvalidArgument, "into itself");
  expect_refused(workspace->move(path_of("none"), path_of("x")), ErrorCode::kNotFound, "none");
  EXPECT_EQ(workspace.status(), "");
}

TEST(Workspace, NamesAreBytes) {
  const TestWorkspace workspace({{"caf\xE9/\n", "1"}, {"caf\xE9/b", "2"}});
  EXPECT_EQ(workspace.read("caf\xE9/\n"), "1");
  ASSERT_TRUE(workspace->write(path_of("new\nline/\xFF"), "3").ok());
  EXPECT_EQ(workspace.read("new\nline/\xFF"), "3");
  EXPECT_THAT(workspace.all(), ElementsAre("caf\xE9/\n", "caf\xE9/b", "new\nline/\xFF"));
}

TEST(Workspace, SubmodulesAreReadOnly) {
  const TestWorkspace workspace({{"sub", std::string(kCommit), FileMode::kSubmodule},
                                 {"d/s", std::string(kCommit), FileMode::kSubmodule},
                                 {"d/f", ""}});
  expect_refused(workspace->read(path_of("sub")), ErrorCode::kPermissionDenied, "submodule");
  expect_refused(workspace->read(path_of("sub/x")), ErrorCode::kPermissionDenied, "submodule");
  expect_refused(workspace->write(path_of("sub"), ""), ErrorCode::kPermissionDenied, "submodule");
  expect_refused(workspace->write(path_of("sub/x"), ""), ErrorCode::kPermissionDenied, "submodule");
  expect_refused(workspace->remove(path_of("sub")), ErrorCode::kPermissionDenied, "submodule");
  expect_refused(workspace->remove(path_of("d")), ErrorCode::kPermissionDenied, "submodule");
  expect_refused(workspace->move(path_of("d"), path_of("e")), ErrorCode::kPermissionDenied,
                 "submodule");
  EXPECT_THAT(workspace.all(), ElementsAre("d/f"));
  EXPECT_EQ(workspace.status(), "");
}

TEST(Workspace, FilteredFilesAreReadOnly) {
  git::BaseSnapshot snapshot;
  snapshot.filtered = {path_of("big.bin")};
  const TestWorkspace workspace({{"big.bin", "pointer"}}, snapshot);
  EXPECT_EQ(workspace.read("big.bin"), "pointer");
  expect_refused(workspace->write(path_of("big.bin"), "x"), ErrorCode::kPermissionDenied, "filter");
  expect_refused(workspace->edit(path_of("big.bin"), "pointer", "x", false),
                 ErrorCode::kPermissionDenied, "filter");
  expect_refused(workspace->remove(path_of("big.bin")), ErrorCode::kPermissionDenied, "filter");
}

TEST(Workspace, ListsByGlobAndInOrder) {
  const TestWorkspace workspace(small());
  EXPECT_THAT(workspace->list("*.cc", 10)->paths,
              ElementsAre("src/lib/x.cc", "src/lib/y.cc", "src/main.cc"));
  EXPECT_THAT(workspace->list("src/*", 10)->paths, ElementsAre("src/main.cc"));
  EXPECT_THAT(workspace->list("none/**", 10)->paths, IsEmpty());
  const auto cut = workspace->list("", 2).value();
  EXPECT_THAT(cut.paths, ElementsAre("a.txt", "run.sh"));
  EXPECT_TRUE(cut.truncated);
  EXPECT_FALSE(workspace->list("", 5)->truncated);
  expect_refused(workspace->list("[", 5), ErrorCode::kInvalidArgument, "bracket");
}

TEST(Workspace, AStopEndsAListing) {
  const TestWorkspace workspace(small());
  base::StopSource source;
  source.request_stop();
  expect_refused(workspace->list("", 5, source.token()), ErrorCode::kCancelled, "stopped");
  expect_refused(workspace->search({.pattern = "x"}, source.token()), ErrorCode::kCancelled, "");
}

TEST(Workspace, ReadsAreRecorded) {
  const TestWorkspace workspace(small());
  EXPECT_EQ(workspace.read("a.txt"), "one\ntwo\n");
  EXPECT_EQ(workspace.read("none"), "not_found");
  ASSERT_TRUE(workspace->write(path_of("written"), "x").ok());
  ASSERT_TRUE(workspace->edit(path_of("src/main.cc"), "int", "auto", false).ok());
  ASSERT_TRUE(workspace->search({.pattern = "y"}).ok());
  ASSERT_TRUE(workspace->list("", 10).ok());
  EXPECT_THAT(workspace->reads(), ElementsAre("a.txt", "none", "src/lib/y.cc", "src/main.cc"));
}

TEST(Workspace, AnyCheckpointCanBeRestored) {
  const TestWorkspace workspace(small());
  std::vector<git::ObjectId> checkpoints;
  for (int i = 0; i < 5; ++i) {
    ASSERT_TRUE(workspace->write(path_of("step"), std::to_string(i)).ok());
    ASSERT_TRUE(workspace->write(path_of("only" + std::to_string(i)), "x").ok());
    checkpoints.push_back(workspace->checkpoint().value());
  }
  for (const int i : {3, 0, 4}) {
    ASSERT_TRUE(workspace->restore(checkpoints[static_cast<std::size_t>(i)]).ok());
    EXPECT_EQ(workspace.read("step"), std::to_string(i));
    EXPECT_EQ(workspace.read("only" + std::to_string(i + 1)), "not_found");
    EXPECT_EQ(workspace->tree().value(), checkpoints[static_cast<std::size_t>(i)]);
  }
}

TEST(Workspace, AnInvalidTreeIsNotRestored) {
  const TestWorkspace workspace(small());
  expect_refused(workspace->restore(git::ObjectId::from_hex(kCommit).value()), ErrorCode::kNotFound,
                 "restoring");
}

TEST(Workspace, AWorkspaceStartsAtACheckpoint) {
  const TestWorkspace workspace(small());
  ASSERT_TRUE(workspace->write(path_of("a.txt"), "later").ok());
  WorkspaceOptions options = workspace.options("other");
  options.start = workspace->checkpoint().value();
  const auto other = Workspace::open(options).value();
  EXPECT_EQ(other->read(path_of("a.txt"))->content, "later");
  EXPECT_EQ(other->status()->size(), 1U);
  EXPECT_EQ(other->base().tree, workspace->base().tree);
}

TEST(Workspace, WorkspacesOnOneBaseDoNotSeeEachOther) {
  const TestWorkspace workspace(small());
  const auto other = Workspace::open(workspace.options("other")).value();
  ASSERT_TRUE(workspace->write(path_of("a.txt"), "mine").ok());
  EXPECT_EQ(other->read(path_of("a.txt"))->content, "one\ntwo\n");
}

TEST(Workspace, ManyChangesAreFoldedOnTheWay) {
  const TestWorkspace workspace(small());
  for (int i = 0; i < 1000; ++i) {
    ASSERT_TRUE(workspace->write(path_of("many/" + std::to_string(i)), "x").ok());
  }
  EXPECT_EQ(workspace->status()->size(), 1000U);
  ASSERT_TRUE(workspace->move(path_of("many"), path_of("moved")).ok());
  EXPECT_EQ(workspace->list("moved/", 2000)->paths.size(), 1000U);
  EXPECT_EQ(workspace->list("many/", 2000)->paths.size(), 0U);
}

TEST(Workspace, AHundredThousandFilesInAFolder) {
  const test::TemporaryDirectory folder;
  const std::shared_ptr<git::ObjectStore> store =
      git::ObjectStore::open({.folder = folder / "store"}).value();
  const git::ObjectId blob = store->put(git::ObjectKind::kBlob, "x").value();
  std::vector<git::TreeEntry> entries;
  for (int i = 0; i < 100'000; ++i) {
    entries.push_back({"f" + std::to_string(i), {FileMode::kFile, blob}});
  }
  const git::ObjectId inner = store->put_tree(std::move(entries)).value();
  const auto base = std::make_shared<git::BaseSnapshot>();
  base->tree = store->put_tree({{"d", {FileMode::kDirectory, inner}}}).value();
  const auto workspace = Workspace::open({.store = store,
                                          .base = base,
                                          .project_root = folder / "project",
                                          .folder = folder / "own",
                                          .shared_folder = folder / "shared"})
                             .value();
  ASSERT_TRUE(workspace->write(path_of("d/f5"), "changed").ok());
  EXPECT_EQ(workspace->read(path_of("d/f99999"))->content, "x");
  EXPECT_EQ(workspace->status()->size(), 1U);
  EXPECT_EQ(workspace->list("d/f9999?", 100)->paths.size(), 10U);
}

TEST(WorkspaceSecrets, AreNeitherReadNorWritten) {
  const TestWorkspace workspace({{"a.txt", "a"}}, {.hidden = {path_of("web/.npmrc")}});
  for (const char* path : {".env", ".ssh/id_rsa", "web/.npmrc"}) {
    EXPECT_EQ(workspace.read(path), "permission_denied") << path;
    const auto written = workspace->write(path_of(path), "x");
    ASSERT_FALSE(written.ok()) << path;
    EXPECT_THAT(written.error().message(), testing::HasSubstr("sandbox.include"));
  }
  EXPECT_FALSE(workspace->move(path_of("a.txt"), path_of(".env")).ok());
  EXPECT_EQ(workspace.status(), "");
}

TEST(WorkspaceSecrets, AreFilesLikeOthersWhereTheyAreListed) {
  const TestWorkspace workspace({{".env", "a"}});
  auto options = workspace.options("shown");
  options.secrets = git::SecretPaths({.include = {".env"}}, options.project_root);
  const auto shown = sandbox::Workspace::open(std::move(options)).value();
  EXPECT_TRUE(shown->write(path_of(".env"), "b").ok());
  EXPECT_EQ(shown->read(path_of(".env"))->content, "b");
}

TEST(WorkspaceGroup, IsWrittenOnlyInItsProjects) {
  const TestWorkspace test({{"api/a.txt", "a"}, {"web/b.txt", "b"}});
  auto group = std::make_shared<git::Project>();
  for (const char* name : {"api", "web"}) {
    git::Project member;
    member.name = name;
    group->members.push_back(std::move(member));
  }
  WorkspaceOptions options = test.options("group");
  options.project = group;
  const auto workspace = Workspace::open(std::move(options)).value();
  expect_refused(workspace->write(path_of("notes.txt"), "x"), ErrorCode::kPermissionDenied,
                 "lies in none of the plan's projects: write below api/, web/");
  expect_refused(workspace->write(path_of("else/x"), "x"), ErrorCode::kPermissionDenied, "else/x");
  expect_refused(workspace->move(path_of("api/a.txt"), path_of("a.txt")),
                 ErrorCode::kPermissionDenied, "a.txt");
  expect_refused(workspace->remove(path_of("api")), ErrorCode::kPermissionDenied, "api");
  ASSERT_TRUE(workspace->move(path_of("api/a.txt"), path_of("web/a.txt")).ok());
  ASSERT_TRUE(workspace->write(path_of("api/new"), "x").ok());
  EXPECT_EQ(workspace->status()->size(), 3U);
}

}  // namespace
}  // namespace clever::sandbox
