#include "io/find_program.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "support/temporary_directory.h"

namespace clever::io {
namespace {

using test::TemporaryDirectory;

void make_program(const TemporaryDirectory& folder, std::string_view name) {
  ASSERT_EQ(::chmod(folder.write(name, "#!/bin/sh\n").c_str(), 0755), 0);
}

TEST(FindProgram, TakesTheFirstExecutableOfThePath) {
  const TemporaryDirectory folder;
  make_program(folder, "b/tool");
  make_program(folder, "c/tool");
  folder.write("a/tool", "not executable");
  std::filesystem::create_directories(folder / "d/tool");
  const std::string root = folder.path().string();
  const Environment environment(
      {{"PATH", root + "/d:" + root + "/a::" + root + "/b:" + root + "/c"}});
  EXPECT_EQ(find_program("tool", environment), folder / "b/tool");
  EXPECT_EQ(find_program("other", environment), std::nullopt);
}

TEST(FindProgram, WithoutAPathTheUsualFoldersCount) {
  EXPECT_TRUE(find_program("sh", Environment()).has_value());
}

}  // namespace
}  // namespace clever::io
