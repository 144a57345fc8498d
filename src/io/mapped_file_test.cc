#include "io/mapped_file.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <utility>

#include "support/temporary_directory.h"

namespace clever::io {
namespace {

TEST(MappedFile, ShowsWhatIsInTheFile) {
  const test::TemporaryDirectory folder;
  const MappedFile file = MappedFile::open(folder.write("a", "some bytes")).value();
  EXPECT_EQ(file.bytes(), "some bytes");
}

TEST(MappedFile, OfAnEmptyFileIsEmpty) {
  const test::TemporaryDirectory folder;
  EXPECT_EQ(MappedFile::open(folder.write("a", "")).value().bytes(), "");
}

TEST(MappedFile, StaysWhenTheFileIsRemoved) {
  const test::TemporaryDirectory folder;
  const auto path = folder.write("a", "still here");
  const MappedFile file = MappedFile::open(path).value();
  std::filesystem::remove(path);
  EXPECT_EQ(file.bytes(), "still here");
}

TEST(MappedFile, CanBeMoved) {
  const test::TemporaryDirectory folder;
  MappedFile first = MappedFile::open(folder.write("a", "one")).value();
  MappedFile second = MappedFile::open(folder.write("b", "two")).value();
  second = std::move(first);
  const MappedFile third = std::move(second);
  EXPECT_EQ(third.bytes(), "one");
}

TEST(MappedFile, ReadsAgainWhatWasReleased) {
  const test::TemporaryDirectory folder;
  const std::string content(100'000, 'x');
  const MappedFile file = MappedFile::open(folder.write("a", content)).value();
  file.release(file.bytes().substr(5000, 50'000));
  file.release({});
  EXPECT_EQ(file.bytes(), content);
}

TEST(MappedFile, SaysWhatIsMissing) {
  const test::TemporaryDirectory folder;
  const auto file = MappedFile::open(folder / "none");
  ASSERT_FALSE(file.ok());
  EXPECT_EQ(file.error().code(), base::ErrorCode::kNotFound);
}

TEST(MappedFile, RefusesAFolder) {
  const test::TemporaryDirectory folder;
  const auto file = MappedFile::open(folder.path());
  ASSERT_FALSE(file.ok());
  EXPECT_EQ(file.error().code(), base::ErrorCode::kInvalidArgument);
}

}  // namespace
}  // namespace clever::io
