#include "index/corpus.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <string>
#include <vector>

#include "git/tree.h"
#include "support/repository.h"
#include "support/trees.h"

namespace clever::index {
namespace {

using test::Repository;
using test_trees::text;
using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> corpus_paths(const base::Result<std::vector<CorpusFile>>& files) {
  std::vector<std::string> paths;
  for (const CorpusFile& file : files.value()) paths.push_back(file.path);
  return paths;
}

std::unique_ptr<Corpus> corpus_of(const Repository& repository) {
  return folder_corpus(git::Project::find(repository.path()).value());
}

TEST(FolderCorpus, HasWhatIsTrackedAndWhatIsNew) {
  const Repository repository;
  repository.write("b/tracked.c", "x");
  repository.write(".gitignore", "*.o\n");
  repository.commit();
  repository.write("a.c", "new");
  repository.write("a.o", "ignored");
  EXPECT_THAT(corpus_paths(corpus_of(repository)->files({})),
              ElementsAre(".gitignore", "a.c", "b/tracked.c"));
}

TEST(FolderCorpus, OfAPlainFolderHonoursItsIgnoreFiles) {
  const Repository folder(Repository::Kind::kPlainFolder);
  folder.write("kept.c", "x");
  folder.write("sub/.gitignore", "/dropped.c\n");
  folder.write("sub/dropped.c", "x");
  folder.write("sub/kept.c", "x");
  EXPECT_THAT(corpus_paths(corpus_of(folder)->files({})),
              ElementsAre("kept.c", "sub/.gitignore", "sub/kept.c"));
}

TEST(FolderCorpus, HasNoSecrets) {
  const Repository repository;
  repository.write("a.c", "x");
  repository.write(".env", "KEY=x");
  repository.commit();
  repository.write(".ssh/id_rsa", "x");
  repository.write(".npmrc", "_password=x");
  EXPECT_THAT(corpus_paths(corpus_of(repository)->files({})), ElementsAre("a.c"));
}

TEST(FolderCorpus, FollowsNoLink) {
  const Repository folder(Repository::Kind::kPlainFolder);
  folder.write("real.c", "x");
  folder.link("alias.c", "real.c");
  folder.link("round", ".");
  folder.link("broken", "nowhere");
  EXPECT_THAT(corpus_paths(corpus_of(folder)->files({})), ElementsAre("real.c"));
}

TEST(FolderCorpus, LeavesOutWhatWasDeleted) {
  const Repository repository;
  repository.write("a.c", "x");
  repository.write("b.c", "x");
  repository.commit();
  repository.remove("a.c");
  EXPECT_THAT(corpus_paths(corpus_of(repository)->files({})), ElementsAre("b.c"));
}

TEST(FolderCorpus, AStampChangesWithItsFile) {
  const Repository folder(Repository::Kind::kPlainFolder);
  folder.write("a.c", "one");
  const auto corpus = corpus_of(folder);
  const auto before = corpus->files({}).value().at(0).stamp;
  EXPECT_EQ(corpus->files({}).value().at(0).stamp, before);
  folder.write("a.c", "another");
  EXPECT_NE(corpus->files({}).value().at(0).stamp, before);
}

TEST(FolderCorpus, ReadsAFile) {
  const Repository folder(Repository::Kind::kPlainFolder);
  folder.write("a.c", std::string("\xFF\0x", 3));
  const auto corpus = corpus_of(folder);
  EXPECT_EQ(corpus->read({.path = "a.c"}, 100).value(), std::string("\xFF\0x", 3));
}

TEST(FolderCorpus, RefusesWhatIsTooLong) {
  const Repository folder(Repository::Kind::kPlainFolder);
  folder.write("a.c", std::string(101, 'x'));
  const auto read = corpus_of(folder)->read({.path = "a.c"}, 100);
  ASSERT_FALSE(read.ok());
  EXPECT_EQ(read.error().code(), base::ErrorCode::kResourceExhausted);
}

TEST(FolderCorpus, SaysWhatIsGone) {
  const Repository folder(Repository::Kind::kPlainFolder);
  const auto read = corpus_of(folder)->read({.path = "a.c"}, 100);
  ASSERT_FALSE(read.ok());
  EXPECT_EQ(read.error().code(), base::ErrorCode::kNotFound);
}

TEST(FolderCorpus, CanBeStopped) {
  const Repository folder(Repository::Kind::kPlainFolder);
  base::StopSource stop;
  stop.request_stop();
  EXPECT_FALSE(corpus_of(folder)->files(stop.token()).ok());
}

class TreeCorpusTest : public testing::Test {
 protected:
  std::unique_ptr<Corpus> corpus(const test_trees::Files& files) {
    return tree_corpus(store_, trees_.tree(files));
  }

  test_trees::Trees trees_;
  // The same store, shared: it lives as long as the test.
  std::shared_ptr<git::ObjectStore> store_{&trees_.store(), [](git::ObjectStore*) {}};
};

TEST_F(TreeCorpusTest, HasItsFilesInTheOrderOfPaths) {
  const auto files = corpus({{"b.c", text("b")},
                             {"a/x.c", text("x")},
                             {"a.c", text("a")},
                             {"run", test_trees::program("sh")},
                             {"link", test_trees::link("b.c")},
                             {"module", test_trees::submodule('1')}});
  EXPECT_THAT(corpus_paths(files->files({})), ElementsAre("a.c", "a/x.c", "b.c", "run"));
}

TEST_F(TreeCorpusTest, ReadsByBlob) {
  const auto files = corpus({{"a.c", text("content")}});
  const CorpusFile file = files->files({}).value().at(0);
  EXPECT_EQ(files->read(file, 100).value(), "content");
  EXPECT_EQ(files->read(file, 3).error().code(), base::ErrorCode::kResourceExhausted);
  EXPECT_EQ(files->read({.path = "a.c"}, 100).error().code(), base::ErrorCode::kInvalidArgument);
}

TEST_F(TreeCorpusTest, SaysWhatDiffersFromAnother) {
  const auto before = corpus({{"a.c", text("1")}, {"b.c", text("1")}, {"c.c", text("1")}});
  const auto after = corpus({{"a.c", text("2")}, {"b.c", text("1")}, {"d.c", text("3")}});
  const auto changes = after->changes_since(*before, {}).value().value();
  std::vector<std::string> seen;
  for (const CorpusChange& change : changes) {
    seen.push_back(change.path + (change.after ? "" : " gone"));
  }
  EXPECT_THAT(seen, ElementsAre("a.c", "c.c gone", "d.c"));
}

TEST_F(TreeCorpusTest, AFileThatBecomesALinkIsNoLongerAFile) {
  const auto before = corpus({{"a.c", text("1")}});
  const auto after = corpus({{"a.c", test_trees::link("x")}});
  const auto changes = after->changes_since(*before, {}).value().value();
  ASSERT_EQ(changes.size(), 1U);
  EXPECT_FALSE(changes[0].after);
}

TEST_F(TreeCorpusTest, CannotSayWhatDiffersFromAFolder) {
  const Repository folder(Repository::Kind::kPlainFolder);
  EXPECT_FALSE(corpus({})->changes_since(*corpus_of(folder), {}).value());
  EXPECT_FALSE(corpus_of(folder)->changes_since(*corpus({}), {}).value());
}

}  // namespace
}  // namespace clever::index
