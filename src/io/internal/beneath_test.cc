#include "io/internal/beneath.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "io/directory.h"
#include "support/temporary_directory.h"

namespace clever::io::internal {
namespace {

using test::TemporaryDirectory;

// What both ways of resolving a path must answer.
int error_of(const TemporaryDirectory& folder, const std::string& path, int flags) {
  const Directory here = Directory::open(folder.path()).value();
  const Opened quick = open_beneath(here.descriptor(), path, flags);
  const Opened walked = walk_beneath(here.descriptor(), path, flags);
  EXPECT_EQ(quick.error, walked.error) << path;
  EXPECT_EQ(quick.file.valid(), walked.file.valid()) << path;
  return walked.error;
}

TEST(Beneath, WalksLikeTheKernelDoes) {
  const TemporaryDirectory folder;
  folder.write("a/b/file", "x");
  std::filesystem::create_symlink("b", folder / "a/link");
  EXPECT_EQ(error_of(folder, "a", O_PATH | O_DIRECTORY), 0);
  EXPECT_EQ(error_of(folder, "a/b/file", O_RDONLY), 0);
  EXPECT_EQ(error_of(folder, "a/link", O_PATH), 0);
  EXPECT_EQ(error_of(folder, "a/link", O_RDONLY), ELOOP);
  EXPECT_EQ(error_of(folder, "a/link/file", O_RDONLY), ELOOP);
  EXPECT_EQ(error_of(folder, "a/missing", O_RDONLY), ENOENT);
  EXPECT_EQ(error_of(folder, "missing/file", O_RDONLY), ENOENT);
  EXPECT_EQ(error_of(folder, "a/b/file/x", O_RDONLY), ENOTDIR);
}

TEST(Beneath, WalksToTheSameFile) {
  const TemporaryDirectory folder;
  folder.write("a/b/file", "content");
  const Directory here = Directory::open(folder.path()).value();
  const Opened file = walk_beneath(here.descriptor(), "a/b/file", O_RDONLY);
  std::array<char, 16> text{};
  EXPECT_EQ(::read(file.file.number(), text.data(), text.size()), 7);
  EXPECT_STREQ(text.data(), "content");
}

TEST(Beneath, NamesWhatLeadsOut) {
  EXPECT_EQ(beneath_error(EXDEV, "cannot read", "x").code(), base::ErrorCode::kPermissionDenied);
}

}  // namespace
}  // namespace clever::io::internal
