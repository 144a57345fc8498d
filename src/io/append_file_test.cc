#include "io/append_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "support/temporary_directory.h"

namespace clever::io {
namespace {

TEST(AppendFile, GrowsAcrossOpenings) {
  const test::TemporaryDirectory folder;
  AppendFile::open(folder / "log")->append("one\n").value();
  AppendFile::open(folder / "log")->append("two\n").value();
  EXPECT_EQ(folder.read("log"), "one\ntwo\n");
}

TEST(AppendFile, IsOnlyForItsOwner) {
  const test::TemporaryDirectory folder;
  AppendFile::open(folder / "log").value();
  EXPECT_EQ(std::filesystem::status(folder / "log").permissions(),
            std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
}

TEST(AppendFile, RefusesAFifoWithoutWaiting) {
  const test::TemporaryDirectory folder;
  const auto fifo = folder.path() / "fifo";
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  EXPECT_THAT(AppendFile::open(fifo).error().message(), ::testing::HasSubstr("it is a FIFO"));
}

TEST(AppendFile, CanBeCutAndGrowAgain) {
  const test::TemporaryDirectory folder;
  auto file = AppendFile::open(folder.write("log", "one\ntw")).value();
  file.truncate(4).value();
  file.append("two\n").value();
  EXPECT_EQ(folder.read("log"), "one\ntwo\n");
}

TEST(AppendFile, NamesAPlaceThatCannotBeWritten) {
  const test::TemporaryDirectory folder;
  const auto file = AppendFile::open(folder / "missing/log");
  ASSERT_FALSE(file.ok());
  EXPECT_NE(file.error().message().find("missing/log"), std::string::npos);
}

TEST(AppendFile, AFullDiskIsSaid) {
  auto file = AppendFile::open("/dev/full");
  ASSERT_TRUE(file.ok());
  EXPECT_EQ(file->append("one\n").error().code(), base::ErrorCode::kResourceExhausted);
}

TEST(AppendFile, ReportsAFailedTruncation) {
  auto file = AppendFile::open("/dev/full");
  ASSERT_TRUE(file.ok());
  EXPECT_FALSE(file->truncate(0).ok());
}

}  // namespace
}  // namespace clever::io
