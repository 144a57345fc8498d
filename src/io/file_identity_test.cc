#include "io/file_identity.h"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include "support/temporary_directory.h"

namespace clever::io {
namespace {

using testing::HasSubstr;

TEST(FileIdentityTest, IsTheSameByAnyName) {
  const test::TemporaryDirectory folder;
  folder.write("a/file", "x");
  std::filesystem::create_symlink("a", folder / "link");
  std::filesystem::create_symlink("link/file", folder / "other");
  const auto identity = file_identity(folder / "a/file").value();
  EXPECT_EQ(identity.names, 1U);
  EXPECT_EQ(file_identity(folder / "link/file").value(), identity);
  EXPECT_EQ(file_identity(folder / "other").value(), identity);
  EXPECT_NE(file_identity(folder.write("b", "x")).value(), identity);
}

TEST(FileIdentityTest, CountsHardLinks) {
  const test::TemporaryDirectory folder;
  std::filesystem::create_hard_link(folder.write("a", "x"), folder / "b");
  EXPECT_EQ(file_identity(folder / "a").value().names, 2U);
}

TEST(FileIdentityTest, SaysWhatIsNotAFile) {
  const test::TemporaryDirectory folder;
  EXPECT_EQ(file_identity(folder / "missing").error().code(), base::ErrorCode::kNotFound);
  EXPECT_THAT(file_identity(folder.path()).error().message(), HasSubstr("is a folder"));
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  EXPECT_THAT(file_identity(folder / "pipe").error().message(), HasSubstr("not a regular file"));
}

TEST(CreateFileTest, MakesItPrivateWithTheFoldersAbove) {
  const test::TemporaryDirectory folder;
  create_file(folder / "a/b/file").value();
  struct stat status{};
  ASSERT_EQ(::stat((folder / "a/b/file").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777U, 0600U);
  EXPECT_EQ(status.st_size, 0);
  ASSERT_EQ(::stat((folder / "a").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777U, 0700U);
}

TEST(CreateFileTest, LeavesAnExistingFileAlone) {
  const test::TemporaryDirectory folder;
  folder.write("file", "content");
  create_file(folder / "file").value();
  EXPECT_EQ(folder.read("file"), "content");
}

TEST(CreateFileTest, CreatesTheTargetOfALink) {
  const test::TemporaryDirectory folder;
  std::filesystem::create_symlink("there/file", folder / "link");
  create_file(folder / "link").value();
  EXPECT_TRUE(std::filesystem::is_regular_file(folder / "there/file"));
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link"));
}

TEST(CreateFileTest, NamesWhatIsInTheWay) {
  const test::TemporaryDirectory folder;
  folder.write("file", "");
  EXPECT_THAT(create_file(folder / "file/below").error().message(), HasSubstr("/file"));
  EXPECT_FALSE(create_file("/proc/none").ok());
  std::filesystem::create_symlink("loop", folder / "loop");
  EXPECT_FALSE(create_file(folder / "loop").ok());
}

}  // namespace
}  // namespace clever::io
