#include "confine/internal/usage_watch.h"

#include <gtest/gtest.h>

namespace clever::confine::internal {
namespace {

constexpr std::string_view kRollup =
    "55d0c0000000-7ffd00000000 ---p 00000000 00:00 0    [rollup]\n"
    "Rss:                9000 kB\n"
    "Pss:                4000 kB\n"
    "Pss_Anon:           3000 kB\n"
    "Pss_File:            600 kB\n"
    "Pss_Shmem:           400 kB\n"
    "Swap:                 90 kB\n"
    "SwapPss:              50 kB\n";

TEST(Usage, ReadsTheResidentPages) {
  EXPECT_EQ(resident_pages("1000 250 30 4 0 60 0\n"), 250U);
  EXPECT_EQ(resident_pages(""), 0U);
  EXPECT_EQ(resident_pages("1000"), 0U);
}

TEST(Usage, CountsOwnAndSharedMemoryButNoFilesOfTheDisk) {
  Usage usage;
  add_rollup(kRollup, usage);
  add_rollup(kRollup, usage);
  EXPECT_EQ(usage.own, std::uint64_t{2 * 3050} << 10U);
  EXPECT_EQ(usage.shared, std::uint64_t{2 * 400} << 10U);
}

TEST(Usage, AMappedFileInMemoryCountsOnce) {
  EXPECT_EQ((Usage{.own = 10, .shared = 7, .files = 5}).memory(), 17U);
  EXPECT_EQ((Usage{.own = 10, .shared = 5, .files = 7}).memory(), 17U);
}

TEST(Usage, InvalidRollupsCountNothing) {
  Usage usage;
  for (const char* text : {"", "\nPss_Anon:", "\nPss_Anon: x kB", "Pss_Anon: 5 kB"}) {
    add_rollup(text, usage);
  }
  EXPECT_EQ(usage.memory(), 0U);
}

}  // namespace
}  // namespace clever::confine::internal
