#include "io/file_writer.h"

#include <gtest/gtest.h>

#include <string>

#include "support/temporary_directory.h"

namespace clever::io {
namespace {

TEST(FileWriter, WritesEverythingInOrder) {
  const test::TemporaryDirectory folder;
  FileWriter writer = FileWriter::open(folder / "a").value();
  std::string expected;
  for (int i = 0; i < 100'000; ++i) {
    const std::string line = std::to_string(i) + "\n";
    writer.append(line);
    expected += line;
  }
  EXPECT_EQ(writer.size(), expected.size());
  ASSERT_TRUE(writer.sync().ok());
  EXPECT_EQ(folder.read("a"), expected);
}

TEST(FileWriter, ReplacesWhatWasThere) {
  const test::TemporaryDirectory folder;
  folder.write("a", "something longer");
  FileWriter writer = FileWriter::open(folder / "a").value();
  writer.append("new");
  ASSERT_TRUE(writer.sync().ok());
  EXPECT_EQ(folder.read("a"), "new");
}

TEST(FileWriter, SaysWhereItCannotWrite) {
  const test::TemporaryDirectory folder;
  const auto writer = FileWriter::open(folder / "none" / "a");
  ASSERT_FALSE(writer.ok());
  EXPECT_EQ(writer.error().code(), base::ErrorCode::kNotFound);
}

TEST(FileWriter, KeepsTheFirstFailure) {
  FileWriter writer = FileWriter::open("/dev/full").value();
  writer.append(std::string(std::size_t{1} << 20U, 'x'));
  const auto first = writer.sync();
  ASSERT_FALSE(first.ok());
  EXPECT_EQ(first.error().code(), base::ErrorCode::kResourceExhausted);
  EXPECT_FALSE(writer.sync().ok());
}

}  // namespace
}  // namespace clever::io
