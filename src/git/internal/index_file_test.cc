#include "git/internal/index_file.h"

#include <gtest/gtest.h>

#include <fstream>

#include "git/object_store.h"
#include "support/repository.h"

namespace clever::git::internal {
namespace {

TEST(IndexFile, ListsPathsWithModesAndIds) {
  const test::Repository repository;
  repository.write("b/run", "script", /*executable=*/true);
  repository.write("a", "content");
  repository.commit();
  const auto paths = read_index_file(repository / ".git/index").value();
  ASSERT_EQ(paths.size(), 2U);
  EXPECT_EQ(paths[0].path, "a");
  EXPECT_EQ(paths[0].node.mode, FileMode::kFile);
  EXPECT_EQ(paths[0].node.id, object_id_of(ObjectKind::kBlob, "content"));
  EXPECT_EQ(paths[1].path, "b/run");
  EXPECT_EQ(paths[1].node.mode, FileMode::kExecutable);
}

TEST(IndexFile, ListsNothingBeforeThereIsOne) {
  const test::Repository repository;
  EXPECT_TRUE(read_index_file(repository.beside("none")).value().empty());
}

TEST(IndexFile, LeavesASplitOneToGit) {
  const test::Repository repository;
  repository.write("a", "content");
  repository.commit();
  repository.git({"update-index", "--split-index"});
  EXPECT_FALSE(read_index_file(repository / ".git/index"));
}

TEST(IndexFile, LeavesADamagedOneToGit) {
  const test::Repository repository;
  std::ofstream(repository.beside("index")) << "no index";
  EXPECT_FALSE(read_index_file(repository.beside("index")));
}

}  // namespace
}  // namespace clever::git::internal
