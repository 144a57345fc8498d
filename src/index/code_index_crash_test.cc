#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <memory>
#include <string>

#include "base/random.h"
#include "index/code_index.h"
#include "support/campaign.h"
#include "support/child_process.h"
#include "support/memory_corpus.h"
#include "support/temporary_directory.h"

namespace clever::index {
namespace {

test::MemoryCorpus::Files files_of(int round) {
  test::MemoryCorpus::Files files;
  for (int i = 0; i < 12; ++i) {
    files["f" + std::to_string(i) + ".txt"] =
        "round " + std::to_string(round) + " file " + std::to_string(i);
  }
  return files;
}

// Indexes one tree after the other, and tells of each when it is done.
int index_for_ever(const std::filesystem::path& folder, int tell) {
  const auto index = CodeIndex::open({.folder = folder}).value();
  for (int round = 0;; ++round) {
    if (!index->view(std::make_shared<test::MemoryCorpus>(files_of(round))).ok()) return 1;
    if (::write(tell, &round, sizeof round) != sizeof round) return 2;
  }
}

// Waits for so many, kills the writer, and returns the last that was reported.
int killed_after(const std::filesystem::path& folder, std::uint64_t count) {
  std::array<int, 2> ends{};
  EXPECT_EQ(::pipe(ends.data()), 0);
  test::ChildProcess writer([&] { return index_for_ever(folder, ends[1]); });
  ::close(ends[1]);
  int last = -1;
  int round = 0;
  for (std::uint64_t i = 0; ::read(ends[0], &round, sizeof round) == sizeof round; ++i) {
    last = round;
    if (i == count) writer.kill_and_wait();
  }
  ::close(ends[0]);
  return last;
}

TEST(CodeIndexCrash, FilesIndexedBeforeAKillRemain) {
  base::SeededRandom random(3);
  for (std::size_t turn = 0; turn < test::campaign(4, 200); ++turn) {
    const test::TemporaryDirectory folder;
    const int last = killed_after(folder / "index", random.below(25));
    ASSERT_GE(last, 0);
    const auto index = CodeIndex::open({.folder = folder / "index"}).value();
    EXPECT_EQ(index->stats().repaired, "");
    for (int round = 0; round <= last; ++round) {
      const auto corpus = std::make_shared<test::MemoryCorpus>(files_of(round));
      const auto view = index->view(corpus).value();
      ASSERT_THAT(corpus->taken(), testing::IsEmpty()) << "round " << round << " of " << last;
      ASSERT_EQ(view->grep("round", 100).size(), 12U);
    }
  }
}

}  // namespace
}  // namespace clever::index
