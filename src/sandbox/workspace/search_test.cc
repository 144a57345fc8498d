#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>

#include "base/clock.h"
#include "base/thread_pool.h"
#include "sandbox/workspace/internal/clean_files.h"
#include "support/repository.h"
#include "support/test_workspace.h"

namespace clever::sandbox {
namespace {

using base::ErrorCode;
using git::FileMode;
using internal::CleanFiles;
using test::path_of;
using test::TestWorkspace;

std::string show(const SearchResult& result) {
  std::string text;
  for (const Match& match : result.matches) {
    text += match.path + ":" + std::to_string(match.line) + ":" + match.text + "|";
  }
  return text + (result.truncated ? "…" : "");
}

TestWorkspace some() {
  return TestWorkspace({{"a/x.cc", "int x;\nint y;\n"},
                        {"a/x.h", "int x;\n"},
                        {"b", "nothing\n"},
                        {"binary", std::string("int\0", 4)},
                        {"link", "int", FileMode::kLink}});
}

TEST(WorkspaceSearch, FindsByPathAndLine) {
  const auto workspace = some();
  const auto result = workspace->search({.pattern = "int"}).value();
  EXPECT_EQ(show(result), "a/x.cc:1:int x;|a/x.cc:2:int y;|a/x.h:1:int x;|");
  EXPECT_EQ(result.files_searched, 4U);
}

TEST(WorkspaceSearch, LooksOnlyWhereTheGlobSays) {
  const auto workspace = some();
  EXPECT_EQ(show(workspace->search({.pattern = "int", .glob = "*.h"}).value()), "a/x.h:1:int x;|");
  EXPECT_EQ(workspace->search({.pattern = "int", .glob = "["}).error().code(),
            ErrorCode::kInvalidArgument);
}

TEST(WorkspaceSearch, CutsAtTheMostAndSaysSo) {
  const auto workspace = some();
  EXPECT_EQ(show(workspace->search({.pattern = "int", .max_results = 2}).value()),
            "a/x.cc:1:int x;|a/x.cc:2:int y;|…");
  EXPECT_FALSE(workspace->search({.pattern = "int", .max_results = 3})->truncated);
}

TEST(WorkspaceSearch, SeesWhatWasWritten) {
  const auto workspace = some();
  ASSERT_TRUE(workspace->write(path_of("b"), "an int\n").ok());
  ASSERT_TRUE(workspace->remove(path_of("a")).ok());
  EXPECT_EQ(show(workspace->search({.pattern = "int"}).value()), "b:1:an int|");
}

TEST(WorkspaceSearch, TakesRegularExpressionsAndNoCase) {
  const auto workspace = some();
  EXPECT_EQ(show(workspace->search({.pattern = "INT [y]", .regex = true, .case_sensitive = false})
                     .value()),
            "a/x.cc:2:int y;|");
  EXPECT_EQ(workspace->search({.pattern = "(", .regex = true}).error().code(),
            ErrorCode::kInvalidArgument);
}

TEST(WorkspaceSearch, EndsAtItsDeadline) {
  const auto workspace = some();
  base::SimulatedClock clock;
  const auto deadline = base::Deadline::after(clock, std::chrono::seconds(0));
  EXPECT_EQ(workspace->search({.pattern = "int"}, {}, deadline).error().code(),
            ErrorCode::kDeadlineExceeded);
}

TEST(WorkspaceSearch, PassesOverWhatIsTooLarge) {
  const auto test = some();
  WorkspaceOptions options = test.options();
  options.largest_file = 8;
  const auto workspace = Workspace::open(options).value();
  EXPECT_EQ(show(workspace->search({.pattern = "int"}).value()), "a/x.h:1:int x;|");
}

TEST(WorkspaceSearch, MissingObjectsAreAnError) {
  const TestWorkspace test({{"file", "x"}});
  WorkspaceOptions options = test.options();
  const auto lost = git::object_id_of(git::ObjectKind::kBlob, "lost");
  options.start = test.store().put_tree({{"f", {FileMode::kFile, lost}}}).value();
  const auto workspace = Workspace::open(options).value();
  EXPECT_EQ(workspace->search({.pattern = "x"}).error().code(), ErrorCode::kNotFound);
}

TEST(WorkspaceSearch, ThreadsHelp) {
  base::ThreadPool pool({.name = "search", .threads = 3});
  const auto test = some();
  WorkspaceOptions options = test.options();
  options.pool = &pool;
  const auto workspace = Workspace::open(options).value();
  EXPECT_EQ(workspace->search({.pattern = "int"})->matches.size(), 3U);
}

// A repository whose index was written well after its files.
class CleanFilesTest : public testing::Test {
 protected:
  CleanFilesTest() {
    repository_.write("file", "content\n");
    repository_.write("other", "other\n");
    for (const char* name : {"file", "other"}) {
      std::filesystem::last_write_time(
          repository_ / name,
          std::filesystem::file_time_type::clock::now() - std::chrono::hours(1));
    }
    repository_.commit();
    id_ = git::object_id_of(git::ObjectKind::kBlob, "content\n");
  }

