#pragma once
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>

namespace clever::test {

/// The permission bits of a file, of a link its own.
inline mode_t permissions_of(const std::filesystem::path& path) {
  struct stat status{};
  EXPECT_EQ(::lstat(path.c_str(), &status), 0) << path;
  return status.st_mode & 07777U;
}

}  // namespace clever::test
