#include "confine/internal/disk_watch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>

#include "support/temporary_directory.h"

namespace clever::confine::internal {
namespace {

using test::TemporaryDirectory;

constexpr DiskUsage kMuch{.bytes = 1U << 30U, .files = 1000};

TEST(DiskUsage, CountsFilesFoldersAndLinksAtAnyDepth) {
  const TemporaryDirectory folder;
  folder.write("a/b/c", std::string(100'000, 'x'));
  std::filesystem::create_symlink("/usr", folder / "link");
  DiskUsage usage;
  add_usage(folder.path(), kMuch, usage);
  EXPECT_EQ(usage.files, 4U);
  EXPECT_GE(usage.bytes, 100'000U);
  EXPECT_LT(usage.bytes, 1'000'000U);
}

TEST(DiskUsage, EndsEarlyOverTheLimit) {
  const TemporaryDirectory folder;
  for (int i = 0; i < 50; ++i) folder.write(std::to_string(i), "");
  DiskUsage usage;
  add_usage(folder.path(), {.bytes = 1U << 30U, .files = 10}, usage);
  EXPECT_EQ(usage.files, 11U);
}

TEST(DiskUsage, AMissingFolderIsEmpty) {
  DiskUsage usage;
  add_usage("/nonexistent/folder", kMuch, usage);
  EXPECT_EQ(usage.files, 0U);
}

// Waits until it is time.
std::optional<std::string> next_look(DiskWatch& watch) {
  pollfd event{.fd = watch.descriptor(), .events = POLLIN, .revents = 0};
  EXPECT_EQ(::poll(&event, 1, -1), 1);
  return watch.look();
}

TEST(DiskWatch, CountsWhatIsAddedToASharedFolder) {
  const TemporaryDirectory folder;
  folder.write("old", std::string(3'000'000, 'x'));
  const Command command{
      .argv = {"true"},
      .mounts = {{.kind = Mount::Kind::kWritable, .target = "/w", .source = folder.path()}},
      .limits = {.disk = 1'000'000}};
  auto watch = DiskWatch::create(command).value();
  folder.write("new", "n");
  EXPECT_EQ(next_look(watch), std::nullopt);
  folder.write("large", std::string(2'000'000, 'x'));
  EXPECT_THAT(next_look(watch).value_or(""), ::testing::HasSubstr("sandbox.disk"));
}

TEST(DiskWatch, AnUpperFolderCountsWhole) {
  const TemporaryDirectory folder;
  folder.write("upper/a", "");
  folder.write("upper/b", "");
  const Command command{.argv = {"true"},
                        .mounts = {{.kind = Mount::Kind::kOverlay,
                                    .target = "/w",
                                    .lower = {"/usr"},
                                    .upper = folder / "upper",
                                    .work = folder / "work"}},
                        .limits = {.files = 1}};
  auto watch = DiskWatch::create(command).value();
  EXPECT_THAT(next_look(watch).value_or(""), ::testing::HasSubstr("sandbox.files allows (1 "));
}

TEST(DiskWatch, WithoutALimitThereIsNothingToLookAt) {
  EXPECT_EQ(DiskWatch::create({.argv = {"true"}})->descriptor(), -1);
}

}  // namespace
}  // namespace clever::confine::internal