  test::Repository repository_;
  git::ObjectId id_;
};

TEST_F(CleanFilesTest, AreReadFromTheCheckout) {
  const auto clean = CleanFiles::open(repository_.path());
  ASSERT_NE(clean, nullptr);
  const auto mark = clean->mark("file", id_);
  ASSERT_TRUE(mark.has_value());
  EXPECT_EQ(clean->content("file", *mark, 100), "content\n");
  EXPECT_EQ(clean->content("file", *mark, 3), std::nullopt);
}

TEST_F(CleanFilesTest, AnotherObjectHasNoMark) {
  const auto clean = CleanFiles::open(repository_.path());
  EXPECT_FALSE(clean->mark("other", id_).has_value());
  EXPECT_FALSE(clean->mark("none", id_).has_value());
}

TEST_F(CleanFilesTest, AFileThatWasTouchedIsNotClean) {
  const auto clean = CleanFiles::open(repository_.path());
  const auto mark = clean->mark("file", id_);
  repository_.write("file", "contenT\n");
  EXPECT_EQ(clean->content("file", *mark, 100), std::nullopt);
  repository_.remove("file");
  EXPECT_EQ(clean->content("file", *mark, 100), std::nullopt);
}

TEST_F(CleanFilesTest, AFileAsYoungAsTheIndexIsNotTrusted) {
  repository_.write("young", "content\n");
  std::filesystem::last_write_time(
      repository_ / "young", std::filesystem::file_time_type::clock::now() + std::chrono::hours(1));
  repository_.git({"add", "young"});
  EXPECT_FALSE(CleanFiles::open(repository_.path())->mark("young", id_).has_value());
}

TEST_F(CleanFilesTest, AFolderWithoutARepositoryHasNone) {
  const test::TemporaryDirectory folder;
  EXPECT_EQ(CleanFiles::open(folder.path()), nullptr);
}

TEST_F(CleanFilesTest, FilteredFilesAreSearchedAsTheStoreHasThem) {
  // The store is asked for what it has not: an error, where the checkout would have answered.
  const std::shared_ptr<git::ObjectStore> store =
      git::ObjectStore::open({.folder = repository_.beside("store")}).value();
  const auto base = std::make_shared<git::BaseSnapshot>();
  base->tree = store->put_tree({{"file", {FileMode::kFile, id_}}}).value();
  const WorkspaceOptions options{.store = store,
                                 .base = base,
                                 .project_root = repository_.path(),
                                 .folder = repository_.beside("own"),
                                 .shared_folder = repository_.beside("shared")};
  EXPECT_TRUE(Workspace::open(options).value()->search({.pattern = "content"}).ok());
  base->filtered = {path_of("file")};
  EXPECT_FALSE(Workspace::open(options).value()->search({.pattern = "content"}).ok());
}

TEST_F(CleanFilesTest, ASearchReadsThemAndWhatChangedFromTheStore) {
  const std::shared_ptr<git::ObjectStore> store =
      git::ObjectStore::open({.folder = repository_.beside("store")}).value();
  const auto base = std::make_shared<git::BaseSnapshot>();
  base->tree = test::tree_of(*store, {{"file", "content\n"}, {"other", "changed content\n"}});
  const auto workspace = Workspace::open({.store = store,
                                          .base = base,
                                          .project_root = repository_.path(),
                                          .folder = repository_.beside("own"),
                                          .shared_folder = repository_.beside("shared")})
                             .value();
  EXPECT_EQ(show(workspace->search({.pattern = "content"}).value()),
            "file:1:content|other:1:changed content|");
}

}  // namespace
}  // namespace clever::sandbox
