#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "base/thread.h"
#include "index/code_index.h"
#include "support/memory_corpus.h"
#include "support/temporary_directory.h"

namespace clever::index {
namespace {

constexpr int kSearchers = 8;
constexpr int kRounds = 20;

test::MemoryCorpus::Files files_of(int thread, int round) {
  test::MemoryCorpus::Files files;
  for (int i = 0; i < 20; ++i) {
    files["shared" + std::to_string(i) + ".c"] = "int shared_" + std::to_string(i) + ";\n";
  }
  files["own.c"] = "int own_" + std::to_string(thread) + "_" + std::to_string(round) + ";\n";
  return files;
}

// Threads edit and search while others edit, merge and tidy: each sees its own files, all of them.
TEST(CodeIndexStress, EverybodySeesTheirOwnFiles) {
  const test::TemporaryDirectory folder;
  const auto index = CodeIndex::open({.folder = folder / "index", .threads = 2}).value();
  const auto other = CodeIndex::open({.folder = folder / "index", .threads = 2}).value();
  std::vector<std::unique_ptr<base::Thread>> threads;
  for (int thread = 0; thread < kSearchers; ++thread) {
    threads.push_back(std::make_unique<base::Thread>("user", [&, thread](const base::StopToken&) {
      CodeIndex& mine = thread % 2 == 0 ? *index : *other;
      for (int round = 0; round < kRounds; ++round) {
        const auto corpus = std::make_shared<test::MemoryCorpus>(files_of(thread, round));
        const auto view = mine.view(corpus).value();
        const std::string word = "own_" + std::to_string(thread) + "_" + std::to_string(round);
        EXPECT_EQ(view->grep(word, 10).size(), 1U);
        EXPECT_EQ(view->search("shared", 100).size(), 20U);
        EXPECT_EQ(view->definitions(word, 10).size(), 1U);
        if (round % 7 == 6) EXPECT_TRUE(mine.tidy().ok());
      }
    }));
  }
  threads.clear();
  EXPECT_EQ(index->stats().repaired, "");
}

// One view, many readers, no lock between them.
TEST(CodeIndexStress, OneViewServesManyThreads) {
  const test::TemporaryDirectory folder;
  const auto index = CodeIndex::open({.folder = folder / "index"}).value();
  const auto view = index->view(std::make_shared<test::MemoryCorpus>(files_of(0, 0))).value();
  const auto expected = view->search("shared int", 100);
  std::vector<std::unique_ptr<base::Thread>> threads;
  for (int thread = 0; thread < 64; ++thread) {
    threads.push_back(std::make_unique<base::Thread>("reader", [&](const base::StopToken&) {
      for (int round = 0; round < 10; ++round) {
        EXPECT_EQ(view->search("shared int", 100), expected);
        EXPECT_EQ(view->edges(0, 10).size(), view->edges(0, 10).size());
      }
    }));
  }
}

}  // namespace
}  // namespace clever::index
