#include "io/disk.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/child_process.h"
#include "support/temporary_directory.h"

namespace clever::io {
namespace {

using base::ErrorCode;
using test::TemporaryDirectory;

TEST(PlaceFacts, TellsKindModeAndOwner) {
  const TemporaryDirectory folder;
  const auto facts = place_facts(folder.path()).value();
  EXPECT_TRUE(facts.is_directory);
  EXPECT_EQ(facts.mode, 0700U);
  EXPECT_TRUE(facts.owned_by_caller);
  EXPECT_FALSE(facts.owner.empty());
  EXPECT_TRUE(facts.writable);
  EXPECT_FALSE(place_facts(folder.write("x", ""))->is_directory);
}

TEST(PlaceFacts, AnOwnerWithoutANameIsANumber) {
  const TemporaryDirectory folder;
  const auto file = folder.write("x", "");
  constexpr uid_t kNobodyKnows = 3'999'999'999;
  // Only root can give files away; everybody else keeps a name.
  const bool given = ::chown(file.c_str(), kNobodyKnows, kNobodyKnows) == 0;
  const auto facts = place_facts(file).value();
  EXPECT_EQ(facts.owner == std::to_string(kNobodyKnows), given);
  EXPECT_EQ(facts.owned_by_caller, !given);
}

TEST(PlaceFacts, KnowsWhereItMayNotWrite) {
  const TemporaryDirectory folder;
  ASSERT_EQ(::chmod(folder.path().c_str(), 0555), 0);
  EXPECT_EQ(test::in_unprivileged_child(
                [&folder] { return place_facts(folder.path())->writable ? 1 : 0; }),
            0);
}

TEST(PlaceFacts, SaysThatNothingIsThere) {
  const auto facts = place_facts("/nonexistent/x");
  ASSERT_FALSE(facts.ok());
  EXPECT_EQ(facts.error().code(), ErrorCode::kNotFound);
}

TEST(FreeSpace, IsKnownForPlacesThatExist) {
  const TemporaryDirectory folder;
  EXPECT_GT(free_space(folder.path()).value(), 0U);
  EXPECT_EQ(free_space("/nonexistent/x").error().code(), ErrorCode::kNotFound);
}

TEST(ReadHead, ReadsAtMostWhatWasAskedFor) {
  const TemporaryDirectory folder;
  const auto file = folder.write("x", "hello");
  EXPECT_EQ(read_head(file, 2).value(), "he");
  EXPECT_EQ(read_head(file, 100).value(), "hello");
}

TEST(ReadHead, DoesNotWaitForAPipe) {
  const TemporaryDirectory folder;
  const auto pipe = folder / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_EQ(read_head(pipe, 10).value(), "");
}

TEST(ReadHead, NamesWhatCannotBeRead) {
  const TemporaryDirectory folder;
  EXPECT_EQ(read_head(folder / "none", 1).error().code(), ErrorCode::kNotFound);
  EXPECT_THAT(read_head(folder.path(), 1).error().message(),
              testing::HasSubstr(folder.path().string()));
}

}  // namespace
}  // namespace clever::io
