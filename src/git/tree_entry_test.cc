#include "git/tree_entry.h"

#include <gtest/gtest.h>

namespace clever::git {
namespace {

TEST(TreeEntry, NamesKindsAsGitDoes) {
  EXPECT_EQ(to_string(ObjectKind::kCommit), "commit");
  EXPECT_EQ(to_string(ObjectKind::kTree), "tree");
  EXPECT_EQ(to_string(ObjectKind::kBlob), "blob");
  EXPECT_EQ(to_string(ObjectKind::kTag), "tag");
}

TEST(TreeEntry, WritesModesAsGitDoes) {
  EXPECT_EQ(to_string(FileMode::kDirectory), "40000");
  EXPECT_EQ(to_string(FileMode::kExecutable), "100755");
  EXPECT_EQ(to_string(FileMode::kSubmodule), "160000");
}

}  // namespace
}  // namespace clever::git
