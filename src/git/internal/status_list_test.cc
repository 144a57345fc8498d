#include "git/internal/status_list.h"

#include <gtest/gtest.h>

#include <string>

namespace clever::git::internal {
namespace {

const std::string kId = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";
const std::string kNone(40, '0');

std::string record(const std::string& text) { return text + '\0'; }

TEST(StatusList, ReadsEachKindOfEntry) {
  const auto list =
      parse_status(
          record("# branch.oid " + kId) + record("# branch.head main") +
          record("1 .M N... 100644 100755 100755 " + kId + " " + kId + " two words") +
          record("1 A. N... 000000 120000 120000 " + kNone + " " + kId + " link") +
          record("u UU N... 100644 100644 100644 100644 " + kId + " " + kId + " " + kId + " both") +
          record("? new file"))
          .value();
  EXPECT_EQ(list.commit->to_hex(), kId);
  EXPECT_EQ(list.branch, "refs/heads/main");
  ASSERT_EQ(list.entries.size(), 4U);
  EXPECT_EQ(list.entries[0].path, "two words");
  EXPECT_TRUE(list.entries[0].differs_from_index);
  EXPECT_EQ(list.entries[0].staged->mode, FileMode::kExecutable);
  EXPECT_FALSE(list.entries[1].committed);
  EXPECT_FALSE(list.entries[1].differs_from_index);
  EXPECT_TRUE(list.entries[2].unmerged);
  EXPECT_TRUE(list.entries[3].untracked);
  EXPECT_EQ(list.entries[3].path, "new file");
}

TEST(StatusList, KnowsADetachedHead) {
  EXPECT_EQ(parse_status(record("# branch.head (detached)")).value().branch, "");
}

TEST(StatusList, KnowsNoBranchThatGitDoesNotName) {
  EXPECT_FALSE(parse_status(record("# branch.head (null)")).value().branch);
}

TEST(StatusList, KnowsNoCommitBeforeTheFirst) {
  EXPECT_FALSE(parse_status(record("# branch.oid (initial)")).value().commit);
}

TEST(StatusList, RefusesWhatGitDoesNotPrint) {
  for (const std::string& text :
       {std::string("x"), std::string("? "), std::string("1 .M"), std::string("u UU"),
        "1 .M N... 100644 100644 100644 " + kId + " nonsense path",
        "1 .M N... 777 100644 100644 " + kId + " " + kId + " path",
        "1 .M N... 100644 9 100644 " + kId + " " + kId + " path",
        "1 M N... 100644 100644 100644 " + kId + " " + kId + " path",
        "1 .M N... 100644 100644 100644 " + kId + " " + kId + " "}) {
    EXPECT_EQ(parse_status(record(text)).error().code(), base::ErrorCode::kCorruption) << text;
  }
}

TEST(StageList, ReadsModesAndPaths) {
  const std::string output =
      record("160000 " + kId + " 0\tsub") + record("100644 " + kId + " 0\ta\tb");
  const auto entries = parse_stage_list(output).value();
  ASSERT_EQ(entries.size(), 2U);
  EXPECT_EQ(entries[0].node.mode, FileMode::kSubmodule);
  EXPECT_EQ(entries[1].path, "a\tb");
}

TEST(StageList, RefusesWhatGitDoesNotPrint) {
  for (const std::string& text : {std::string("x"), "100644 " + kId + " 0",
                                  "100644 " + kId + " 0\t", std::string("100644 x 0\ta")}) {
    EXPECT_EQ(parse_stage_list(record(text)).error().code(), base::ErrorCode::kCorruption) << text;
  }
}

}  // namespace
}  // namespace clever::git::internal
