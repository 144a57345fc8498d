#include "io/file_names.h"

#include <gtest/gtest.h>

#include "support/temporary_directory.h"

namespace clever::io {
namespace {

using base::ErrorCode;

TEST(FileNames, RealPathFollowsLinks) {
  const test::TemporaryDirectory folder;
  const auto file = folder.write("a/file", "x");
  std::filesystem::create_directory_symlink(folder / "a", folder / "b");
  EXPECT_EQ(real_path(folder / "b/../b/file").value(), real_path(file).value());
  EXPECT_EQ(real_path(folder / "none").error().code(), ErrorCode::kNotFound);
}

TEST(FileNames, MovingReplacesNothing) {
  const test::TemporaryDirectory folder;
  folder.write("from", "new");
  folder.write("taken", "old");
  EXPECT_EQ(move_new_file(folder / "from", folder / "taken").error().code(),
            ErrorCode::kAlreadyExists);
  EXPECT_EQ(folder.read("taken"), "old");
  move_new_file(folder / "from", folder / "to").value();
  EXPECT_EQ(folder.read("to"), "new");
}

TEST(FileNames, RemovingTwiceIsAnError) {
  const test::TemporaryDirectory folder;
  folder.write("file", "x");
  remove_file(folder / "file").value();
  EXPECT_EQ(remove_file(folder / "file").error().code(), ErrorCode::kNotFound);
}

}  // namespace
}  // namespace clever::io
